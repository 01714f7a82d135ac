package ycsb

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// Driver opens databases of one kind by properties. Its methods are safe for concurrent use.
type Driver interface {
	// Config returns a pointer to a fresh struct with prop tags (see package properties),
	// from which come help, the names of the driver's properties and their validation. It
	// is nil for a driver without properties.
	Config() any

	// Open opens the database that p describes. It checks all properties, and touches
	// nothing when one of them is wrong. The caller closes the DB.
	Open(ctx context.Context, p *properties.Properties) (DB, error)
}

// DriverFunc is a [Driver] without properties of its own.
type DriverFunc func(ctx context.Context, p *properties.Properties) (DB, error)

// Config returns nil.
func (f DriverFunc) Config() any { return nil }

// Open calls f.
func (f DriverFunc) Open(ctx context.Context, p *properties.Properties) (DB, error) {
	return f(ctx, p)
}

// NewDriver returns a [Driver] whose properties are the prop tags of C: open is called with
// a C decoded from the properties, when all of them were right.
func NewDriver[C any](open func(ctx context.Context, c C) (DB, error)) Driver {
	return configDriver[C]{open}
}

type configDriver[C any] struct {
	open func(context.Context, C) (DB, error)
}

func (d configDriver[C]) Config() any { return new(C) }

func (d configDriver[C]) Open(ctx context.Context, p *properties.Properties) (DB, error) {
	var c C
	if err := p.Decode(&c); err != nil {
		return nil, err
	}
	return d.open(ctx, c)
}

var registry struct {
	sync.RWMutex
	drivers map[string]Driver
}

// Register makes a driver available by name. Packages of drivers call it from init. It panics
// when d is nil or the name is empty or taken.
func Register(name string, d Driver) {
	registry.Lock()
	defer registry.Unlock()
	switch {
	case name == "":
		panic("ycsb: Register: empty name")
	case d == nil:
		panic("ycsb: Register: driver " + name + " is nil")
	case registry.drivers[name] != nil:
		panic("ycsb: Register: driver " + name + " registered twice")
	case registry.drivers == nil:
		registry.drivers = make(map[string]Driver)
	}
	registry.drivers[name] = d
}

// Drivers returns the names of the registered drivers in ascending order.
func Drivers() []string {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Sorted(maps.Keys(registry.drivers))
}

// LookupDriver returns the driver registered under name, or an error that lists what there is.
func LookupDriver(name string) (Driver, error) {
	registry.RLock()
	d := registry.drivers[name]
	registry.RUnlock()
	if d == nil {
		have := "none is imported"
		if names := Drivers(); len(names) > 0 {
			have = "have " + strings.Join(names, ", ")
		}
		return nil, fmt.Errorf("ycsb: unknown driver %q: %s", name, have)
	}
	return d, nil
}

// Open opens a database with the driver registered under name. A nil p means the driver's
// defaults. The caller closes the DB.
func Open(ctx context.Context, name string, p *properties.Properties) (DB, error) {
	d, err := LookupDriver(name)
	if err != nil {
		return nil, err
	}
	if p == nil {
		p = new(properties.Properties)
	}
	db, err := d.Open(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return db, nil
}
