package mysql_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	"github.com/ycsbkit/ycsbkit/drivers/mysql"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

func ExampleOpen() {
	ctx := context.Background()
	db, err := mysql.Open(ctx, mysql.Config{Host: "db.example.net", User: "bench", Password: "secret", Insert: "upsert"})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	err = db.Prepare(ctx, ycsb.Schema{Table: "usertable", Fields: []string{"field0"}, FieldLength: 100})
	if err != nil {
		log.Fatal(err)
	}
}

// The driver works on a handle that a program has anyway.
func ExampleNew() {
	var handle *sql.DB // = sql.Open("mysql", dsn)
	_, err := mysql.New(handle, mysql.Config{Engine: "InnoDB"})
	fmt.Println(err)
	// Output: sqldb: no handle
}

func Example_properties() {
	p := properties.New()
	p.Set("mysql.host", "db.example.net")
	p.Set("mysql.port", "33o6")
	_, err := ycsb.Open(context.Background(), "mysql", p)
	fmt.Println(err)
	// Output: mysql: mysql.port=33o6: not a whole number
}

func ExampleConfig() {
	fmt.Println(mysql.Config{Host: "db.example.net", Port: 3306, User: "bench", Password: "secret"})
	// Output: mysql.Config{mysql.host=db.example.net mysql.port=3306 mysql.user=bench mysql.password=***}
}
