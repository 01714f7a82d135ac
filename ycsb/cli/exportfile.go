package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/report"
)

// checkExport returns an error if a file cannot be written. It makes none and changes none.
func checkExport(name string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		dir := filepath.Dir(name)
		if info, err = os.Stat(dir); err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is no directory", dir)
		}
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("is a directory")
	case !info.Mode().IsRegular(): // opening a pipe would wait
		return nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// exportFile is the file for the results: open since before the first operation, so that they
// cannot fail to be written for a reason that was there before. What was in it stays until
// there are results.
type exportFile struct {
	f       *os.File
	isNew   bool
	written bool
}

func openExport(name string) (*exportFile, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		return &exportFile{f: f, isNew: true}, nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	// A pipe that nobody reads is an error, and nothing to wait for.
	if f, err = os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0); err != nil {
		return nil, err
	}
	return &exportFile{f: f}, nil
}

// write replaces what is in the file.
func (e *exportFile) write(w report.Writer, results []*ycsb.Result) error {
	e.written = true
	if info, err := e.f.Stat(); err != nil {
		return err
	} else if info.Mode().IsRegular() {
		if err := e.f.Truncate(0); err != nil {
			return err
		}
	}
	return w(e.f, results...)
}

// Close closes the file, and removes it if nothing was there and nothing was written.
func (e *exportFile) Close() error {
	err := e.f.Close()
	if e.isNew && !e.written {
		err = errors.Join(err, os.Remove(e.f.Name()))
	}
	return err
}
