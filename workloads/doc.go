// Package workloads has the core workload of YCSB and its standard mixes A to F.
//
//	c, err := workloads.Standard("b")
//	c.RecordCount = 1_000_000
//	w, err := workloads.NewCore(c)
//	res, err := ycsb.Load(ctx, db, w, nil)
//	res, err = ycsb.Run(ctx, db, w, &ycsb.Options{Threads: 16, Operations: 1_000_000})
//
// Keys, distributions, properties and defaults are those of Java YCSB, so that data sets and
// figures can be compared. Where Java has a defect, the right thing is done; the comments say
// where.
package workloads
