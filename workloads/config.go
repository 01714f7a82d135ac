package workloads

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb/generator"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// CoreConfig are the parameters of the core workload. Its zero value is of no use: begin with
// what [Default] or [Standard] return. The properties in the tags are those of YCSB.
type CoreConfig struct {
	Table string `prop:"table" default:"usertable" help:"table of the records"`

	RecordCount    int64  `prop:"recordcount,min=1" default:"1000" help:"records in the table when it is loaded"`
	InsertStart    int64  `prop:"insertstart,min=0" default:"0" help:"number of the first record that this client loads and reads"`
	InsertCount    *int64 `prop:"insertcount,min=1" help:"records that this client loads and reads; default recordcount - insertstart"`
	InsertStartRun *int64 `prop:"insertstart.run,min=0" help:"number of the first record that this client inserts in the run phase; default recordcount"`

	FieldCount              int    `prop:"fieldcount,min=1,max=1000000" default:"10" help:"fields of a record"`
	FieldNamePrefix         string `prop:"fieldnameprefix" default:"field" help:"what the numbers of the fields follow in their names"`
	FieldLength             int64  `prop:"fieldlength,min=1,max=1073741824" default:"100" help:"bytes of a value, or the most of them"`
	MinFieldLength          int64  `prop:"minfieldlength,min=0" default:"1" help:"fewest bytes of a value, unless their number is constant"`
	FieldLengthDistribution string `prop:"fieldlengthdistribution,enum=constant|uniform|zipfian|histogram" default:"constant" help:"distribution of the bytes of a value"`
	FieldLengthHistogram    string `prop:"fieldlengthhistogram" default:"hist.txt" help:"file with the histogram of the bytes of a value"`

	ReadAllFields       bool `prop:"readallfields" default:"true" help:"read all fields, not one of them"`
	ReadAllFieldsByName bool `prop:"readallfieldsbyname" default:"false" help:"ask for all fields by their names"`
	WriteAllFields      bool `prop:"writeallfields" default:"false" help:"update all fields, not one of them"`
	DataIntegrity       bool `prop:"dataintegrity" default:"false" help:"write values that depend on key and field, and verify them when they are read"`

	Read            float64 `prop:"readproportion,min=0" default:"0.95" help:"weight of reads"`
	Update          float64 `prop:"updateproportion,min=0" default:"0.05" help:"weight of updates"`
	Insert          float64 `prop:"insertproportion,min=0" default:"0" help:"weight of inserts"`
	Scan            float64 `prop:"scanproportion,min=0" default:"0" help:"weight of scans"`
	ReadModifyWrite float64 `prop:"readmodifywriteproportion,min=0" default:"0" help:"weight of reads with an update of the same record"`
	Delete          float64 `prop:"deleteproportion,min=0" default:"0" help:"weight of deletes"`

	RequestDistribution   string  `prop:"requestdistribution,enum=uniform|zipfian|zipfian_exact|latest|hotspot|exponential|sequential" default:"uniform" help:"distribution of the records that are asked for"`
	ZipfianTheta          float64 `prop:"zipfian.theta,alias=zipfian_const,above=0,max=3" default:"0.99" help:"skew of the zipfian distributions of records; below 1 but for zipfian_exact"`
	HotspotDataFraction   float64 `prop:"hotspotdatafraction,min=0,max=1" default:"0.2" help:"fraction of the records that are hot"`
	HotspotOpFraction     float64 `prop:"hotspotopnfraction,min=0,max=1" default:"0.8" help:"fraction of the operations that go to hot records"`
	ExponentialPercentile float64 `prop:"exponential.percentile,above=0,below=100" default:"95" help:"per cent of the operations that go to the newest exponential.frac of the records"`
	ExponentialFrac       float64 `prop:"exponential.frac,above=0,max=1" default:"0.8571428571" help:"fraction of the records that get exponential.percentile of the operations"`

	MinScanLength          int64  `prop:"minscanlength,min=1" default:"1" help:"fewest records of a scan"`
	MaxScanLength          int64  `prop:"maxscanlength,min=1" default:"1000" help:"most records of a scan"`
	ScanLengthDistribution string `prop:"scanlengthdistribution,enum=uniform|zipfian" default:"uniform" help:"distribution of the records of a scan"`

	InsertOrder string `prop:"insertorder,enum=hashed|ordered" default:"hashed" help:"whether keys hold hashes of the records' numbers or the numbers"`
	ZeroPadding int    `prop:"zeropadding,min=0,max=1000" default:"1" help:"fewest digits in a key"`
	KeyPrefix   string `prop:"keyprefix" default:"user" help:"what keys begin with"`
	KeyHash     string `prop:"keyhash,enum=ycsb|go-ycsb" default:"ycsb" help:"whose hash the keys hold"`

	InsertionRetryLimit     int64         `prop:"core_workload_insertion_retry_limit,min=0" default:"0" help:"times that the load tries a failed insert again"`
	InsertionRetryInterval  time.Duration `prop:"core_workload_insertion_retry_interval,unit=s,min=0" default:"3" help:"time between two tries, times 0.8 to 1.2"`
	KeepGoingOnInsertErrors bool          `prop:"core_workload_insertion_keep_going_on_error" default:"false" help:"count records that cannot be loaded and go on"`

	BatchSize int64 `prop:"batch.size,min=1,max=1000000" default:"1" help:"operations that are sent together"`
}

// Bounds that keep a record in memory; the tags have them too.
const (
	maxFieldCount  = 1_000_000
	maxFieldLength = 1 << 30
	maxPadding     = 1000
	maxBatch       = 1_000_000
	maxBytes       = 1 << 32 // of the values of a worker's batch
)

// maxZipf is the most records that the zipfian distributions can tell apart.
const maxZipf = 1 << 53

// Default returns the parameters that YCSB's core workload has where nothing is set.
func Default() CoreConfig {
	var c CoreConfig
	if err := new(properties.Properties).Decode(&c); err != nil {
		panic("workloads: " + err.Error()) // the tags' own defaults
	}
	return c
}

// Validate reports every fault of the parameters, joined, each with the property it is about.
func (c *CoreConfig) Validate() error {
	return c.validate(func(key string, err error) error { return fmt.Errorf("%s: %w", key, err) })
}

// validate reports every fault, told by what fault makes of it.
func (c *CoreConfig) validate(fault func(key string, err error) error) error {
	var errs []error
	bad := func(isBad bool, key, format string, args ...any) {
		if isBad {
			errs = append(errs, fault(key, fmt.Errorf(format, args...)))
		}
	}
	finite := func(key string, v, lo, hi float64) {
		bad(!(v >= lo && v <= hi), key, "%v: want %v to %v", v, lo, hi)
	}
	bad(c.Table == "", "table", "empty name")
	bad(c.RecordCount < 1, "recordcount", "%d: want at least 1", c.RecordCount)
	bad(c.InsertStart < 0, "insertstart", "%d: want at least 0", c.InsertStart)
	bad(c.InsertStart >= c.RecordCount && c.RecordCount >= 1 && c.InsertCount == nil, "insertstart",
		"insertstart %d leaves nothing of recordcount %d", c.InsertStart, c.RecordCount)
	if c.InsertCount != nil {
		n := *c.InsertCount
		bad(n < 1, "insertcount", "%d: want at least 1", n)
		bad(n >= 1 && c.RecordCount >= 1 && n > c.RecordCount-c.InsertStart, "insertcount",
			"insertstart %d and insertcount %d exceed recordcount %d", c.InsertStart, n, c.RecordCount)
	}
	if c.InsertStartRun != nil {
		bad(*c.InsertStartRun < c.RecordCount && c.RecordCount >= 1, "insertstart.run",
			"insertstart.run %d lies among the records of recordcount %d", *c.InsertStartRun, c.RecordCount)
	}

	bad(c.FieldCount < 1 || c.FieldCount > maxFieldCount, "fieldcount", "%d: want 1 to %d", c.FieldCount, maxFieldCount)
	bad(c.FieldLength < 1 || c.FieldLength > maxFieldLength, "fieldlength", "%d: want 1 to %d", c.FieldLength, maxFieldLength)
	bytes := float64(c.FieldCount) * float64(c.FieldLength) * float64(max(c.BatchSize, 1))
	bad(bytes > maxBytes && len(errs) == 0, "fieldlength", "fieldcount %d, fieldlength %d and batch.size %d take %.3g bytes of each worker: want at most %d",
		c.FieldCount, c.FieldLength, max(c.BatchSize, 1), bytes, int64(maxBytes))
	switch c.FieldLengthDistribution {
	case "constant":
	case "uniform", "zipfian":
		bad(c.MinFieldLength < 0, "minfieldlength", "%d: want at least 0", c.MinFieldLength)
		bad(c.MinFieldLength > c.FieldLength && c.FieldLength >= 1, "minfieldlength",
			"minfieldlength %d exceeds fieldlength %d", c.MinFieldLength, c.FieldLength)
	case "histogram":
		bad(c.FieldLengthHistogram == "", "fieldlengthhistogram", "no file")
	default:
		bad(true, "fieldlengthdistribution", "unknown distribution %q: have constant, uniform, zipfian, histogram", c.FieldLengthDistribution)
	}
	bad(c.DataIntegrity && c.FieldLengthDistribution != "constant", "dataintegrity",
		"needs fieldlengthdistribution constant, not %s", c.FieldLengthDistribution)

	var sum float64
	for _, p := range c.proportions() {
		bad(!(p.weight >= 0) || math.IsInf(p.weight, 0), p.key, "%v: want a finite number of at least 0", p.weight)
		sum += p.weight
	}
	bad(sum == 0, "readproportion", "all proportions are 0: nothing to do")
	bad(math.IsInf(sum, 0), "readproportion", "the proportions add up to more than a number holds")
	bad((strings.HasPrefix(c.RequestDistribution, "zipfian") || c.RequestDistribution == "latest") && c.insertCount() > maxZipf, "recordcount",
		"%d records: want at most %d for requestdistribution %s", c.insertCount(), int64(maxZipf), c.RequestDistribution)

	switch c.RequestDistribution {
	case "zipfian", "latest":
		bad(!(c.ZipfianTheta > 0 && c.ZipfianTheta < 1), "zipfian.theta",
			"%v: want more than 0 and less than 1 for requestdistribution %s (zipfian_exact takes up to 3)", c.ZipfianTheta, c.RequestDistribution)
	case "zipfian_exact":
		bad(!(c.ZipfianTheta > 0 && c.ZipfianTheta <= 3), "zipfian.theta", "%v: want more than 0 and at most 3", c.ZipfianTheta)
	case "hotspot":
		finite("hotspotdatafraction", c.HotspotDataFraction, 0, 1)
		finite("hotspotopnfraction", c.HotspotOpFraction, 0, 1)
	case "exponential":
		bad(!(c.ExponentialPercentile > 0 && c.ExponentialPercentile < 100), "exponential.percentile",
			"%v: want more than 0 and less than 100", c.ExponentialPercentile)
		bad(!(c.ExponentialFrac > 0 && c.ExponentialFrac <= 1), "exponential.frac", "%v: want more than 0 and at most 1", c.ExponentialFrac)
	case "uniform", "sequential":
	default:
		bad(true, "requestdistribution",
			"unknown distribution %q: have uniform, zipfian, zipfian_exact, latest, hotspot, exponential, sequential", c.RequestDistribution)
	}

	bad(c.MinScanLength < 1, "minscanlength", "%d: want at least 1", c.MinScanLength)
	bad(c.MaxScanLength < 1 || c.MaxScanLength > math.MaxInt32, "maxscanlength", "%d: want 1 to %d", c.MaxScanLength, math.MaxInt32)
	bad(c.MinScanLength > c.MaxScanLength && c.MaxScanLength >= 1, "minscanlength",
		"minscanlength %d exceeds maxscanlength %d", c.MinScanLength, c.MaxScanLength)
	bad(c.ScanLengthDistribution != "uniform" && c.ScanLengthDistribution != "zipfian", "scanlengthdistribution",
		"unknown distribution %q: have uniform, zipfian", c.ScanLengthDistribution)
	bad(c.InsertOrder != "hashed" && c.InsertOrder != "ordered", "insertorder", "unknown order %q: have hashed, ordered", c.InsertOrder)
	bad(c.KeyHash != "ycsb" && c.KeyHash != "go-ycsb", "keyhash", "unknown hash %q: have ycsb, go-ycsb", c.KeyHash)
	bad(c.ZeroPadding < 0 || c.ZeroPadding > maxPadding, "zeropadding", "%d: want 0 to %d", c.ZeroPadding, maxPadding)
	bad(c.InsertionRetryLimit < 0, "core_workload_insertion_retry_limit", "%d: want at least 0", c.InsertionRetryLimit)
	bad(c.InsertionRetryInterval < 0, "core_workload_insertion_retry_interval", "%v: want at least 0", c.InsertionRetryInterval)
	bad(c.BatchSize < 0 || c.BatchSize > maxBatch, "batch.size", "%d: want 1 to %d", c.BatchSize, maxBatch)
	return errors.Join(errs...)
}

// proportion is the weight of an operation.
type proportion struct {
	key    string
	op     operation
	weight float64
}

func (c *CoreConfig) proportions() []proportion {
	return []proportion{
		{"readproportion", opRead, c.Read},
		{"updateproportion", opUpdate, c.Update},
		{"insertproportion", opInsert, c.Insert},
		{"scanproportion", opScan, c.Scan},
		{"readmodifywriteproportion", opReadModifyWrite, c.ReadModifyWrite},
		{"deleteproportion", opDelete, c.Delete},
	}
}

// insertCount returns the records that the client loads and reads.
func (c *CoreConfig) insertCount() int64 {
	if c.InsertCount != nil {
		return *c.InsertCount
	}
	return c.RecordCount - c.InsertStart
}

// insertStartRun returns the number of the first record of the run phase.
func (c *CoreConfig) insertStartRun() int64 {
	if c.InsertStartRun != nil {
		return *c.InsertStartRun
	}
	return c.RecordCount
}

// insertShare returns the fraction of inserts among the operations.
func (c *CoreConfig) insertShare() float64 {
	if c.normal() { // rounding of the sum moves every record of the zipfian distributions
		return c.Insert
	}
	return c.Insert / c.weights()
}

// normal tells whether the proportions add up to 1.
func (c *CoreConfig) normal() bool { return math.Abs(c.weights()-1) <= 1e-6 }

// weights returns the sum of the proportions.
func (c *CoreConfig) weights() (sum float64) {
	for _, p := range c.proportions() {
		sum += p.weight
	}
	return sum
}

// keyNames returns what builds the keys.
func (c *CoreConfig) keyNames() generator.KeyNames {
	k := generator.KeyNames{Prefix: c.KeyPrefix, Padding: c.ZeroPadding}
	switch {
	case c.InsertOrder == "ordered":
		k.Order = generator.Ordered
	case c.KeyHash == "go-ycsb":
		k.Order = generator.HashedGoYCSB
	}
	return k
}

// fieldLengths returns the source of the values' lengths, nil when they are constant, and the
// greatest length.
func (c *CoreConfig) fieldLengths() (generator.Source, int64, error) {
	lo, hi := uint64(c.MinFieldLength), uint64(c.FieldLength)
	switch c.FieldLengthDistribution {
	case "uniform":
		s, err := generator.Uniform(lo, hi)
		return s, c.FieldLength, err
	case "zipfian":
		s, err := generator.Zipfian(lo, hi, generator.Theta)
		return s, c.FieldLength, err
	case "histogram":
		f, err := os.Open(c.FieldLengthHistogram)
		if err != nil {
			return nil, 0, err
		}
		h, err := generator.ParseHistogram(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", c.FieldLengthHistogram, err)
		}
		if h.Max() > maxFieldLength {
			return nil, 0, fmt.Errorf("%s: length %d: want at most %d", c.FieldLengthHistogram, h.Max(), maxFieldLength)
		}
		return h, int64(h.Max()), nil
	}
	return nil, c.FieldLength, nil
}

// scanLengths returns the source of the scans' lengths.
func (c *CoreConfig) scanLengths() (generator.Source, error) {
	lo, hi := uint64(c.MinScanLength), uint64(c.MaxScanLength)
	if c.ScanLengthDistribution == "zipfian" {
		return generator.Zipfian(lo, hi, generator.Theta)
	}
	return generator.Uniform(lo, hi)
}
