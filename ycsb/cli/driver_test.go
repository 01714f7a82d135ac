package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/drivers/memory"
	_ "github.com/ycsbkit/ycsbkit/drivers/noop"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// recordingConfig has a property of each kind.
type recordingConfig struct {
	ID       string        `prop:"recording.id" help:"which recorder"`
	Host     string        `prop:"recording.host,alias=recording.address" default:"localhost" help:"where it is"`
	Port     int           `prop:"recording.port,min=1,max=65535" default:"7000" help:"its port"`
	Password string        `prop:"recording.password,secret" help:"its password"`
	Mode     string        `prop:"recording.mode,enum=fast|safe" default:"safe" help:"how it writes"`
	Wait     time.Duration `prop:"recording.wait,unit=ms,min=0" help:"what an operation takes"`
	Ratio    float64       `prop:"recording.ratio,above=0,below=1" default:"0.5" help:"how much of it"`
}

func init() {
	ycsb.Register("recording", ycsb.NewDriver(func(_ context.Context, c recordingConfig) (ycsb.DB, error) {
		v, ok := recorders.Load(c.ID)
		if !ok {
			return nil, fmt.Errorf("no recorder %q", c.ID)
		}
		r := v.(*recorder)
		r.opened.Add(1)
		if r.open != nil {
			if err := r.open(c); err != nil {
				return nil, err
			}
		}
		return &recordingDB{DB: r.db, r: r, wait: c.Wait}, nil
	}))
	ycsb.Register("hanging", ycsb.DriverFunc(func(context.Context, *properties.Properties) (ycsb.DB, error) {
		return hangingDB{memory.New()}, nil
	}))
	ycsb.Register("other", ycsb.NewDriver(func(context.Context, struct {
		Host string `prop:"other.host"`
	},
	) (ycsb.DB, error) {
		return nil, errors.New("other: never opened")
	}))
}

var recorders sync.Map // *recorder by id

// recorder is the memory driver with eyes and hands: it counts the operations that return, and
// does to them what a test wants.
type recorder struct {
	id     string
	db     *memory.DB
	opened atomic.Int64
	done   atomic.Int64 // operations that returned
	behaviour
}

// behaviour is what a recorder does besides recording; any may be nil.
type behaviour struct {
	open  func(recordingConfig) error
	conn  func() error
	op    func(ctx context.Context, name string, n int64) error // before the n-th operation
	close func() error
}

// newRecorder returns a recorder and the argument that chooses it.
func newRecorder(t *testing.T) (*recorder, string) {
	r := &recorder{id: t.Name(), db: memory.New()}
	recorders.Store(r.id, r)
	t.Cleanup(func() { recorders.Delete(r.id) })
	return r, "recording.id=" + r.id
}

type recordingDB struct {
	*memory.DB
	r    *recorder
	wait time.Duration
}

func (d *recordingDB) Conn(ctx context.Context, worker int) (ycsb.Conn, error) {
	if d.r.conn != nil {
		if err := d.r.conn(); err != nil {
			return nil, err
		}
	}
	c, err := d.DB.Conn(ctx, worker)
	return &recordingConn{c, d}, err
}

func (*recordingDB) Temporary() bool { return false } // another command finds the records

func (d *recordingDB) Close() error {
	if d.r.close != nil {
		return d.r.close()
	}
	return nil
}

type recordingConn struct {
	ycsb.Conn
	d *recordingDB
}

func (c *recordingConn) do(ctx context.Context, name string, op func() error) error {
	r := c.d.r
	defer r.done.Add(1)
	if c.d.wait > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(c.d.wait):
		}
	}
	if r.op != nil {
		if err := r.op(ctx, name, r.done.Load()+1); err != nil {
			return err
		}
	}
	return op()
}

func (c *recordingConn) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	return c.do(ctx, ycsb.OpRead, func() error { return c.Conn.Read(ctx, table, key, fields, rec) })
}

func (c *recordingConn) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.do(ctx, ycsb.OpInsert, func() error { return c.Conn.Insert(ctx, table, key, rec) })
}

func (c *recordingConn) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.do(ctx, ycsb.OpUpdate, func() error { return c.Conn.Update(ctx, table, key, rec) })
}

// hangingDB hangs for longer than any test, and says so.
type hangingDB struct{ *memory.DB }

func (hangingDB) Conn(context.Context, int) (ycsb.Conn, error) {
	fmt.Fprintln(os.Stderr, "hanging")
	time.Sleep(time.Hour)
	return nil, errors.New("hanging: it is over")
}
