package pebble

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
	"github.com/ycsbkit/ycsbkit/ycsb/ycsbtest"
)

func TestConformance(t *testing.T) {
	tests := []struct {
		name   string
		config Config
		dir    bool // a directory is given
	}{
		{"temporary", Config{}, false},
		{"sync", Config{}, true},
		{"nosync", Config{NoSync: true, BloomBits: 10, Compression: "zstd"}, true},
		{"nowal", Config{DisableWAL: true, Compression: "none"}, true},
		{"upsert", Config{Insert: "upsert", NoSync: true, MemTableSize: 1 << 16}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ycsbtest.Suite{
				Open: func(t testing.TB) ycsb.DB {
					c := test.config
					if test.dir {
						c.Dir = filepath.Join(t.TempDir(), "store")
					}
					return mustOpen(t, c)
				},
				Upsert: test.config.Insert == "upsert",
			}.Test(t)
		})
	}
}

func TestConformanceOfHandle(t *testing.T) {
	ycsbtest.TestDB(t, func(t testing.TB) ycsb.DB { return mustNew(t, openStore(t), Config{}) })
}

func mustOpen(t testing.TB, c Config) *DB {
	t.Helper()
	d, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return d
}

func mustNew(t testing.TB, store *pebble.DB, c Config) *DB {
	t.Helper()
	d, err := New(store, c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// openStore opens a store in memory that is not the driver's.
func openStore(t testing.TB) *pebble.DB {
	t.Helper()
	store, err := pebble.Open("", &pebble.Options{FS: vfs.NewMem(), Logger: silent{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

type silent struct{}

func (silent) Infof(string, ...any)  {}
func (silent) Errorf(string, ...any) {}
func (silent) Fatalf(string, ...any) {}

func mustConn(t testing.TB, d *DB) *conn {
	t.Helper()
	c, err := d.Conn(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c.(*conn)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// record returns a record of names and values in turn.
func record(namesAndValues ...string) *ycsb.Record {
	rec := new(ycsb.Record)
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		rec.Append(namesAndValues[i], []byte(namesAndValues[i+1]))
	}
	return rec
}

func TestDefaults(t *testing.T) {
	var want Config
	must(t, properties.New().Decode(&want))
	got, err := Config{}.complete()
	must(t, err)
	got.Logger = nil
	if got != want {
		t.Errorf("complete() = %+v; want %+v", got, want)
	}
}

func TestBounds(t *testing.T) {
	tests := []struct {
		config Config
		want   string
	}{
		{Config{CacheSize: -1}, "pebble.cachesize"},
		{Config{MemTableSize: 1 << 40}, "pebble.memtablesize"},
		{Config{BloomBits: -3}, "pebble.bloombits"},
		{Config{Compression: "lz4"}, "pebble.compression"},
		{Config{MaxOpenFiles: 1}, "pebble.maxopenfiles"},
	}
	for _, test := range tests {
		test.config.Dir = filepath.Join(t.TempDir(), "store")
		_, err := Open(t.Context(), test.config)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Open(%+v) = %v; want an error about %s", test.config, err, test.want)
		}
		if _, err := os.Stat(test.config.Dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("Open(%+v) made the directory", test.config)
		}
	}
}

func TestReopen(t *testing.T) {
	for _, c := range []Config{{}, {NoSync: true}, {DisableWAL: true}} {
		t.Run(c.durability(), func(t *testing.T) {
			c.Dir = filepath.Join(t.TempDir(), "a", "store")
			d := mustOpen(t, c)
			must(t, d.Prepare(t.Context(), ycsb.Schema{Table: "t"}))
			w := mustConn(t, d)
			must(t, w.Insert(t.Context(), "t", []byte("k"), record("f", "v")))
			must(t, errors.Join(w.Close(), d.Close()))

			d = mustOpen(t, c)
			var rec ycsb.Record
			must(t, mustConn(t, d).Read(t.Context(), "t", []byte("k"), nil, &rec))
			if v, _ := rec.Get("f"); string(v) != "v" {
				t.Errorf("read %q after reopening; want v", v)
			}
			must(t, d.Truncate(t.Context(), "t"))
		})
	}
}

func TestTemporary(t *testing.T) {
	for dir, want := range map[string]bool{"": true, filepath.Join(t.TempDir(), "store"): false} {
		db, err := Open(t.Context(), Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if got := db.Temporary(); got != want {
			t.Errorf("Temporary with directory %q = %v; want %v", dir, got, want)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if mustNew(t, openStore(t), Config{}).Temporary() {
		t.Error("Temporary of somebody else's store = true; want false")
	}
}

func TestTemporaryDirectoryIsRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := mustOpen(t, Config{})
	if _, err := os.Stat(filepath.Join(d.dir.path, markName)); err != nil {
		t.Error(err)
	}
	must(t, d.Close())
	if _, err := os.Stat(d.dir.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there", d.dir.path)
	}
}

// tree returns names, times and contents of all files under dir.
func tree(t *testing.T, dir string) map[string]string {
	files := make(map[string]string)
	must(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			files[path] = "directory"
			return err
		}
		b, err := os.ReadFile(path)
		files[path] = fmt.Sprintf("%v %q", info.ModTime(), b)
		return err
	}))
	return files
}

func TestDirectoriesOfOthers(t *testing.T) {
	tests := []struct {
		name  string
		setup func(dir string) error
		want  string
	}{
		{"with a file", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "precious"), []byte("data"), 0o600)
		}, "not made by ycsbkit"},
		{"store", func(dir string) error {
			store, err := pebble.Open(dir, &pebble.Options{Logger: silent{}})
			if err != nil {
				return err
			}
			return errors.Join(store.Set([]byte("k"), []byte("v"), nil), store.Close())
		}, "not made by ycsbkit"},
		{"other layout", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, markName), []byte("Layout 2.\n"), 0o600)
		}, "not of this version"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, test.setup(dir))
			before := tree(t, dir)
			_, err := Open(t.Context(), Config{Dir: dir})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("Open: %v; want an error with %q and %s", err, test.want, dir)
			}
			if after := tree(t, dir); !reflect.DeepEqual(after, before) {
				t.Errorf("Open changed the directory from %v to %v", before, after)
			}
		})
	}
}

func TestDirectoryThatCannotBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, nil, 0o600))
	for _, dir := range []string{path, filepath.Join(path, "store")} {
		if _, err := Open(t.Context(), Config{Dir: dir}); !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("Open(%s): %v; want ENOTDIR", dir, err)
		}
	}
}

func TestLockedByThisProcess(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(dir, link))
	mustOpen(t, Config{Dir: dir})
	for _, path := range []string{dir, dir + "/.", link} {
		if _, err := Open(t.Context(), Config{Dir: path}); err == nil || !strings.Contains(err.Error(), "in use") {
			t.Errorf("Open(%s): %v; want an error that it is in use", path, err)
		}
	}
}

func TestLockedByAnotherProcess(t *testing.T) {
	const name = "YCSBKIT_TEST_LOCKED"
	if dir := os.Getenv(name); dir != "" { // this is the other process
		_, err := Open(t.Context(), Config{Dir: dir})
		fmt.Println(err)
		return
	}
	dir := t.TempDir()
	mustOpen(t, Config{Dir: dir})
	cmd := exec.Command(os.Args[0], "-test.run=^TestLockedByAnotherProcess$")
	cmd.Env = append(os.Environ(), name+"="+dir)
	out, err := cmd.CombinedOutput()
	must(t, err)
	if want := "pebble.dir " + dir + ": in use"; !strings.Contains(string(out), want) {
		t.Errorf("the other process said %s; want %s", out, want)
	}
}

func TestTableOfOthersIsNotEmptied(t *testing.T) {
	d := mustNew(t, openStore(t), Config{NoSync: true})
	must(t, mustConn(t, d).Insert(t.Context(), "theirs", []byte("k"), record("f", "v")))
	must(t, d.Prepare(t.Context(), ycsb.Schema{Table: "theirs"}))
	if err := d.Truncate(t.Context(), "theirs"); err == nil || !strings.Contains(err.Error(), "theirs") {
		t.Errorf("Truncate: %v; want an error that names the table", err)
	}
	if n, err := d.Count(t.Context(), "theirs"); n != 1 || err != nil {
		t.Errorf("Count = %d, %v; want 1", n, err)
	}
}

// TestSizeOfMissingTable asks for the size of a table between others, whose blocks are at its
// bounds.
func TestSizeOfMissingTable(t *testing.T) {
	d := mustOpen(t, Config{NoSync: true, Compression: "none"})
	c := mustConn(t, d)
	for _, table := range []string{"a", "c"} {
		for i := range 100 {
			must(t, c.Insert(t.Context(), table, []byte{byte(i)}, record("f", strings.Repeat("v", 1000))))
		}
	}
	if s, err := d.Size(t.Context(), "a"); s.Storage < 100_000 || err != nil {
		t.Errorf("Size(a) = %+v, %v; want at least 100,000 bytes", s, err)
	}
	if s, err := d.Size(t.Context(), "b"); s != (ycsb.Size{}) || err != nil {
		t.Errorf("Size(b) = %+v, %v; want nothing", s, err)
	}
}

// TestConcurrentUpdates has workers update fields of their own in the same records, alone and in
// batches, while others scan. No update may be lost, and no scan may see a part of a batch.
func TestConcurrentUpdates(t *testing.T) {
	const workers, rounds = 8, 200
	d := mustOpen(t, Config{NoSync: true, MemTableSize: 1 << 16})
	first := mustConn(t, d)
	keys := [][]byte{[]byte("a"), []byte("b"), []byte("c")}
	for _, key := range keys {
		must(t, first.Insert(t.Context(), "t", key, record()))
	}
	var writers, scanners sync.WaitGroup
	stop := make(chan struct{})
	for w := range workers {
		c := mustConn(t, d)
		field := "w" + strconv.Itoa(w)
		writers.Go(func() {
			for i := range rounds {
				rec := record(field, strconv.Itoa(i))
				items := make([]ycsb.BatchItem, 0, len(keys))
				for j := range keys {
					key := keys[(j+w)%len(keys)]
					items = append(items, ycsb.BatchItem{Kind: ycsb.KindUpdate, Key: key, Record: rec})
				}
				err := c.Batch(t.Context(), "t", items)
				for _, it := range items {
					err = errors.Join(err, it.Err)
				}
				one := record("x"+field, strconv.Itoa(i))
				if err = errors.Join(err, c.Update(t.Context(), "t", keys[i%len(keys)], one)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 2 {
		c := mustConn(t, d)
		scanners.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				var seen []string
				err := c.Scan(t.Context(), "t", nil, 10, []string{"w0"}, func(_ []byte, rec *ycsb.Record) error {
					v, _ := rec.Get("w0")
					seen = append(seen, string(v))
					return nil
				})
				if err != nil || len(seen) != 3 || seen[0] != seen[1] || seen[1] != seen[2] {
					t.Errorf("a scan saw %q, %v; want the same value thrice", seen, err)
					return
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	scanners.Wait()
	for _, key := range keys {
		var rec ycsb.Record
		must(t, first.Read(t.Context(), "t", key, nil, &rec))
		for w := range workers {
			if v, _ := rec.Get("w" + strconv.Itoa(w)); string(v) != strconv.Itoa(rounds-1) {
				t.Errorf("record %s: worker %d's field is %q; want %d", key, w, v, rounds-1)
			}
			if _, ok := rec.Get("xw" + strconv.Itoa(w)); !ok {
				t.Errorf("record %s: worker %d's single update is lost", key, w)
			}
		}
	}
}

func TestLargeBatchIsWaitedFor(t *testing.T) {
	d := mustOpen(t, Config{Dir: t.TempDir(), MemTableSize: 1 << 16})
	c := mustConn(t, d)
	value := strings.Repeat("v", 1<<18)
	for i := range 5 {
		must(t, c.Insert(t.Context(), "t", strconv.AppendInt(nil, int64(i), 10), record("f", value)))
	}
	if n, err := d.Count(t.Context(), "t"); n != 5 || err != nil {
		t.Errorf("Count = %d, %v; want 5", n, err)
	}
}

func TestCorruptRecord(t *testing.T) {
	store := openStore(t)
	d := mustNew(t, store, Config{NoSync: true})
	c := mustConn(t, d)
	must(t, store.Set(append([]byte(nil), c.at("t", []byte("k"))...), []byte{200}, nil))
	none := func([]byte, *ycsb.Record) error { return nil }
	var rec ycsb.Record
	for name, err := range map[string]error{
		"Read":   c.Read(t.Context(), "t", []byte("k"), nil, &rec),
		"Update": c.Update(t.Context(), "t", []byte("k"), record("f", "v")),
		"Scan":   c.Scan(t.Context(), "t", nil, 1, nil, none),
	} {
		if !errors.Is(err, ycsb.ErrCorrupt) {
			t.Errorf("%s: %v; want ErrCorrupt", name, err)
		}
	}
}

// failing returns the file system, in which writing fails while full is set.
func failing(full *atomic.Bool) vfs.FS {
	return errorfs.Wrap(vfs.Default, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if full.Load() && op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
			return syscall.ENOSPC
		}
		return nil
	}))
}

// TestFailingDisk makes all writing fail from some moment on. The store has to say so, to be
// closed without a fuss, and to hold what was acknowledged when it is opened again.
func TestFailingDisk(t *testing.T) {
	for _, c := range []Config{{}, {NoSync: true}, {DisableWAL: true}} {
		t.Run(c.durability(), func(t *testing.T) {
			var full atomic.Bool
			c.Dir, c.MemTableSize = t.TempDir(), 1<<16
			d, err := open(t.Context(), c, failing(&full))
			must(t, err)
			w := mustConn(t, d)
			value := record("f", strings.Repeat("v", 1000))
			n := int64(0)
			for ; err == nil; n++ {
				full.Store(n >= 200)
				err = w.Insert(t.Context(), "t", strconv.AppendInt(nil, n, 10), value)
			}
			for name, err := range map[string]error{
				"Insert": err,
				"Read":   w.Read(t.Context(), "t", []byte("0"), nil, new(ycsb.Record)),
				"Sync":   d.Sync(t.Context()),
			} {
				if err == nil || !strings.Contains(err.Error(), "cannot go on") || !strings.Contains(err.Error(), "no space left") {
					t.Errorf("%s: %v; want that the store cannot go on, and why", name, err)
				}
			}
			must(t, errors.Join(w.Close(), d.Close()))

			d = mustOpen(t, c)
			got, err := d.Count(t.Context(), "t")
			if least := (n - 1) * int64(btoi(d.write.Sync)); err != nil || got < least {
				t.Errorf("Count after reopening = %d, %v; want %d or more", got, err, least)
			}
		})
	}
}

// TestFailingClose makes all writing fail when the store is closed.
func TestFailingClose(t *testing.T) {
	for _, c := range []Config{{NoSync: true}, {DisableWAL: true}} {
		t.Run(c.durability(), func(t *testing.T) {
			var full atomic.Bool
			c.Dir = t.TempDir()
			d, err := open(t.Context(), c, failing(&full))
			must(t, err)
			w := mustConn(t, d)
			must(t, errors.Join(w.Insert(t.Context(), "t", []byte("k"), record()), w.Close()))
			full.Store(true)
			if err := d.Close(); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("Close: %v; want ENOSPC", err)
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := mustOpen(t, Config{NoSync: true})
	c := mustConn(t, d)
	for i := range 10 {
		must(t, c.Insert(ctx, "t", []byte{byte(i)}, record()))
	}
	n := 0
	err := c.Scan(ctx, "t", nil, 10, nil, func([]byte, *ycsb.Record) error {
		n++
		cancel()
		return nil
	})
	if n != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled scan went on for %d records and returned %v", n, err)
	}
	if _, err := d.Count(ctx, "t"); !errors.Is(err, context.Canceled) {
		t.Errorf("Count: %v; want Canceled", err)
	}
}

func TestDescribe(t *testing.T) {
	info, err := mustOpen(t, Config{NoSync: true, CacheSize: 1 << 20}).Describe(t.Context())
	must(t, err)
	if info.Product != "Pebble" || !strings.HasPrefix(info.Durability, "NoSync") ||
		info.Settings["pebble.cachesize"] != "1048576" || info.Settings["pebble.memtablesize"] != "4194304" {
		t.Errorf("Describe = %+v", info)
	}
}

func TestRegistry(t *testing.T) {
	p := properties.New()
	p.Set("pebble.dir", t.TempDir())
	p.Set("pebble.nosync", "true")
	db, err := ycsb.Open(t.Context(), "pebble", p)
	must(t, err)
	defer db.Close()
	if db, err := ycsb.Open(t.Context(), "pebble", p); err == nil || db != nil {
		t.Errorf("opened twice: %v, %v; want no DB and an error", db, err)
	}
}

func TestLogger(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	d := mustOpen(t, Config{Logger: log})
	must(t, mustConn(t, d).Insert(t.Context(), "t", []byte("k"), record("f", "v")))
	must(t, d.Sync(t.Context()))
	l := &logger{d}
	l.Errorf("trouble in %d", 1)
	l.Fatalf("the end of %d", 2)
	must(t, d.Close())
	for _, want := range []string{"level=DEBUG msg=\"pebble: ", "flushed", "level=ERROR msg=\"pebble: trouble in 1", "the end of 2"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log does not have %q:\n%s", want, out.String())
		}
	}
	if _, err := d.Count(t.Context(), "t"); err == nil || !strings.Contains(err.Error(), "the end of 2") {
		t.Errorf("Count: %v; want that the store cannot go on", err)
	}
}

// TestPanic makes Pebble panic under its own locks: a store that was closed.
func TestPanic(t *testing.T) {
	store, err := pebble.Open("", &pebble.Options{FS: vfs.NewMem(), Logger: silent{}})
	must(t, err)
	d := mustNew(t, store, Config{Insert: "upsert"})
	c := mustConn(t, d)
	must(t, store.Close())
	for range 2 {
		if err := c.Insert(t.Context(), "t", []byte("k"), record()); err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("Insert: %v; want that the store is closed", err)
		}
	}
}

func TestBatchUnknownKind(t *testing.T) {
	c := mustConn(t, mustOpen(t, Config{NoSync: true}))
	items := []ycsb.BatchItem{{Kind: 99, Key: []byte("k")}, {Kind: ycsb.KindInsert, Key: []byte("k"), Record: record()}}
	must(t, c.Batch(t.Context(), "t", items))
	if !errors.Is(items[0].Err, ycsb.ErrUnsupported) || items[1].Err != nil {
		t.Errorf("Batch: %v, %v; want ErrUnsupported, nil", items[0].Err, items[1].Err)
	}
}
