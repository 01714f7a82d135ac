package ycsbtest

import (
	"context"
	"errors"
	"fmt"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func readItem(key string, fields ...string) ycsb.BatchItem {
	return ycsb.BatchItem{Kind: ycsb.KindRead, Key: []byte(key), Fields: fields, Record: new(ycsb.Record)}
}

func insertItem(key string, r row) ycsb.BatchItem {
	return ycsb.BatchItem{Kind: ycsb.KindInsert, Key: []byte(key), Record: r.record()}
}

func updateItem(key string, r row) ycsb.BatchItem {
	return ycsb.BatchItem{Kind: ycsb.KindUpdate, Key: []byte(key), Record: r.record()}
}

func deleteItem(key string) ycsb.BatchItem {
	return ycsb.BatchItem{Kind: ycsb.KindDelete, Key: []byte(key)}
}

// wantItems reports when the outcomes of items are not want.
func (f *fixture) wantItems(items []ycsb.BatchItem, want ...error) {
	f.Helper()
	for i, it := range items {
		if !errors.Is(it.Err, want[i]) {
			f.Errorf("batch item %d, %v of %s: Err %v; want %v", i, it.Kind, quote(string(it.Key)), it.Err, want[i])
		}
	}
}

// batchOK carries out a batch and reports items that failed.
func (f *fixture) batchOK(items ...ycsb.BatchItem) {
	f.Helper()
	f.must(f.batch(items...))
	f.wantItems(items, make([]error, len(items))...)
}

// wantItemRow reports when the record of a read is not want.
func (f *fixture) wantItemRow(it ycsb.BatchItem, want row) {
	f.Helper()
	got, err := rowOf(it.Record)
	f.must(err)
	if err := want.diff(got); err != nil {
		f.Errorf("read of %s in a batch: %v", quote(string(it.Key)), err)
	}
}

func batchKinds(f *fixture) {
	f.batchOK(insertItem("a", newRow("a")), insertItem("b", newRow("b")), insertItem("c", newRow("c")))
	for _, key := range []string{"a", "b", "c"} {
		f.wantRow(key, newRow(key))
	}
	f.batchOK(updateItem("a", newRow("a2")), updateItem("c", row{"field4": "x"}))
	f.wantRow("a", newRow("a2"))
	f.wantRow("b", newRow("b"))
	f.wantRow("c", newRow("c").plus(row{"field4": "x"}))
	f.batchOK(deleteItem("a"), deleteItem("b"))
	f.wantMissing("a")
	f.wantMissing("b")

	f.insertAll("d", "e", "f")
	items := []ycsb.BatchItem{
		readItem("d"), insertItem("g", newRow("g")), updateItem("e", row{"field1": "x"}), deleteItem("f"), readItem("c", "field4"),
	}
	f.batchOK(items...)
	f.wantItemRow(items[0], newRow("d"))
	f.wantItemRow(items[4], row{"field4": "x"})
	f.wantRow("g", newRow("g"))
	f.wantRow("e", newRow("e").plus(row{"field1": "x"}))
	f.wantMissing("f")
}

func batchRead(f *fixture) {
	f.insertAll("a", "b", "c")
	items := []ycsb.BatchItem{readItem("c"), readItem("a", "field1"), readItem("b", "field2", "field9"), readItem("a", "field8")}
	items[0].Record.Append("before", []byte("x"))
	f.batchOK(items...)
	f.wantItemRow(items[0], newRow("c").plus(row{"before": "x"}))
	f.wantItemRow(items[1], newRow("a").only("field1"))
	f.wantItemRow(items[2], newRow("b").only("field2", "field9"))
	f.wantItemRow(items[3], newRow("a").only("field8"))
}

func batchPartial(f *fixture) {
	f.insertAll("a", "b", "c")
	missing := ycsb.ErrNotFound

	items := []ycsb.BatchItem{readItem("a"), readItem("missing"), readItem("c")}
	f.must(f.batch(items...))
	f.wantItems(items, nil, missing, nil)
	f.wantItemRow(items[0], newRow("a"))
	f.wantItemRow(items[1], row{})
	f.wantItemRow(items[2], newRow("c"))

	items = []ycsb.BatchItem{updateItem("a", row{"field0": "x"}), updateItem("missing", row{"field0": "x"}), updateItem("c", row{"field0": "x"})}
	f.must(f.batch(items...))
	f.wantItems(items, nil, missing, nil)
	f.wantRow("a", newRow("a").plus(row{"field0": "x"}))
	f.wantRow("c", newRow("c").plus(row{"field0": "x"}))
	f.wantMissing("missing")

	items = []ycsb.BatchItem{deleteItem("a"), deleteItem("missing"), deleteItem("c")}
	f.must(f.batch(items...))
	f.wantItems(items, nil, missing, nil)
	f.wantMissing("a")
	f.wantMissing("c")
	f.wantRow("b", newRow("b"))
}

func batchTaken(f *fixture) {
	f.insertAll("b")
	items := []ycsb.BatchItem{insertItem("a", newRow("a")), insertItem("b", newRow("other")), insertItem("c", newRow("c"))}
	f.must(f.batch(items...))
	f.wantItems(items, nil, ycsb.ErrExists, nil)
	for _, key := range []string{"a", "b", "c"} {
		f.wantRow(key, newRow(key))
	}
}

func batchEmpty(f *fixture) {
	f.batchOK()
	f.must(f.conn.(ycsb.Batcher).Batch(f.ctx, f.table, []ycsb.BatchItem{}))
}

func batchLarge(f *fixture) {
	const n = 1000
	var inserts, updates, reads, deletes []ycsb.BatchItem
	key := func(i int) string { return fmt.Sprintf("user%04d", i) }
	for i := range n {
		inserts = append(inserts, insertItem(key(i), newRow(key(i))))
		updates = append(updates, updateItem(key(i), row{"field1": "new " + key(i)}))
		reads = append(reads, readItem(key(i)))
		deletes = append(deletes, deleteItem(key(i)))
	}
	f.batchOK(inserts...)
	f.batchOK(updates...)
	f.batchOK(reads...)
	for i := range n {
		f.wantItemRow(reads[i], newRow(key(i)).plus(row{"field1": "new " + key(i)}))
	}
	f.batchOK(deletes...)
	f.wantMissing(key(0))
	f.wantMissing(key(n - 1))
}

func batchTwice(f *fixture) {
	f.insertAll("a", "b")
	reads := []ycsb.BatchItem{readItem("a"), readItem("b"), readItem("a")}
	f.batchOK(reads...)
	for i, key := range []string{"a", "b", "a"} {
		f.wantItemRow(reads[i], newRow(key))
	}

	f.batchOK(updateItem("a", row{"field0": "x"}), updateItem("a", row{"field1": "y"}))
	f.wantRow("a", newRow("a").plus(row{"field0": "x", "field1": "y"}))

	f.onceOf("Delete", ycsb.ErrNotFound, deleteItem("b"), deleteItem("b"))
	f.wantMissing("b")
	if !f.suite.Upsert {
		f.onceOf("Insert", ycsb.ErrExists, insertItem("c", newRow("c")), insertItem("c", newRow("c")))
		f.wantRow("c", newRow("c"))
	}
}

// onceOf carries out a batch of which one item succeeds; the others' error is target.
func (f *fixture) onceOf(what string, target error, items ...ycsb.BatchItem) {
	f.Helper()
	f.must(f.batch(items...))
	ok := 0
	for _, it := range items {
		switch {
		case it.Err == nil:
			ok++
		default:
			f.wantErr(what+" of a key twice in a batch", it.Err, target)
		}
	}
	if ok != 1 {
		f.Errorf("%s of a key %d times in a batch succeeded %d times; want once", what, len(items), ok)
	}
}

func batchRetainsNothing(f *fixture) {
	items := make([]ycsb.BatchItem, 2)
	do := func(a, b ycsb.BatchItem) {
		f.Helper()
		copy(items, []ycsb.BatchItem{a, b})
		f.batchOK(items...)
		for i := range items {
			spoil(items[i].Key, items[i].Record)
			items[i] = ycsb.BatchItem{}
		}
	}
	do(insertItem("a", newRow("a")), insertItem("b", newRow("b")))
	do(updateItem("a", newRow("changed")), readItem("b"))
	do(insertItem("c", newRow("c")), deleteItem("b"))
	f.wantRow("a", newRow("changed"))
	f.wantMissing("b")
	f.wantRow("c", newRow("c"))
	f.wantMissing("#")
}

func batchCancelled(f *fixture) {
	f.insertAll("k")
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	items := []ycsb.BatchItem{readItem("k"), updateItem("k", row{"field0": "x"}), insertItem("new", newRow("new"))}
	err := f.returns("Batch with a cancelled context", func() error { return f.with(ctx).batch(items...) })
	f.wantEnded("Batch with a cancelled context", err, context.Canceled)
	f.wantItemRow(items[0], row{})
	f.wantRow("k", newRow("k"))
	f.wantMissing("new")
}
