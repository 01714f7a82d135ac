package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// Config says what the reports in YCSB's formats and the status line tell. The properties in
// the tags are YCSB's. The zero Config means the defaults. What its Settings method returns
// belongs into Options.Settings, so that reports find it in the Result.
type Config struct {
	// Percentiles are those printed, in per cent, in this order; default 50, 95 and 99.
	Percentiles []float64 `prop:"hdrhistogram.percentiles,min=0,max=100" default:"50,95,99" help:"percentiles in the YCSB report"`
	// Interval says which latencies are told; default IntervalOp.
	Interval Interval `prop:"measurement.interval" default:"op" help:"latencies told: op (service time), intended (response time) or both; a number is go-ycsb's status interval and means op"`
	// EachError gives every outcome other than OK a series of its own, READ-NOT_FOUND, and
	// not one to all of them together, READ-FAILED; default false.
	EachError bool `prop:"reportlatencyforeacherror" default:"false" help:"latencies of failed operations by outcome, not of all together"`
	// TrackedErrors are the outcomes that have a series of their own though EachError is
	// false; default none. Drivers cannot add outcomes, so that any other name can only be
	// misspelt. Those after OK never occur here: files may have them from Java YCSB, whose
	// Status and DynamoDB binding name them.
	TrackedErrors []string `prop:"latencytrackederrors,enum=NOT_FOUND|EXISTS|CONFLICT|TIMEOUT|UNEXPECTED_STATE|SERVICE_UNAVAILABLE|NOT_IMPLEMENTED|CANCELLED|ERROR|OK|BAD_REQUEST|FORBIDDEN|BATCHED_OK|CLIENT_ERROR" help:"outcomes whose latencies are told apart, when not those of each are"`
	// Verbose adds the counts of a series by latency, in whole microseconds; default false.
	Verbose bool `prop:"measurement.histogram.verbose" default:"false" help:"all latencies and their counts in the YCSB report"`
}

// Settings returns the Config as properties. A zero list is left out.
func (c Config) Settings() map[string]string {
	m := make(map[string]string)
	for _, p := range properties.Encode(c) {
		if p.Value != "" {
			m[p.Key] = p.Value
		}
	}
	return m
}

// percentiles returns Percentiles or their default.
func (c *Config) percentiles() []float64 {
	if len(c.Percentiles) == 0 {
		return []float64{50, 95, 99}
	}
	return c.Percentiles
}

// failedSeries returns what follows the operation's name in the name of the series that an
// outcome other than OK is counted in.
func (c *Config) failedSeries(outcome string) string {
	if c.EachError || slices.Contains(c.TrackedErrors, outcome) {
		return "-" + outcome
	}
	return "-FAILED"
}

// settings is what a report reads from Result.Settings.
type settings struct {
	Config
	DataIntegrity bool `prop:"dataintegrity" default:"false"`
}

// readSettings returns the settings of a result, with their defaults where it has none.
func readSettings(r *ycsb.Result) (*settings, error) {
	p := properties.New()
	for k, v := range r.Settings {
		p.Set(k, v)
	}
	s := new(settings)
	if err := p.Decode(s); err != nil {
		return nil, fmt.Errorf("report: settings: %w", err)
	}
	return s, nil
}

// Interval says from when on latencies count.
type Interval uint8

// Intervals.
const (
	IntervalOp       Interval = iota // from the call: service times
	IntervalIntended                 // from when the operation was due: response times
	IntervalBoth                     // both, the latter in series named Intended-…
)

var intervalNames = [...]string{IntervalOp: "op", IntervalIntended: "intended", IntervalBoth: "both"}

// String returns the value of the property measurement.interval: op, intended or both.
func (i Interval) String() string {
	if int(i) < len(intervalNames) {
		return intervalNames[i]
	}
	return "Interval(" + strconv.Itoa(int(i)) + ")"
}

// MarshalText returns what String does, or an error when i is none of the constants.
func (i Interval) MarshalText() ([]byte, error) {
	if int(i) >= len(intervalNames) {
		return nil, fmt.Errorf("report: unknown %v", i)
	}
	return []byte(i.String()), nil
}

// UnmarshalText reads op, intended or both. A whole number of at least 1 is IntervalOp: in
// property files of go-ycsb the same name has the seconds between two status lines.
func (i *Interval) UnmarshalText(text []byte) error {
	name := strings.TrimSpace(string(text))
	if n := slices.Index(intervalNames[:], name); n >= 0 {
		*i = Interval(n)
		return nil
	}
	if n, err := strconv.ParseUint(name, 10, 32); err != nil || n == 0 {
		return fmt.Errorf("want one of %s, or go-ycsb's seconds, at least 1", strings.Join(intervalNames[:], ", "))
	}
	*i = IntervalOp
	return nil
}
