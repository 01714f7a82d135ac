// Package pebble is a driver for Pebble, the embedded key-value store. It is registered as
// "pebble".
//
// Pebble knows keys and values only; the driver lays records over them. A record's key is the
// table's name, after its length, and the key; its value holds the names and values of the
// fields. An update reads the record, replaces fields and writes it back, and an insert looks
// whether the key is taken, which no other worker's write to the same key can come between.
//
// What a write waits for is Pebble's own default: its log is synced. [Config] says what else
// there is, and [DB.Describe] what was measured. Pebble's calls cannot be cancelled: a context is
// looked at before an operation and between the records of a scan.
//
// The driver makes its directories itself and puts a file named YCSBKIT in them. It opens no
// other directory that is not empty.
package pebble

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

func init() { ycsb.Register("pebble", ycsb.NewDriver(connect)) }

// connect is Open for the registry.
func connect(ctx context.Context, c Config) (ycsb.DB, error) {
	d, err := Open(ctx, c)
	if err != nil {
		return nil, err // not a nil *DB
	}
	return d, nil
}

// Config says where a store is and how it works. The zero Config is a store in a temporary
// directory with Pebble's own defaults.
type Config struct {
	// Dir is the directory of the store. It is made if it does not exist, else it has to be
	// empty or one that this package made before. Without one, Close removes what was stored.
	Dir string `prop:"pebble.dir" help:"directory of the store; without one it is temporary and removed at the end"`

	// NoSync lets writes return before the log is synced.
	NoSync bool `prop:"pebble.nosync" default:"false" help:"writes do not wait until the log is synced: the latest are lost in a crash"`

	// DisableWAL does without a log, and so without syncing it.
	DisableWAL bool `prop:"pebble.disablewal" default:"false" help:"writes are not logged: what was not flushed is lost in a crash"`

	// Insert says what an insert does: "insert" looks for a record that has the key, and
	// returns ErrExists if there is one; "upsert" replaces it, without a look. "" is insert.
	Insert string `prop:"pebble.insert,enum=insert|upsert" default:"insert" help:"what an insert does with a key that is taken: insert fails, upsert replaces"`

	// CacheSize is the size of the block cache in bytes. 0 is Pebble's default, 8 MiB.
	CacheSize int64 `prop:"pebble.cachesize,min=65536" default:"8388608" help:"bytes of the block cache"`

	// MemTableSize is the size at which a memtable is flushed, in bytes. 0 is Pebble's
	// default, 4 MiB.
	MemTableSize int64 `prop:"pebble.memtablesize,min=65536,max=2147483647" default:"4194304" help:"bytes of a memtable"`

	// BloomBits is the number of bits a key in the Bloom filters. 0 is Pebble's default:
	// there are no filters.
	BloomBits int `prop:"pebble.bloombits,min=0,max=64" default:"0" help:"bits a key in the Bloom filters; 0 is none, 10 is usual"`

	// Compression is that of the blocks on disk: "none", "snappy" or "zstd". "" is Pebble's
	// default, snappy.
	Compression string `prop:"pebble.compression,enum=none|snappy|zstd" default:"snappy" help:"compression of the blocks on disk"`

	// MaxOpenFiles is the number of files that Pebble keeps open. 0 is Pebble's default,
	// 1000.
	MaxOpenFiles int `prop:"pebble.maxopenfiles,min=16,max=1000000" default:"1000" help:"files that are kept open"`

	// Logger is told what Pebble does in the background, at level debug, and what goes
	// wrong there. nil is none.
	Logger *slog.Logger
}

// complete returns c with the defaults of the tags for what is zero, or the faults of what is
// out of their bounds.
func (c Config) complete() (Config, error) {
	p := properties.New()
	zero := properties.Encode(Config{})
	for _, set := range properties.Encode(c) {
		if !slices.Contains(zero, set) {
			p.Set(set.Key, set.Value)
		}
	}
	err := p.Decode(&c)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, err
}

// options returns Pebble's options for c. The caller gives up the cache.
func (c Config) options() *pebble.Options {
	o := &pebble.Options{
		Cache:        pebble.NewCache(c.CacheSize),
		DisableWAL:   c.DisableWAL,
		MemTableSize: uint64(c.MemTableSize),
		MaxOpenFiles: c.MaxOpenFiles,
	}
	o.EnsureDefaults() // makes the levels
	for i := range o.Levels {
		level := &o.Levels[i]
		if c.BloomBits > 0 {
			level.FilterPolicy = bloom.FilterPolicy(c.BloomBits)
		}
		switch c.Compression {
		case "none":
			always(&level.Compression, block.NoCompression)
		case "snappy":
			always(&level.Compression, block.SnappyCompression)
		case "zstd":
			always(&level.Compression, block.ZstdCompression)
		}
	}
	return o
}

// always sets f to a function that returns v, whose type differs between versions of Pebble.
func always[T any](f *func() T, v T) { *f = func() T { return v } }

// durability says what an acknowledged write survives.
func (c Config) durability() string {
	switch {
	case c.DisableWAL:
		return "DisableWAL: not logged, lost in a crash of the process unless flushed"
	case c.NoSync:
		return "NoSync: not synced, the latest writes are lost in a crash"
	default:
		return "Sync: logged and synced before a write returns"
	}
}

// stripes is how many locks there are for keys.
const stripes = 1024

// DB is a Pebble store that holds records. Its methods are safe for concurrent use.
type DB struct {
	store  *pebble.DB
	write  *pebble.WriteOptions
	upsert bool
	info   ycsb.Info
	dir    *directory // nil with a store of somebody else's
	lossy  bool       // closing loses what was not flushed
	log    *slog.Logger

	seed  maphash.Seed
	locks [stripes]sync.Mutex // held from reading a record until its new value is visible

	over   atomic.Pointer[error] // why there are no more operations; nil as long as there are
	once   sync.Once             // of the first failure
	failed chan struct{}         // closed when the store failed
	cause  error                 // why; read after failed was closed
	stuck  atomic.Bool           // Pebble's locks may be held for ever
	closed atomic.Bool
}

var (
	_ ycsb.DB        = (*DB)(nil)
	_ ycsb.Preparer  = (*DB)(nil)
	_ ycsb.Truncater = (*DB)(nil)
	_ ycsb.Syncer    = (*DB)(nil)
	_ ycsb.Sizer     = (*DB)(nil)
	_ ycsb.Compacter = (*DB)(nil)
	_ ycsb.Counter   = (*DB)(nil)
	_ ycsb.Describer = (*DB)(nil)
)

var (
	errClosed     = errors.New("the store is closed")
	errConnClosed = errors.New("the connection is closed")
)

// Open opens the store that c describes, or makes it. Settings out of bounds, a directory that
// is not this package's, that cannot be written, or that another process uses, are errors,
// before anything was touched.
//
// When Pebble finds that it cannot go on, which is when writing its files fails, the operation
// under way and all later ones return an error that ends the phase (see [ycsb.Fatal]).
func Open(ctx context.Context, c Config) (*DB, error) { return open(ctx, c, vfs.Default) }

// open is Open in a file system that may fail; the directory itself is in the true one.
func open(ctx context.Context, c Config, fs vfs.FS) (*DB, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	dir, err := claim(c.Dir)
	if err != nil {
		return nil, err
	}
	d := newDB(c)
	d.dir, d.lossy = dir, c.DisableWAL && !dir.temporary
	for _, p := range properties.Encode(&c) {
		d.info.Settings[p.Key] = p.Value
	}
	o := c.options()
	o.FS, o.Lock, o.Logger, o.EventListener = newDisk(fs, d), dir.lock, &logger{d}, d.listener()
	defer o.Cache.Unref() // the store has its own reference
	if err := d.open(dir.path, o); err != nil {
		return nil, errors.Join(fmt.Errorf("pebble.dir %s: %w", dir.path, err), dir.release())
	}
	return d, nil
}

func (d *DB) open(path string, o *pebble.Options) (err error) {
	defer d.contain(&err)
	if d.store, err = pebble.Open(path, o); err != nil {
		return err
	}
	if err := d.ended(); err != nil {
		return errors.Join(err, d.store.Close())
	}
	return nil
}

// New returns a DB that keeps its records in a store of the caller's, among whatever else is
// there. Of c only NoSync, DisableWAL, Insert and Logger count, and DisableWAL has to be what the
// store was opened with. The caller closes the store, after the DB, and makes no second DB for it:
// the workers of two could overwrite each other's updates.
func New(store *pebble.DB, c Config) (*DB, error) {
	if store == nil {
		return nil, errors.New("no store")
	}
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	d := newDB(c)
	d.store = store
	return d, nil
}

func newDB(c Config) *DB {
	return &DB{
		write: &pebble.WriteOptions{Sync: !c.NoSync && !c.DisableWAL}, upsert: c.Insert == "upsert", log: c.Logger,
		seed: maphash.MakeSeed(), failed: make(chan struct{}),
		info: ycsb.Info{
			Product: "Pebble", Version: version(), Topology: "embedded", Durability: c.durability(),
			Settings: map[string]string{"pebble.insert": c.Insert},
		},
	}
}

// version returns the version of Pebble in the program, "" if it does not say so.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == "github.com/cockroachdb/pebble/v2" {
			for m.Replace != nil {
				m = m.Replace
			}
			return m.Version
		}
	}
	return ""
}

// Conn returns a connection.
func (d *DB) Conn(ctx context.Context, _ int) (ycsb.Conn, error) {
	if err := d.check(ctx); err != nil {
		return nil, err
	}
	return &conn{db: d, batch: d.store.NewBatch()}, nil
}

// check returns the error of an operation that need not begin.
func (d *DB) check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return d.ended()
}

// ended returns why there are no more operations, nil as long as there are.
func (d *DB) ended() error {
	if err := d.over.Load(); err != nil {
		return *err
	}
	return nil
}

// fail notes that the store cannot go on, and why, and returns the error of all operations from
// now on.
func (d *DB) fail(cause error) error {
	d.once.Do(func() {
		d.cause = ycsb.Fatal(fmt.Errorf("the store cannot go on: %w", cause))
		d.over.CompareAndSwap(nil, &d.cause)
		close(d.failed)
		d.log.Error("pebble: " + d.cause.Error())
	})
	return d.cause
}

// failure returns what fail did, nil if it was not called.
func (d *DB) failure() error {
	select {
	case <-d.failed:
		return d.cause
	default:
		return nil
	}
}

// contain is deferred around calls that leave Pebble's locks held when they panic.
func (d *DB) contain(err *error) {
	if v := recover(); v != nil {
		d.stuck.Store(true)
		*err = d.fail(fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
	}
}

// Prepare marks a table without records as one that may be emptied.
func (d *DB) Prepare(ctx context.Context, s ycsb.Schema) error {
	if err := d.check(ctx); err != nil {
		return err
	}
	marked, err := d.marked(s.Table)
	if err != nil || marked {
		return err
	}
	if n, err := d.count(ctx, s.Table, 1); err != nil || n > 0 {
		return err
	}
	return d.commit(func(b *pebble.Batch) error { return b.Set(markKey(s.Table), nil, nil) })
}

func (d *DB) marked(table string) (bool, error) {
	_, closer, err := d.store.Get(markKey(table))
	switch {
	case err == nil:
		return true, closer.Close()
	case errors.Is(err, pebble.ErrNotFound):
		return false, nil
	}
	return false, translate(err)
}

// Truncate deletes the records of a table, or returns an error if Prepare did not mark it. The
// space that they took is free after Pebble's next compactions.
func (d *DB) Truncate(ctx context.Context, table string) error {
	if err := d.check(ctx); err != nil {
		return err
	}
	marked, err := d.marked(table)
	if err != nil {
		return err
	}
	if !marked {
		return fmt.Errorf("table %q was not made by ycsbkit: its records are left alone", table)
	}
	for i := range d.locks { // in the order in which a batch takes them
		d.locks[i].Lock()
		defer d.locks[i].Unlock()
	}
	start, end := bounds(table)
	return d.commit(func(b *pebble.Batch) error { return b.DeleteRange(start, end, nil) })
}

// commit applies what fill puts in a batch.
func (d *DB) commit(fill func(b *pebble.Batch) error) error {
	b := d.store.NewBatch()
	if err := fill(b); err != nil {
		return errors.Join(err, b.Close())
	}
	if err := d.apply(b); err != nil {
		return err
	}
	if err := d.wait(b); err != nil {
		return err
	}
	return b.Close()
}

// apply makes the writes in b visible. The caller calls wait before it uses b again, and may
// give up locks before: Pebble syncs its log in the order of the writes, so that no later write
// survives this one.
func (d *DB) apply(b *pebble.Batch) (err error) {
	defer d.contain(&err)
	if d.write.Sync {
		err = d.store.ApplyNoSyncWait(b, d.write)
	} else {
		err = d.store.Apply(b, d.write)
	}
	if err != nil {
		return translate(err)
	}
	return d.ended() // Pebble logs the error and returns nil when it cannot go on
}

// wait waits until the writes in b, which were applied, are as durable as they are to be.
func (d *DB) wait(b *pebble.Batch) error {
	if !d.write.Sync {
		return nil
	}
	if err := b.SyncWait(); err != nil {
		return d.fail(err)
	}
	return d.ended() // see disk
}

// Sync writes the memtables to disk, synced, whatever the log is like.
func (d *DB) Sync(ctx context.Context) error {
	if err := d.check(ctx); err != nil {
		return err
	}
	return d.flush(ctx)
}

// flush writes the memtables to disk. A flush that fails is tried again by Pebble, for ever.
func (d *DB) flush(ctx context.Context) (err error) {
	defer d.contain(&err)
	done, err := d.store.AsyncFlush()
	if err != nil {
		return translate(err)
	}
	select {
	case <-done:
		return nil
	case <-d.failed:
		return d.cause
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Size returns Pebble's estimate of the bytes on disk of a table, after what is in memory was
// written there. There are no indexes.
func (d *DB) Size(ctx context.Context, table string) (ycsb.Size, error) {
	if err := d.Sync(ctx); err != nil {
		return ycsb.Size{}, err
	}
	// The estimate counts the blocks at the bounds, which may be other tables'.
	if marked, err := d.marked(table); err != nil {
		return ycsb.Size{}, err
	} else if n, err := d.count(ctx, table, 1); err != nil || n == 0 && !marked {
		return ycsb.Size{}, err
	}
	n, err := d.store.EstimateDiskUsage(bounds(table))
	if err != nil {
		return ycsb.Size{}, translate(err)
	}
	return ycsb.Size{Storage: int64(n), Data: -1}, nil
}

// Compact compacts the key range of a table, on all levels.
func (d *DB) Compact(ctx context.Context, table string) error {
	if err := d.check(ctx); err != nil {
		return err
	}
	start, end := bounds(table)
	// The method got a context in Pebble 2.1.
	switch c := any(d.store).(type) {
	case interface {
		Compact(ctx context.Context, start, end []byte, parallelize bool) error
	}:
		return translate(c.Compact(ctx, start, end, true))
	case interface {
		Compact(start, end []byte, parallelize bool) error
	}:
		return translate(c.Compact(start, end, true))
	}
	return ycsb.ErrUnsupported
}

// Count counts the records of a table by reading all keys.
func (d *DB) Count(ctx context.Context, table string) (int64, error) {
	if err := d.check(ctx); err != nil {
		return 0, err
	}
	return d.count(ctx, table, -1)
}

// count counts up to limit records, all of them if it is negative.
func (d *DB) count(ctx context.Context, table string, limit int64) (n int64, err error) {
	start, end := bounds(table)
	it, err := d.store.NewIter(&pebble.IterOptions{LowerBound: start, UpperBound: end})
	if err != nil {
		return 0, translate(err)
	}
	for ok := it.First(); ok; ok = n != limit && ctx.Err() == nil && it.Next() {
		n++
	}
	if err := errors.Join(translate(it.Close()), ctx.Err()); err != nil {
		return 0, err
	}
	return n, nil
}

// Describe tells the version of Pebble, what an acknowledged write survives, and the settings.
func (d *DB) Describe(ctx context.Context) (ycsb.Info, error) {
	if err := d.check(ctx); err != nil {
		return ycsb.Info{}, err
	}
	info := d.info
	info.Settings = maps.Clone(info.Settings)
	info.Settings["format"] = d.store.FormatMajorVersion().String()
	return info, nil
}

// Temporary tells whether Close removes what was stored.
func (d *DB) Temporary() bool { return d.dir != nil && d.dir.temporary }

// Close closes the store, unless it is somebody else's, and removes it if it is temporary. The
// store stays open, and its directory in use until the process ends, if Pebble has panicked: it
// might wait for its own locks for ever.
func (d *DB) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	told := d.failure() // by an operation
	var lost error
	if d.lossy && told == nil {
		lost = d.flush(context.Background())
	}
	gone := errClosed
	d.over.CompareAndSwap(nil, &gone)
	switch {
	case d.dir == nil:
		return nil
	case d.stuck.Load():
		return d.dir.abandon()
	}
	err := d.store.Close()
	if told == nil && d.failure() != nil {
		lost = d.failure()
	}
	return errors.Join(lost, err, d.dir.release())
}

// translate returns err as an error of package ycsb where one fits.
func translate(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pebble.ErrNotFound):
		return ycsb.ErrNotFound
	case pebble.IsCorruptionError(err):
		return fmt.Errorf("%w: %w", ycsb.ErrCorrupt, err)
	}
	return err
}

// logger passes on what Pebble says.
type logger struct{ db *DB }

func (l *logger) Infof(format string, args ...any) {
	if l.db.log.Enabled(context.Background(), slog.LevelDebug) {
		l.db.log.Debug("pebble: " + fmt.Sprintf(format, args...))
	}
}

func (l *logger) Errorf(format string, args ...any) {
	l.db.log.Error("pebble: " + fmt.Sprintf(format, args...))
}

// Fatalf is called when Pebble cannot go on. It returns, and so does the caller, most often as
// if all were well: see apply.
func (l *logger) Fatalf(format string, args ...any) { _ = l.db.fail(fmt.Errorf(format, args...)) }

// listener hears of flushes and compactions that fail, and of all else that goes on if it is to be
// logged.
func (d *DB) listener() *pebble.EventListener {
	var l pebble.EventListener
	if d.log.Enabled(context.Background(), slog.LevelDebug) {
		l = pebble.MakeLoggingEventListener(&logger{d})
	}
	l.BackgroundError = func(err error) {
		if !errors.Is(err, pebble.ErrCancelledCompaction) {
			_ = d.fail(err)
		}
	}
	return &l
}
