package workloads_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/generator"
)

// hottest is the record that zipfian requests ask for most often when there are 1000 and no inserts.
var hottest = int64(generator.FNV64(0) % 1001)

// damaged is a database in which one field of one record is wrong until it is written again. It counts the
// reads that came across it.
type damaged struct {
	*memDB
	reads int
}

func damage(db *memDB, key, name, value string) *damaged {
	d := &damaged{memDB: db}
	row := db.row(key)
	i := slices.IndexFunc(row, func(f field) bool { return f.name == name })
	row[i].value = value
	db.setRow(key, row)
	db.after = func(_ context.Context, c *call) error {
		if c.op == ycsb.OpRead && c.key == key && slices.Contains(c.fields, name) && db.row(key)[i].value == value {
			d.reads++
		}
		return nil
	}
	return d
}

func flipped(s string) string { return s[:7] + string(s[7]^1) + s[8:] }

func TestVerification(t *testing.T) {
	key := keyOf(hottest)
	tests := []struct {
		name, standard string
		change         change
	}{
		{"reads", "c", func(*workloads.CoreConfig) {}},
		{"reads of one field", "c", func(c *workloads.CoreConfig) { c.ReadAllFields = false }},
		{"reads and updates", "a", func(*workloads.CoreConfig) {}},
		{"updates of all fields", "a", func(c *workloads.CoreConfig) { c.WriteAllFields = true }},
		{"reads and read-modify-writes", "f", func(*workloads.CoreConfig) {}},
		{"reads and inserts", "d", func(c *workloads.CoreConfig) { c.RequestDistribution = "uniform" }},
		{"batches", "a", func(c *workloads.CoreConfig) { c.BatchSize = 30 }},
		{"ordered keys", "c", func(c *workloads.CoreConfig) { c.InsertOrder, c.KeyPrefix = "ordered", "" }},
		{"values shorter than keys", "f", func(c *workloads.CoreConfig) { c.FieldLength = 9 }},
		{"long values", "f", func(c *workloads.CoreConfig) { c.FieldLength = 1000 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newCore(t, standard(t, tt.standard, tt.change, func(c *workloads.CoreConfig) { c.DataIntegrity = true }))
			db := loaded(t, w)
			res := flawless(t, ycsb.Run, db, w, seeded(500, 1))
			equal(t, "verified reads", total(res, ycsb.OpVerify), total(res, ycsb.OpRead))

			key := key
			if db.row(key) == nil {
				key = fmt.Sprint(hottest)
			}
			bad := damage(db, key, "field3", flipped(db.row(key)[3].value))
			res = must(t, ycsb.Run, bad, w, seeded(3000, 1))
			equal(t, "steps", res.Steps, 3000)
			equal(t, "wrong records", count(res, ycsb.OpVerify, ycsb.OutcomeCorrupt), bad.reads)
			equal(t, "some records are wrong", bad.reads > 0, true)
			equal(t, "right records", count(res, ycsb.OpVerify, ycsb.OutcomeOK), total(res, ycsb.OpRead)-bad.reads)
			equal(t, "reads that succeeded", count(res, ycsb.OpRead, ycsb.OutcomeOK), total(res, ycsb.OpRead))
			equal(t, "errors", res.Errors, int64(bad.reads))
			equal(t, "failed", res.Failed, int64(bad.reads))
		})
	}
}

func TestVerificationOfEmptyRecords(t *testing.T) {
	for _, name := range []string{"c", "f"} {
		t.Run(name, func(t *testing.T) {
			w := newCore(t, standard(t, name, func(c *workloads.CoreConfig) { c.DataIntegrity = true }))
			db := loaded(t, w)
			row := []field{}
			db.setRow(keyOf(hottest), row)
			reads := 0
			db.after = func(_ context.Context, c *call) error {
				switch {
				case c.key != keyOf(hottest):
				case c.op == ycsb.OpRead:
					reads++
				default:
					db.setRow(c.key, row) // it stays empty
				}
				return nil
			}
			res := must(t, ycsb.Run, db, w, seeded(1000, 1))
			equal(t, "empty records", count(res, ycsb.OpVerify, ycsb.OutcomeError), reads)
			equal(t, "some records are empty", reads > 0, true)
			equal(t, "verified reads", total(res, ycsb.OpVerify), total(res, ycsb.OpRead))
		})
	}
}

func TestVerificationOfAFieldThatIsMissing(t *testing.T) {
	w := newCore(t, standard(t, "c", func(c *workloads.CoreConfig) { c.DataIntegrity = true }))
	db := loaded(t, w)
	db.setRow(keyOf(hottest), db.row(keyOf(hottest))[:9])
	res := must(t, ycsb.Run, db, w, seeded(1000, 1))
	reads := 0
	for _, c := range db.calls() {
		if c.key == keyOf(hottest) {
			reads++
		}
	}
	equal(t, "wrong records", count(res, ycsb.OpVerify, ycsb.OutcomeCorrupt), reads)
}

func TestReadsThatFailAreNotVerified(t *testing.T) {
	for _, name := range []string{"c", "f"} {
		t.Run(name, func(t *testing.T) {
			w := newCore(t, standard(t, name, func(c *workloads.CoreConfig) { c.DataIntegrity = true }))
			db := loaded(t, w)
			db.before = func(_ context.Context, c *call) error {
				if c.op == ycsb.OpRead && c.key == keyOf(hottest) {
					return errServer
				}
				return nil
			}
			res := must(t, ycsb.Run, db, w, seeded(1000, 1))
			equal(t, "some reads failed", count(res, ycsb.OpRead, ycsb.OutcomeError) > 0, true)
			equal(t, "verified reads", total(res, ycsb.OpVerify), count(res, ycsb.OpRead, ycsb.OutcomeOK))
			equal(t, "right records", count(res, ycsb.OpVerify, ycsb.OutcomeOK), count(res, ycsb.OpRead, ycsb.OutcomeOK))
		})
	}
}

// TestLostRecordsAreWrong has a record that is gone: that is wrong unless records are deleted.
func TestLostRecordsAreWrong(t *testing.T) {
	for _, tt := range []struct {
		name      string
		batch     int64
		deletes   float64
		wantWrong bool
	}{
		{"c", 1, 0, true},
		{"c", 7, 0, true},
		{"f", 1, 0, true},
		{"c", 1, 1e-9, false},
		{"c", 7, 1e-9, false},
	} {
		w := newCore(t, standard(t, tt.name, func(c *workloads.CoreConfig) {
			c.DataIntegrity, c.BatchSize, c.Delete = true, tt.batch, tt.deletes
		}))
		db := loaded(t, w)
		db.before = func(_ context.Context, c *call) error {
			if c.op == ycsb.OpRead && c.key == keyOf(hottest) {
				return ycsb.ErrNotFound
			}
			return nil
		}
		res := must(t, ycsb.Run, db, w, seeded(1000, 1))
		lost, wrong := count(res, ycsb.OpRead, ycsb.OutcomeNotFound), 0
		if tt.wantWrong {
			wrong = lost
		}
		equal(t, fmt.Sprintf("%+v: some are lost", tt), lost > 0, true)
		equal(t, fmt.Sprintf("%+v: wrong records", tt), count(res, ycsb.OpVerify, ycsb.OutcomeError), wrong)
		equal(t, fmt.Sprintf("%+v: right records", tt), count(res, ycsb.OpVerify, ycsb.OutcomeOK), count(res, ycsb.OpRead, ycsb.OutcomeOK))
		equal(t, fmt.Sprintf("%+v: errors", tt), res.Errors, int64(wrong))
	}
}

// TestVerificationDuringUpdateFailures has a read of a read-modify-write verified also when the update fails.
func TestVerificationDuringUpdateFailures(t *testing.T) {
	w := newCore(t, standard(t, "f", func(c *workloads.CoreConfig) { c.DataIntegrity = true }))
	db := loaded(t, w)
	db.before = func(_ context.Context, c *call) error {
		if c.op == ycsb.OpUpdate {
			return errServer
		}
		return nil
	}
	res := must(t, ycsb.Run, db, w, seeded(1000, 1))
	equal(t, "verified reads", count(res, ycsb.OpVerify, ycsb.OutcomeOK), 1000)
	equal(t, "failed read-modify-writes", count(res, ycsb.OpReadModifyWrite, ycsb.OutcomeError), total(res, ycsb.OpReadModifyWrite))
}
