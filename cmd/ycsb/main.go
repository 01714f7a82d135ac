// Ycsb runs the workloads of YCSB against databases. Its drivers are memory, mysql, noop and
// pebble; a program with others is as short as this one.
package main

import (
	"github.com/ycsbkit/ycsbkit/ycsb/cli"

	_ "github.com/ycsbkit/ycsbkit/drivers/memory"
	_ "github.com/ycsbkit/ycsbkit/drivers/mysql"
	_ "github.com/ycsbkit/ycsbkit/drivers/noop"
	_ "github.com/ycsbkit/ycsbkit/drivers/pebble"
)

func main() { cli.Main() }
