// Package report writes what a phase measured, for people and in the formats that tools for
// YCSB read.
//
// A report is a function of [ycsb.Result] values and of nothing else: what it needs to know
// besides, such as which percentiles to print, it reads from Result.Settings, under the names
// of the properties in [Config]. Writers may be called concurrently. They write the whole
// report with one call of Write and return its error.
package report

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// Writer writes results in one format, one after the other. It changes none of them. A nil
// result is an error, and so is a setting that the format needs and cannot read; then nothing
// is written.
type Writer func(w io.Writer, results ...*ycsb.Result) error

var (
	_ Writer = Text
	_ Writer = YCSB
	_ Writer = YCSBJSON
	_ Writer = JSON
)

// formats returns the writers by their short names.
func formats() map[string]Writer {
	return map[string]Writer{"text": Text, "ycsb": YCSB, "ycsb-json": YCSBJSON, "json": JSON}
}

// exporters returns the writers that stand for classes of Java YCSB, by the names of these
// without their package.
func exporters() map[string]Writer {
	return map[string]Writer{
		"TextMeasurementsExporter":      YCSB,
		"JSONMeasurementsExporter":      YCSBJSON,
		"JSONArrayMeasurementsExporter": YCSBJSON,
	}
}

// exporterPackages are the packages in which versions of Java YCSB have their exporters.
var exporterPackages = []string{"site.ycsb.measurements.exporter.", "com.yahoo.ycsb.measurements.exporter."}

// Formats returns the names that Lookup knows, those of Java's classes last and in their newer
// package only.
func Formats() []string {
	names := slices.Sorted(maps.Keys(formats()))
	for _, class := range slices.Sorted(maps.Keys(exporters())) {
		names = append(names, exporterPackages[0]+class)
	}
	return names
}

// Lookup returns the writer of a format: of text, ycsb, ycsb-json or json, or of one of Java
// YCSB's exporter classes, with its package. For any other name the error lists those there
// are.
func Lookup(name string) (Writer, error) {
	if f, ok := formats()[name]; ok {
		return f, nil
	}
	for _, pkg := range exporterPackages {
		if class, ok := strings.CutPrefix(name, pkg); ok {
			if f, ok := exporters()[class]; ok {
				return f, nil
			}
		}
	}
	return nil, fmt.Errorf("report: unknown format %q: there are %s", name, strings.Join(Formats(), ", "))
}

// check returns an error when a result is nil.
func check(results []*ycsb.Result) error {
	for i, r := range results {
		if r == nil {
			return fmt.Errorf("report: result %d is nil", i+1)
		}
	}
	return nil
}

// each writes what appendTo makes of every result, with one call of Write.
func each(w io.Writer, results []*ycsb.Result, appendTo func(b []byte, r *ycsb.Result) ([]byte, error)) error {
	if err := check(results); err != nil {
		return err
	}
	var b []byte
	var errs []error
	for _, r := range results {
		var err error
		b, err = appendTo(b, r)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return write(w, b)
}

// write writes b, if there is anything to write.
func write(w io.Writer, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}
