package ycsb_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/drivers/noop"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

func TestSmoke(t *testing.T) {
	mix := ycsb.Mix{{Name: "X", Weight: 1, Do: func(ctx context.Context, c *ycsb.Client) error {
		return c.Read(ctx, "t", []byte("k"), nil, nil)
	}}}
	res, err := ycsb.Run(context.Background(), noop.New(), mix, &ycsb.Options{Operations: 1000000, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	res.Intervals = nil
	b, _ := json.MarshalIndent(res, "", " ")
	t.Logf("%.1500s", b)
	res, err = ycsb.Run(context.Background(), noop.New(), mix, &ycsb.Options{Target: 10000, Threads: 8, Duration: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(res.Steps, res.Offered, res.Achieved, res.Sustained, res.Lateness.Quantile(.5), res.Lateness.Quantile(.99), res.Client.User+res.Client.System)
}
