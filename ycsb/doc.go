// Package ycsb runs YCSB workloads against databases.
//
// A benchmark has a database, a workload, and two phases: [Load] fills the table, [Run] measures.
// Each returns a [Result], which is data: histograms of service and response times for each
// operation and outcome, counts, rates, and the settings to repeat it. Package report writes
// results as tables, in YCSB's own format and as JSON.
//
//	db := memory.New()
//	w, err := workloads.NewCore(config)
//	_, err = ycsb.Load(ctx, db, w, &ycsb.Options{Threads: 8})
//	res, err := ycsb.Run(ctx, db, w, &ycsb.Options{Threads: 8, Operations: 1_000_000})
//	err = report.Text(os.Stdout, res)
//
// # The map
//
//   - A database is a [DB]; the packages below drivers are implementations, registered by name.
//     To write one, implement DB and [Conn], and the optional interfaces that the database has
//     an answer to; package ycsbtest tests the contract. The example of [DB] is a whole driver.
//   - A workload is a [Workload]; package workloads has those of YCSB, [Mix] makes one of
//     functions. The example of Workload is a whole one.
//   - Package generator has the distributions, package properties reads YCSB's property files.
//   - Package report writes results; package ycsbtest turns a workload into a Go benchmark;
//     package cli is the command.
//
// # Phases
//
// A phase has Options.Threads workers, each a goroutine with a connection and random numbers of
// its own. They share one budget of operations, so that fast workers do more, and one schedule
// if there is a rate to be kept. Without a schedule (a closed loop) a worker begins the next
// step when the one before is done, and latencies are service times: how long the database took.
// With one, each step has a time at which it is due, and there are two latencies: the service
// time, and the response time since the step was due, which also tells of the wait behind
// operations that took too long.
//
// Operations are counted by outcome, and each outcome has histograms of its own: what fails fast
// does not make the rest look fast. Failed operations do not end a phase; they are for the
// caller to judge ([Result.Errors]). After an operation that found the server unavailable a
// worker pauses, for a millisecond at first and a second at most.
//
// When a phase is told to end, by its Duration or the caller's context, its workers begin no
// more steps. Operations under way at the end of the Duration may take twice as long as the
// longest one before, a tenth of a second at least and Options.Grace at most; then, and at once
// when the caller's context ends, theirs is cancelled, and they count as CANCELLED. What is not
// back within Options.Grace after that is abandoned and counted as such: a driver that hangs
// cannot hang the phase. A panic in a driver or workload ends the phase with an error.
//
// # Side effects
//
// The package never prints, exits or reads the environment, and has no global state but the
// registry of drivers. It destroys nothing that it was not told to destroy: Load refuses a table
// that holds rows, and Options.Drop empties one only through the driver's Truncater, which
// refuses what the driver did not create.
package ycsb
