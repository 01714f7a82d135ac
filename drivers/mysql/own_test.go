package mysql

import (
	"context"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// ownDB gives each operation a context of its own, which ends right after it, as
// ycsb.Options.Timeout does.
type ownDB struct{ *DB }

func (d ownDB) Conn(ctx context.Context, worker int) (ycsb.Conn, error) {
	c, err := d.DB.Conn(ctx, worker)
	if err != nil {
		return nil, err
	}
	return ownConn{ownOps{c.(ops)}, c.(ycsb.Transactor)}, nil
}

type ops interface {
	ycsb.Conn
	ycsb.Scanner
	ycsb.Batcher
	ycsb.Queryer
}

type ownOps struct{ ops }

type ownConn struct {
	ownOps
	begin ycsb.Transactor
}

type ownTx struct {
	ownOps
	tx ycsb.Tx
}

func limited(ctx context.Context, f func(ctx context.Context) error) error {
	ctx, cancel := own(ctx)
	defer cancel()
	return f(ctx)
}

func (o ownOps) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	return limited(ctx, func(ctx context.Context) error { return o.ops.Read(ctx, table, key, fields, rec) })
}

func (o ownOps) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return limited(ctx, func(ctx context.Context) error { return o.ops.Insert(ctx, table, key, rec) })
}

func (o ownOps) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return limited(ctx, func(ctx context.Context) error { return o.ops.Update(ctx, table, key, rec) })
}

func (o ownOps) Delete(ctx context.Context, table string, key []byte) error {
	return limited(ctx, func(ctx context.Context) error { return o.ops.Delete(ctx, table, key) })
}

func (o ownOps) Scan(ctx context.Context, table string, start []byte, n int, fields []string,
	each func([]byte, *ycsb.Record) error,
) error {
	return limited(ctx, func(ctx context.Context) error { return o.ops.Scan(ctx, table, start, n, fields, each) })
}

func (o ownOps) Batch(ctx context.Context, table string, items []ycsb.BatchItem) error {
	return limited(ctx, func(ctx context.Context) error { return o.ops.Batch(ctx, table, items) })
}

func (o ownOps) Query(ctx context.Context, q ycsb.Query, each func([]byte, *ycsb.Record) error) error {
	return limited(ctx, func(ctx context.Context) error { return o.ops.Query(ctx, q, each) })
}

func (o ownConn) Begin(ctx context.Context) (ycsb.Tx, error) {
	ctx, cancel := own(ctx)
	defer cancel()
	tx, err := o.begin.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return ownTx{ownOps{tx.(ops)}, tx}, nil
}

func (o ownTx) Commit(ctx context.Context) error { return limited(ctx, o.tx.Commit) }
