package pebble

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// markName is the file that tells a directory of this package's, and mark its text.
const (
	markName = "YCSBKIT"
	mark     = "A Pebble store made by ycsbkit, which may empty it. Layout 1.\n"
)

// directory is a directory of this package's, locked.
type directory struct {
	path      string
	temporary bool
	lock      *pebble.Lock
}

// claim makes a directory its own and locks it, or a temporary one if path is empty.
func claim(path string) (*directory, error) {
	if path == "" {
		return claimTemporary()
	}
	fail := func(err error) (*directory, error) { return nil, fmt.Errorf("pebble.dir %s: %w", path, err) }
	if err := os.MkdirAll(path, 0o755); err != nil {
		return fail(err)
	}
	// Locks hold for a name: two names of one directory must not be two.
	path, err := filepath.Abs(path)
	if err != nil {
		return fail(err)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return fail(err)
	}
	if err := own(path); err != nil {
		return fail(err)
	}
	lock, err := pebble.LockDirectory(path, vfs.Default)
	if err != nil {
		return fail(fmt.Errorf("in use: %w", err))
	}
	return &directory{path: path, lock: lock}, nil
}

func claimTemporary() (*directory, error) {
	path, err := os.MkdirTemp("", "ycsbkit-pebble-")
	if err != nil {
		return nil, err
	}
	d, err := claim(path)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	d.temporary = true
	return d, nil
}

// own puts the mark in a directory that is empty, and returns an error if one that is not has
// none or cannot be written.
func own(path string) error {
	text, err := os.ReadFile(filepath.Join(path, markName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := empty(path); err != nil {
			return err
		}
		return writeMark(path)
	case err != nil:
		return err
	case string(text) != mark:
		return fmt.Errorf("its file %s is not of this version of ycsbkit; it is left alone", markName)
	}
	return writable(path)
}

// empty returns nil for a directory without files.
func empty(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	switch _, err := f.Readdirnames(1); {
	case err == nil:
		return errors.New("not empty and not made by ycsbkit; it is left alone")
	case errors.Is(err, io.EOF):
		return nil
	default:
		return err
	}
}

// writeMark writes the mark in one step: another process finds all of it or nothing.
func writeMark(path string) error {
	f, err := os.CreateTemp(path, markName+"-")
	if err != nil {
		return err
	}
	_, err = f.WriteString(mark)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(path, markName))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// writable returns nil when files can be made in a directory.
func writable(path string) error {
	f, err := os.CreateTemp(path, markName+"-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// release unlocks the directory, and removes it if it is temporary.
func (d *directory) release() error { return errors.Join(d.lock.Close(), d.abandon()) }

// abandon removes the directory if it is temporary, with files open in it.
func (d *directory) abandon() error {
	if d.temporary {
		return os.RemoveAll(d.path)
	}
	return nil
}
