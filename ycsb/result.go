package ycsb

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	Lateness  *Histogram `json:"lateness,omitempty"`      // by which the engine itself woke late for due steps

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

// ErrCount counts an error message.
type ErrCount struct {
	Message string `json:"message"`
	Count   uint64 `json:"count"`
}

// ClientUsage tells about the machine and process that produced the load.
type ClientUsage struct {
	Host      string        `json:"host,omitempty"`
	OS        string        `json:"os"`
	Arch      string        `json:"arch"`
	CPUs      int           `json:"cpus"` // that Go uses
	GoVersion string        `json:"go_version"`
	User      time.Duration `json:"user_ns"`   // CPU time of the process; 0 where the system does not tell
	System    time.Duration `json:"system_ns"` // CPU time of the kernel for the process
	GCs       int64         `json:"gcs"`
	GCPause   time.Duration `json:"gc_pause_ns"` // in all
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
// histograms and rates add up, the time is that from the first start to the last end, and
// settings on which the clients differ are left out. Intervals are added by their number; seed
// and database stay those of r. o is not changed. It is an error when the clients did not do the
// same.
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
	end := r.Start.Add(r.Elapsed)
	if oEnd := o.Start.Add(o.Elapsed); oEnd.After(end) {
		end = oEnd
	}
	if o.Start.Before(r.Start) {
		r.Start = o.Start
	}
	r.Elapsed = end.Sub(r.Start)
	if r.Ended != o.Ended && r.Ended != EndedError && (o.Ended == EndedError || o.Ended == EndedInterrupted) {
		r.Ended = o.Ended
	}
	same := make(map[string]string)
	for k, v := range r.Settings {
		if ov, ok := o.Settings[k]; ok && v == ov {
			same[k] = v
		}
	}
	r.Settings = same

	r.Client.User += o.Client.User
	r.Client.System += o.Client.System
	r.Client.GCs += o.Client.GCs
	r.Client.GCPause += o.Client.GCPause
	r.Client.CPUs += o.Client.CPUs
	if r.Client.Host != o.Client.Host {
		r.Client.Host += "," + o.Client.Host
	}

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

	intervals := slices.Clone(r.Intervals)
	for i, iv := range o.Intervals {
		if i == len(intervals) {
			intervals = append(intervals, IntervalResult{Offset: iv.Offset})
		}
		intervals[i].Length = max(intervals[i].Length, iv.Length)
		intervals[i].Steps += iv.Steps
		intervals[i].Ops = mergeOps(intervals[i].Ops, iv.Ops)
	}
	r.Intervals = intervals
	r.Runtime = slices.Concat(r.Runtime, o.Runtime)
	slices.SortStableFunc(r.Runtime, func(a, b RuntimeSample) int { return cmp.Compare(a.Offset, b.Offset) })
	return nil
}

// mergeOps returns the sum of both lists, which it does not change.
func mergeOps(a, b []OpResult) []OpResult {
	sum := slices.Clone(a)
	for _, ob := range b {
		i := slices.IndexFunc(sum, func(o OpResult) bool { return o.Name == ob.Name })
		if i < 0 {
			sum = append(sum, ob)
			continue
		}
		outs := slices.Clone(sum[i].Outcomes)
		for _, oc := range ob.Outcomes {
			j := slices.IndexFunc(outs, func(x Outcome) bool { return x.Name == oc.Name })
			if j < 0 {
				outs = append(outs, oc)
				continue
			}
			outs[j].Count += oc.Count
			outs[j].Service = mergeHistograms(outs[j].Service, oc.Service)
			outs[j].Response = mergeHistograms(outs[j].Response, oc.Response)
		}
		slices.SortStableFunc(outs, func(a, b Outcome) int {
			return cmp.Compare(slices.Index(outcomeNames[:], a.Name), slices.Index(outcomeNames[:], b.Name))
		})
		sum[i].Outcomes = outs

		messages := make(map[string]uint64)
		for _, e := range slices.Concat(sum[i].Errors, ob.Errors) {
			messages[e.Message] += e.Count
		}
		sum[i].Errors = errorCounts(messages)
	}
	return sum
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

// errorCounts lists messages by falling count. Those beyond the most frequent maxErrorMessages
// are one.
func errorCounts(messages map[string]uint64) []ErrCount {
	if len(messages) == 0 {
		return nil
	}
	list := make([]ErrCount, 0, len(messages))
	for _, m := range slices.Sorted(maps.Keys(messages)) {
		if m != otherErrors {
			list = append(list, ErrCount{m, messages[m]})
		}
	}
	slices.SortStableFunc(list, func(a, b ErrCount) int { return cmp.Compare(b.Count, a.Count) })
	others := messages[otherErrors]
	for len(list) > 0 && (len(list) > maxErrorMessages || len(list) == maxErrorMessages && others > 0) {
		others += list[len(list)-1].Count
		list = list[:len(list)-1]
	}
	if others > 0 {
		list = append(list, ErrCount{otherErrors, others})
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
