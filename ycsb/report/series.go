package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// series is what YCSB measures under one name.
type series struct {
	name    string
	count   uint64
	latency *ycsb.Histogram // nil without a sample; not to be changed unless shared is false
	shared  bool            // latency belongs to the Result
	mean    float64         // of latency in microseconds, where the samples are known, else 0
	returns []ycsb.Outcome  // told as Return=…
}

// add counts an outcome in the series.
func (s *series) add(count uint64, h *ycsb.Histogram) {
	s.count += count
	if h.Count() == 0 {
		return
	}
	if s.latency == nil {
		s.latency, s.shared = h, true
		return
	}
	if s.shared {
		sum := new(ycsb.Histogram)
		sum.Merge(s.latency)
		s.latency, s.shared = sum, false
	}
	s.latency.Merge(h)
}

// average returns the mean latency in microseconds.
func (s *series) average() float64 {
	return cmp.Or(s.mean, float64(s.latency.Mean())/1e3)
}

// percentile returns a percentile of the latencies, 0 <= p <= 100.
func percentile(h *ycsb.Histogram, p float64) time.Duration {
	return min(max(h.Quantile(p/100), h.Min()), h.Max())
}

// seriesOf returns the series of operations, those of service times first. An operation of
// which nothing is to be told is left out.
//
// As in Java, the series named as the operation has those that succeeded; VERIFY, which is no
// operation of the database, has all.
func (c *Config) seriesOf(ops []ycsb.OpResult) []series {
	var all []series
	if c.Interval != IntervalIntended {
		for _, o := range ops {
			all = append(all, c.opSeries(o, "", service, returns(o))...)
		}
	}
	for _, o := range ops {
		switch {
		case c.Interval == IntervalIntended && serviceOnly(o):
			all = append(all, c.opSeries(o, "", service, returns(o))...)
		case c.Interval == IntervalIntended:
			all = append(all, c.opSeries(o, "", response, returns(o))...)
		case c.Interval == IntervalBoth && !serviceOnly(o):
			all = append(all, c.opSeries(o, "Intended-", response, nil)...)
		}
	}
	return all
}

// service returns the service times of an outcome.
func service(oc ycsb.Outcome) *ycsb.Histogram { return oc.Service }

// response returns the response times of an outcome. Without a schedule an operation is due
// when it is called.
func response(oc ycsb.Outcome) *ycsb.Histogram {
	if oc.Response == nil {
		return oc.Service
	}
	return oc.Response
}

// serviceOnly tells whether an operation has no response time in Java.
func serviceOnly(o ycsb.OpResult) bool {
	return o.Name == ycsb.OpVerify || o.Name == ycsb.OpScanPerRecord
}

// returns returns the outcomes of an operation that are told as Return=…: all, or none where
// Java has none and all succeeded.
func returns(o ycsb.OpResult) []ycsb.Outcome {
	untold := o.Name == ycsb.OpReadModifyWrite || o.Name == ycsb.OpCleanup || o.Name == ycsb.OpScanPerRecord
	if untold && o.Outcome(ycsb.OutcomeOK).Count == o.Count() {
		return nil
	}
	return o.Outcomes
}

// opSeries returns the series of one operation: its own and those of failed ones.
func (c *Config) opSeries(o ycsb.OpResult, prefix string, latency func(ycsb.Outcome) *ycsb.Histogram, rets []ycsb.Outcome) []series {
	own := prefix + oneLine(o.Name)
	list := []series{{name: own, returns: rets}}
	for _, oc := range o.Outcomes {
		name := own
		if oc.Name != ycsb.OutcomeOK && o.Name != ycsb.OpVerify {
			name += oneLine(c.failedSeries(oc.Name))
		}
		i := slices.IndexFunc(list, func(s series) bool { return s.name == name })
		if i < 0 {
			i = len(list)
			list = append(list, series{name: name})
		}
		list[i].add(oc.Count, latency(oc))
	}
	return slices.DeleteFunc(list, func(s series) bool { return s.count == 0 && len(s.returns) == 0 })
}
