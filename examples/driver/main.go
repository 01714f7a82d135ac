// Driver is the command ycsb with a driver for directories.
package main

import "github.com/ycsbkit/ycsbkit/ycsb/cli"

var app = cli.App{Name: "filebench"}

func main() { app.Main() }
