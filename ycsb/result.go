package ycsb

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"
)

// ResultVersion is the version of the JSON form of a [Result]. It changes when a reader has to.
const ResultVersion = 1

// Names under which the engine measures operations; they are Java YCSB's where it has them.
const (
	OpRead            = "READ"
	OpInsert          = "INSERT"
	OpUpdate          = "UPDATE"
	OpDelete          = "DELETE"
	OpScan            = "SCAN"
	OpReadModifyWrite = "READ-MODIFY-WRITE"
	OpBatch           = "BATCH"   // round trips of Client.Batch
	OpQuery           = "QUERY"   // Client.Query
	OpTx              = "TX"      // Client.Tx, from begin to commit
	OpCleanup         = "CLEANUP" // Conn.Close, once a worker
	OpVerify          = "VERIFY"  // a comparison of what was read with what was written; no access to the database
	OpScanPerRecord   = "SCAN-LATENCY-PER-RECORD"
)

// Why a phase ended, as Result.Ended tells.
const (
	EndedOperations  = "operations"  // all Options.Operations were done
	EndedDuration    = "duration"    // Options.Duration passed
	EndedDone        = "done"        // the workers, or the Pacer's plan, had no more work
	EndedInterrupted = "interrupted" // the context of Load or Run was cancelled
	EndedError       = "error"       // Load or Run returned an error that tells more
)

// Result is what a phase measured. It marshals to JSON and back without loss; durations are
// whole nanoseconds. It is plain data: methods that only read may be called concurrently.
type Result struct {
	Version  int               `json:"version"`  // ResultVersion
	Phase    string            `json:"phase"`    // "load" or "run"
	Driver   string            `json:"driver"`   // what its String method returns, else the name of its package
	Workload string            `json:"workload"` // what its String method returns, else its type
	Start    time.Time         `json:"start"`    // when measurement began, after the warm-up
	Elapsed  time.Duration     `json:"elapsed_ns"`
	Ended    string            `json:"ended"`    // EndedOperations …
	Settings map[string]string `json:"settings"` // what is needed to repeat the run, secrets left out
	Seed     uint64            `json:"seed"`
	Database Info              `json:"database"`
	Client   ClientUsage       `json:"client"`
	Clients  int               `json:"clients,omitempty"` // that were merged; 0 is one

	Steps int64 `json:"steps"` // done, failed ones included
	// Errors counts operations with an outcome other than OK, NOT_FOUND and CANCELLED. It leaves
	// out those that were tried again or made good, and those made of others that are counted.
	Errors    int64      `json:"errors"`
	Failed    int64      `json:"failed"`                  // steps that returned an error
	Retries   int64      `json:"retries"`                 // operations that failed and were tried again
	MadeGood  int64      `json:"made_good"`               // operations that failed because what they were to do was done already
	Abandoned int64      `json:"abandoned"`               // operations that did not come back within Options.Grace
	Dropped   int64      `json:"dropped"`                 // steps of an open loop that found no free worker
	Rows      int64      `json:"rows,omitempty"`          // of the table after a load, where the driver can count
	Offered   float64    `json:"offered_per_s,omitempty"` // rate at which steps were due; 0 without a schedule
	Achieved  float64    `json:"achieved_per_s"`          // rate at which steps were done, failed ones included
	Sustained bool       `json:"sustained"`               // the schedule, if any, was kept up with
	Lateness  *Histogram `json:"lateness,omitempty"`      // by which measured steps came later than they were due and a worker was free: the client's own doing

	Intervals []IntervalResult `json:"intervals,omitempty"`
	Runtime   []RuntimeSample  `json:"runtime,omitempty"` // of the client, when Options.TrackRuntime
	Ops       []OpResult       `json:"ops"`               // operations without samples are left out
}

// IntervalResult is what was measured in one interval. Its histograms have two digits.
type IntervalResult struct {
	Offset time.Duration `json:"offset_ns"` // of its begin from Result.Start
	Length time.Duration `json:"length_ns"`
	Steps  int64         `json:"steps"`
	Ops    []OpResult    `json:"ops"`
}

// OpResult is what was measured of one kind of operation.
type OpResult struct {
	Name     string     `json:"name"`
	Outcomes []Outcome  `json:"outcomes"`         // OK first, none with a count of 0
	Errors   []ErrCount `json:"errors,omitempty"` // by falling count; at most 64 distinct ones, numbers and quoted text folded
}

// Outcome is how operations of one kind ended, and how long they took.
type Outcome struct {
	Name     string     `json:"name"` // OutcomeOK …
	Count    uint64     `json:"count"`
	Service  *Histogram `json:"service"`            // from the call to its return
	Response *Histogram `json:"response,omitempty"` // from when the step was due; nil without a schedule
}

// ErrCount counts errors whose messages differ in numbers and quoted text alone.
type ErrCount struct {
	Message string `json:"message"` // with N and … for these
	Count   uint64 `json:"count"`
	Example string `json:"example,omitempty"` // one of them, if it says more; not in intervals
}

// ClientUsage tells about the machine and process that produced the load.
type ClientUsage struct {
	Host      string         `json:"host,omitempty"` // those of merged clients with commas between them
	OS        string         `json:"os"`
	Arch      string         `json:"arch"`
	CPUs      int            `json:"cpus"`            // that Go uses, of all hosts
	Hosts     map[string]int `json:"hosts,omitempty"` // CPUs of each, when there are several
	GoVersion string         `json:"go_version"`
	User      time.Duration  `json:"user_ns"`   // CPU time of the process; 0 where the system does not tell
	System    time.Duration  `json:"system_ns"` // CPU time of the kernel for the process
	GCs       int64          `json:"gcs"`
	GCPause   time.Duration  `json:"gc_pause_ns"` // in all
}

// RuntimeSample tells of the Go runtime of the client at the end of an interval.
type RuntimeSample struct {
	Offset     time.Duration `json:"offset_ns"`  // from Result.Start
	Heap       uint64        `json:"heap_bytes"` // in use
	Goroutines int           `json:"goroutines"`
	LoadAvg    float64       `json:"load_avg"`    // of the machine, over a minute; -1 where it is not known
	GCs        int64         `json:"gcs"`         // since the sample before
	GCPause    time.Duration `json:"gc_pause_ns"` // since the sample before
}

// Throughput returns the steps that succeeded, a second. A step that found no record did not.
func (r *Result) Throughput() float64 { return perSecond(r.Steps-r.Failed, r.Elapsed) }

// perSecond returns a rate, 0 for an empty time.
func perSecond(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// Op returns what was measured of the named operation.
func (r *Result) Op(name string) (OpResult, bool) {
	return findOp(r.Ops, name)
}

func findOp(ops []OpResult, name string) (OpResult, bool) {
	for _, o := range ops {
		if o.Name == name {
			return o, true
		}
	}
	return OpResult{}, false
}

// Outcome returns the named outcome, one with a count of 0 when there is none.
func (o OpResult) Outcome(name string) Outcome {
	for _, oc := range o.Outcomes {
		if oc.Name == name {
			return oc
		}
	}
	return Outcome{Name: name, Service: new(Histogram)}
}

// Count returns the operations of all outcomes.
func (o OpResult) Count() uint64 {
	var n uint64
	for _, oc := range o.Outcomes {
		n += oc.Count
	}
	return n
}

// Merge adds what another client measured in the same phase, at the same time: counts,
// histograms and rates add up, and the time is that from the first start to the last end. Of the
// settings, threadcount, operationcount and target add up too; others on which the clients differ
// are left out. Seed and database stay those of r.
//
// Intervals are added by their time. None is split: one of the client that began later goes, as a
// whole, to the interval of the other in which its middle lies.
//
// It is an error when the clients did not do the same or their intervals were not to have the same
// length; then r stays as it is. o is not changed, and shares nothing with r.
func (r *Result) Merge(o *Result) error {
	switch {
	case o == nil:
		return errors.New("ycsb: merge: no result")
	case r.Phase != o.Phase:
		return fmt.Errorf("ycsb: merge: phases %q and %q", r.Phase, o.Phase)
	case r.Driver != o.Driver || r.Workload != o.Workload:
		return fmt.Errorf("ycsb: merge: %s on %s and %s on %s", r.Workload, r.Driver, o.Workload, o.Driver)
	case r.Version != o.Version:
		return fmt.Errorf("ycsb: merge: versions %d and %d", r.Version, o.Version)
	}
	length, oLength := r.intervalLength(), o.intervalLength()
	if length > 0 && oLength > 0 && length != oLength {
		return fmt.Errorf("ycsb: merge: intervals of %v and %v", length, oLength)
	}
	first, later := r, o
	if o.Start.Before(r.Start) {
		first, later = o, r
	}
	shift := later.Start.Sub(first.Start)
	r.Intervals = mergeIntervals(first.Intervals, later.Intervals, shift, max(length, oLength))
	r.Runtime = mergeRuntime(first.Runtime, later.Runtime, shift)
	r.Start, r.Elapsed = first.Start, max(first.Elapsed, shift+later.Elapsed)
	if r.Ended != o.Ended && r.Ended != EndedError && (o.Ended == EndedError || o.Ended == EndedInterrupted) {
		r.Ended = o.Ended
	}
	r.Settings = mergeSettings(r.Settings, o.Settings)
	r.Client.add(o.Client)
	r.Clients = max(r.Clients, 1) + max(o.Clients, 1)

	r.Steps += o.Steps
	r.Failed += o.Failed
	r.Retries += o.Retries
	r.MadeGood += o.MadeGood
	r.Errors += o.Errors
	r.Abandoned += o.Abandoned
	r.Dropped += o.Dropped
	r.Rows = max(r.Rows, o.Rows)
	r.Offered += o.Offered
	r.Achieved = perSecond(r.Steps, r.Elapsed)
	r.Sustained = r.Sustained && o.Sustained
	r.Lateness = mergeHistograms(r.Lateness, o.Lateness)
	r.Ops = mergeOps(r.Ops, o.Ops)
	return nil
}

// intervalLength returns the length that the intervals were to have: that of the settings or,
// without it, of the longest interval, not counting the last one, which the end of the phase cuts
// short. It is 0 when that does not tell.
func (r *Result) intervalLength() time.Duration {
	if len(r.Intervals) == 0 {
		return 0
	}
	if d, err := time.ParseDuration(r.Settings["status.interval"] + "s"); err == nil {
		return d
	}
	var longest time.Duration
	for _, iv := range r.Intervals[:len(r.Intervals)-1] {
		longest = max(longest, iv.Length)
	}
	return longest
}

// mergeIntervals returns the intervals of two clients, of which the other began later by shift.
// Where the first one has none any more they go on in steps of length.
func mergeIntervals(first, later []IntervalResult, shift, length time.Duration) []IntervalResult {
	var sum []IntervalResult
	for _, iv := range first {
		iv.Ops = mergeOps(nil, iv.Ops)
		sum = append(sum, iv)
	}
	for _, iv := range later {
		iv.Offset += shift
		middle := iv.Offset + iv.Length/2
		step := max(length, iv.Length, 1)
		if n := len(sum); n == 0 {
			sum = append(sum, IntervalResult{Offset: iv.Offset})
		} else if end := sum[n-1].Offset + max(sum[n-1].Length, step); middle >= end {
			sum = append(sum, IntervalResult{Offset: end + (middle-end)/step*step})
		}
		last := len(sum) - 1
		i := last
		for i > 0 && sum[i].Offset > middle {
			i--
		}
		to := &sum[i]
		if i == last { // which may have been cut short
			to.Length = max(to.Length, min(step, iv.Offset+iv.Length-to.Offset))
		}
		to.Steps += iv.Steps
		to.Ops = mergeOps(to.Ops, iv.Ops)
	}
	return sum
}

// mergeRuntime returns the samples of two clients, of which the other began later by shift.
func mergeRuntime(first, later []RuntimeSample, shift time.Duration) []RuntimeSample {
	sum := slices.Concat(first, later)
	for i := range later {
		sum[len(first)+i].Offset += shift
	}
	slices.SortStableFunc(sum, func(a, b RuntimeSample) int { return cmp.Compare(a.Offset, b.Offset) })
	return sum
}

// mergeSettings returns the settings that are the same in both, and the sums of those that tell
// of one client's share.
func mergeSettings(a, b map[string]string) map[string]string {
	sum := make(map[string]string)
	for k, v := range a {
		w, ok := b[k]
		if ok && (k == "threadcount" || k == "operationcount" || k == "target") {
			v, ok = addSetting(v, w)
		} else if v != w {
			ok = false
		}
		if ok {
			sum[k] = v
		}
	}
	return sum
}

// addSetting adds two numbers. With one that is 0, which means no limit, the other has no sum; what
// is no number has one if both are the same.
func addSetting(v, w string) (string, bool) {
	a, okA := new(big.Rat).SetString(v)
	b, okB := new(big.Rat).SetString(w)
	if !okA || !okB {
		return v, v == w
	}
	if (a.Sign() == 0) != (b.Sign() == 0) {
		return "", false
	}
	a.Add(a, b)
	digits, _ := a.FloatPrec()
	return a.FloatString(digits), true
}

// mergeOps returns the sum of both lists, which it does not change. It shares nothing with b.
func mergeOps(a, b []OpResult) []OpResult {
	sum := slices.Clone(a)
	for _, ob := range b {
		i := slices.IndexFunc(sum, func(o OpResult) bool { return o.Name == ob.Name })
		if i < 0 {
			i = len(sum)
			sum = append(sum, OpResult{Name: ob.Name})
		}
		outs := slices.Clone(sum[i].Outcomes)
		for _, oc := range ob.Outcomes {
			j := slices.IndexFunc(outs, func(x Outcome) bool { return x.Name == oc.Name })
			if j < 0 {
				j = len(outs)
				outs = append(outs, Outcome{Name: oc.Name})
			}
			outs[j].add(oc)
		}
		slices.SortStableFunc(outs, func(a, b Outcome) int {
			return cmp.Compare(slices.Index(outcomeNames[:], a.Name), slices.Index(outcomeNames[:], b.Name))
		})
		sum[i].Outcomes = outs

		var messages errorTally
		for _, e := range slices.Concat(sum[i].Errors, ob.Errors) {
			messages.add(e)
		}
		sum[i].Errors = messages.list()
	}
	return sum
}

// add counts what another client counted. If one of them had a schedule, both have response times.
func (o *Outcome) add(other Outcome) {
	if o.Response != nil || other.Response != nil {
		o.Response = mergeHistograms(o.responses(), other.responses())
	}
	o.Count += other.Count
	o.Service = mergeHistograms(o.Service, other.Service)
}

// responses returns the response times, which without a schedule are the service times.
func (o *Outcome) responses() *Histogram {
	if o.Response == nil {
		return o.Service
	}
	return o.Response
}

// mergeHistograms returns the sum of both, either of which may be nil.
func mergeHistograms(a, b *Histogram) *Histogram {
	if a == nil && b == nil {
		return nil
	}
	sum := new(Histogram)
	sum.Merge(a)
	sum.Merge(b)
	return sum
}

// list lists the messages by falling count. Those beyond the most frequent maxErrorMessages are
// one.
func (t errorTally) list() []ErrCount {
	var list []ErrCount
	for _, m := range slices.Sorted(maps.Keys(t)) {
		if m != otherErrors {
			list = append(list, t[m])
		}
	}
	slices.SortStableFunc(list, func(a, b ErrCount) int { return cmp.Compare(b.Count, a.Count) })
	others := t[otherErrors].Count
	for len(list) > 0 && (len(list) > maxErrorMessages || len(list) == maxErrorMessages && others > 0) {
		others += list[len(list)-1].Count
		list = list[:len(list)-1]
	}
	if others > 0 {
		list = append(list, ErrCount{Message: otherErrors, Count: others})
	}
	return list
}

// UnmarshalJSON refuses a version that this package does not know.
func (r *Result) UnmarshalJSON(data []byte) error {
	type plain Result
	var p plain
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	if p.Version != ResultVersion {
		return fmt.Errorf("ycsb: result: version %d: want %d", p.Version, ResultVersion)
	}
	*r = Result(p)
	return nil
}
