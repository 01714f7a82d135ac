package workloads

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

//go:embed workloada workloadb workloadc workloadd workloade workloadf
var files embed.FS

const filePrefix = "workload"

// Standards returns the names of the standard mixes: a to f.
func Standards() []string { return []string{"a", "b", "c", "d", "e", "f"} }

// File returns the property file of a standard mix, named as in YCSB: "workloada". There is
// none by another name.
func File(name string) ([]byte, bool) {
	b, err := files.ReadFile(name)
	return b, err == nil
}

// Standard returns the parameters of a standard mix: "a" to "f", or "workloada" to "workloadf".
func Standard(name string) (CoreConfig, error) {
	name = strings.TrimPrefix(name, filePrefix)
	text, ok := File(filePrefix + name)
	if !ok {
		return CoreConfig{}, fmt.Errorf("workloads: unknown standard workload %q: have %s", name, strings.Join(Standards(), ", "))
	}
	p, err := properties.Parse(bytes.NewReader(text), filePrefix+name)
	if err != nil {
		return CoreConfig{}, err
	}
	var c CoreConfig
	if err := p.Decode(&c); err != nil {
		return CoreConfig{}, err
	}
	return c, nil
}

// Names returns the values of the workload property that [Open] knows, without the class names
// that stand for them in Java.
func Names() []string { return []string{"core"} }

var coreNames = []string{"core", "site.ycsb.workloads.CoreWorkload", "com.yahoo.ycsb.workloads.CoreWorkload"}

// settings are the properties that choose a workload.
type settings struct {
	Workload string `prop:"workload" default:"core" help:"the workload"`
}

// Open returns the workload that the properties describe: the core workload with their
// parameters. It reports all faults, with file and line, joined.
func Open(p *properties.Properties) (ycsb.Workload, error) {
	var s settings
	err := p.Decode(&s)
	if err == nil && !slices.Contains(coreNames, strings.TrimSpace(s.Workload)) {
		err = p.Fault("workload", fmt.Errorf("unknown workload: have %s (in Java's words %s)", coreNames[0], coreNames[1]))
	}
	c, coreErr := decode(p)
	if err := errors.Join(err, coreErr); err != nil {
		return nil, err
	}
	return NewCore(c)
}

// decode returns the parameters of the core workload, or all faults of the properties, joined.
func decode(p *properties.Properties) (CoreConfig, error) {
	c := Default()
	c.RecordCount, c.FieldLength, c.MaxScanLength = 0, 0, 0 // no bounds to others when they are bad
	told := p.Decode(&c)
	fault := func(key string, err error) error { // one of each setting
		if !p.Faulty(told, key) {
			told = errors.Join(told, p.Fault(key, err))
		}
		return nil
	}
	_ = c.validate(fault) // which has told all
	if c.FieldLengthDistribution == "histogram" {
		if _, _, err := c.fieldLengths(); err != nil {
			_ = fault("fieldlengthhistogram", err)
		}
	}
	return c, told
}

// standards returns the parameters of the standard mixes in the order of [Standards].
var standards = sync.OnceValue(func() (all []CoreConfig) {
	for _, name := range Standards() {
		c, err := Standard(name)
		if err != nil {
			panic("workloads: " + err.Error()) // our own files
		}
		all = append(all, c)
	}
	return all
})

// name returns the standard mix whose operations and distribution the parameters have, or "core".
func (c *CoreConfig) name() string {
	for i, s := range standards() {
		if slices.Equal(s.proportions(), c.proportions()) && s.RequestDistribution == c.RequestDistribution {
			return Standards()[i]
		}
	}
	return coreNames[0]
}
