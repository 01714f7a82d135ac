package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestIndex(t *testing.T) {
	const rows = 3000
	for _, c := range []struct {
		name  string
		order func(i int) int
		pages int // most
	}{
		{"ascending", func(i int) int { return i }, rows/pageSize + 1},
		{"descending", func(i int) int { return rows - 1 - i }, 2 * (rows/pageSize + 1)},
		{"random", at(rand.New(rand.NewPCG(1, 2)).Perm(rows)), 2 * (rows/pageSize + 1)},
	} {
		var x index
		for i := range rows {
			key := fmt.Sprintf("%06d", c.order(i))
			x.insert([]byte(key), &row{key: key})
		}
		if err := x.check(rows); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(x.pages) > c.pages {
			t.Errorf("%s: %d pages; want at most %d", c.name, len(x.pages), c.pages)
		}
		for i := range rows {
			x.delete(fmt.Appendf(nil, "%06d", c.order(i)))
			if i%500 == 0 {
				if err := x.check(rows - 1 - i); err != nil {
					t.Errorf("%s: after %d deletes: %v", c.name, i+1, err)
				}
			}
		}
		if len(x.pages) != 0 || x.rows != 0 {
			t.Errorf("%s: %d pages and %d rows are left", c.name, len(x.pages), x.rows)
		}
	}
}

func at(list []int) func(int) int { return func(i int) int { return list[i] } }

// check returns an error when the index is not in order, or does not have so many rows.
func (x *index) check(rows int) error {
	all := x.from(nil, false, nil, rows+1)
	if len(all) != rows || x.rows != rows {
		return fmt.Errorf("%d rows, said to be %d; want %d", len(all), x.rows, rows)
	}
	var keys []string
	for _, r := range all {
		keys = append(keys, r.key)
	}
	if !slices.IsSorted(keys) || len(slices.Compact(keys)) != rows {
		return fmt.Errorf("keys are not in strictly ascending order")
	}
	for i, page := range x.pages {
		if len(page) == 0 || len(page) > pageSize {
			return fmt.Errorf("page %d has %d rows", i, len(page))
		}
	}
	return nil
}
