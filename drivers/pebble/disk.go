package pebble

import (
	"errors"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// disk is the file system of a store. Pebble has no good answer to a disk that is full: depending
// on what it writes, it panics in a way that nobody can recover from, notices it much later, or
// tries again for ever while writers wait. So the first error ends the store: the DB takes no more
// operations, and nothing more is written to the disk, as if the machine had crashed. New files
// are made in memory, so that Pebble comes to an end with what it was about and can be closed.
type disk struct {
	vfs.FS
	memory vfs.FS
	db     *DB
}

var errDiskFailed = errors.New("writing failed before")

func newDisk(fs vfs.FS, d *DB) *disk { return &disk{fs, vfs.NewMem(), d} }

// failed tells whether the store has ended.
func (k *disk) failed() bool { return k.db.failure() != nil }

func (k *disk) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return k.create(name, c, func() (vfs.File, error) { return k.FS.Create(name, c) })
}

func (k *disk) ReuseForWrite(oldname, newname string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return k.create(newname, c, func() (vfs.File, error) { return k.FS.ReuseForWrite(oldname, newname, c) })
}

func (k *disk) create(name string, c vfs.DiskWriteCategory, onDisk func() (vfs.File, error)) (vfs.File, error) {
	if !k.failed() {
		f, err := onDisk()
		if err == nil {
			return &file{f, k, filepath.Ext(name) == ".sst"}, nil
		}
		_ = k.db.fail(err)
	}
	return k.memory.Create(k.PathBase(name), c)
}

// OpenDir returns a directory, which is opened to be synced.
func (k *disk) OpenDir(name string) (vfs.File, error) {
	f, err := k.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &file{f, k, false}, nil
}

func (k *disk) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if k.failed() {
		if f, err := k.memory.Open(k.PathBase(name), opts...); err == nil {
			return f, nil
		}
	}
	return k.FS.Open(name, opts...)
}

func (k *disk) Stat(name string) (vfs.FileInfo, error) {
	if k.failed() {
		if info, err := k.memory.Stat(k.PathBase(name)); err == nil {
			return info, nil
		}
	}
	return k.FS.Stat(name)
}

func (k *disk) Remove(name string) error {
	if k.failed() {
		return nil
	}
	return k.FS.Remove(name)
}

// file is a file on disk, or the directory.
type file struct {
	vfs.File
	disk *disk
	// whole is set for tables, which are read again: Pebble is told that one is not
	// complete, and makes another. The log and the like only seem to be written.
	whole bool
}

// do writes to the file, as long as the store has not ended.
func (f *file) do(write func() error) error {
	err := errDiskFailed
	if !f.disk.failed() {
		if err = write(); err == nil {
			return nil
		}
		_ = f.disk.db.fail(err)
	}
	if f.whole {
		return err
	}
	return nil
}

func (f *file) Write(b []byte) (int, error) {
	n := len(b)
	err := f.do(func() (err error) { n, err = f.File.Write(b); return err })
	if err == nil {
		n = len(b)
	}
	return n, err
}

func (f *file) Preallocate(offset, length int64) error {
	return f.do(func() error { return f.File.Preallocate(offset, length) })
}

func (f *file) SyncTo(length int64) (full bool, err error) {
	err = f.do(func() (err error) { full, err = f.File.SyncTo(length); return err })
	return full, err
}

func (f *file) Sync() error     { return f.do(f.File.Sync) }
func (f *file) SyncData() error { return f.do(f.File.SyncData) }
