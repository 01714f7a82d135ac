package workloads

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"

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
	if err := p.Decode(&s); err != nil {
		return nil, err
	}
	if !slices.Contains(coreNames, s.Workload) {
		return nil, p.Fault("workload", fmt.Errorf("unknown workload: have %s (in Java's words %s)",
			coreNames[0], coreNames[1]))
	}
	var c CoreConfig
	if err := p.Decode(&c); err != nil {
		return nil, err
	}
	if err := c.validate(func(key string, err error) error { return p.Fault(key, err) }); err != nil {
		return nil, err
	}
	if _, _, err := c.fieldLengths(); err != nil {
		return nil, p.Fault("fieldlengthhistogram", err)
	}
	return NewCore(c)
}
