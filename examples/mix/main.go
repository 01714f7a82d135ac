// Mix measures a web shop: a mix of operations of its own, with weights from a property file.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"strconv"

	"github.com/ycsbkit/ycsbkit/drivers/memory"
	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/generator"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
	"github.com/ycsbkit/ycsbkit/ycsb/report"
)

// shop is what the property file says of the shop.
type shop struct {
	Products int64   `prop:"shop.products,min=1" default:"1000" help:"products that there are"`
	Look     float64 `prop:"shop.look,min=0" default:"90" help:"weight of visitors who look at a product"`
	Basket   float64 `prop:"shop.basket,min=0" default:"8" help:"weight of those who put one into the basket"`
	Buy      float64 `prop:"shop.buy,min=0" default:"2" help:"weight of those who buy it"`

	popular generator.Source // of products: few are asked for by many
}

const table = "products"

// mix returns what visitors do.
func (s *shop) mix() ycsb.Mix {
	return ycsb.Mix{
		{Name: "LOOK", Weight: s.Look, Do: func(ctx context.Context, c *ycsb.Client) error {
			return c.Read(ctx, table, s.product(c), nil, new(ycsb.Record))
		}},
		{Name: "BASKET", Weight: s.Basket, Do: func(ctx context.Context, c *ycsb.Client) error {
			return c.Read(ctx, table, s.product(c), []string{"field0"}, new(ycsb.Record))
		}},
		{Name: "BUY", Weight: s.Buy, Do: func(ctx context.Context, c *ycsb.Client) error {
			var stock ycsb.Record
			stock.Append("field1", strconv.AppendInt(nil, c.Rand().Int64(), 10))
			return c.ReadModifyWrite(ctx, table, s.product(c), nil, new(ycsb.Record), &stock)
		}},
	}
}

// product draws the key of a product, with the visitor's own random numbers.
func (s *shop) product(c *ycsb.Client) []byte {
	return strconv.AppendUint([]byte("product"), s.popular.Next(c.Rand()), 10)
}

// load loads the products, which a Mix does not.
func (s *shop) load(ctx context.Context, db ycsb.DB, o *ycsb.Options) error {
	config := workloads.Default()
	config.Table, config.RecordCount = table, s.Products
	config.KeyPrefix, config.InsertOrder = "product", "ordered"
	w, err := workloads.NewCore(config)
	if err != nil {
		return err
	}
	_, err = ycsb.Load(ctx, db, w, &ycsb.Options{Threads: o.Threads})
	return err
}

// run runs the shop that a property file describes and writes what it measured.
func run(ctx context.Context, out io.Writer, file string) error {
	p, err := properties.Load(file)
	if err != nil {
		return err
	}
	var s shop
	var o ycsb.Options
	if err := errors.Join(p.Decode(&s), p.Decode(&o), p.Unknown()); err != nil {
		return err
	}
	if s.popular, err = generator.Scrambled(0, uint64(s.Products-1), generator.Theta); err != nil {
		return err
	}
	db := memory.New()
	defer db.Close()
	if err := s.load(ctx, db, &o); err != nil {
		return err
	}
	res, err := ycsb.Run(ctx, db, s.mix(), &o)
	return errors.Join(err, report.Text(out, res))
}

func main() {
	file := "mix/mix.properties"
	if len(os.Args) > 1 {
		file = os.Args[1]
	}
	if err := run(context.Background(), os.Stdout, file); err != nil {
		log.Fatal(err)
	}
}
