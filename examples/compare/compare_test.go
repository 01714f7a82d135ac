package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// TestCompare asks for twice of what the store can do at most: 8 workers, 10 ms an operation.
func TestCompare(t *testing.T) {
	rates := []float64{100, 1600}
	results, err := compare(t.Context(), 10*time.Millisecond, .25, rates)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := write(&out, rates, results); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 1+len(rates) || !strings.Contains(out.String(), "fell behind") {
		t.Errorf("the table has %d lines; want %d:\n%s", lines, 1+len(rates), out.String())
	}
	read, _ := results[1].Op(ycsb.OpRead)
	ok := read.Outcome(ycsb.OutcomeOK)
	if fast := 100 * time.Millisecond; results[1].Achieved > 800 || ok.Response.Quantile(.99) < fast {
		t.Errorf("%.0f done a second, response p99 %v; want at most 800, at least %v",
			results[1].Achieved, ok.Response.Quantile(.99), fast)
	}
}
