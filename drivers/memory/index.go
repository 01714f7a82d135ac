package memory

import "slices"

// index is the rows of a table in ascending order of their keys: a list of pages, which are
// short sorted lists. An insert moves the pointers behind it in its page, and when it splits
// the page those in the list of pages. That is plainer than a B-tree and about as fast as long
// as rows fit in memory: of ten million rows, the list of pages has 80,000 to 160,000.
type index struct {
	pages [][]*row // none is empty
	rows  int
}

const pageSize = 128 // most rows of a page

// find returns the number of the page in which key is or would be, and its place there: that of
// the first row whose key is not less. There are pages.
func (x *index) find(key []byte) (p, at int) {
	lo, hi := 0, len(x.pages) // the first page that begins with a key > key
	for lo < hi {
		if mid := (lo + hi) / 2; x.pages[mid][0].key <= string(key) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	p = max(lo-1, 0)
	page := x.pages[p]
	lo, hi = 0, len(page)
	for lo < hi {
		if mid := (lo + hi) / 2; page[mid].key < string(key) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return p, lo
}

// insert adds a row whose key is not there.
func (x *index) insert(key []byte, r *row) {
	x.rows++
	if len(x.pages) == 0 {
		x.pages = [][]*row{newPage(r)}
		return
	}
	p, at := x.find(key)
	switch {
	case len(x.pages[p]) < pageSize:
	case p == len(x.pages)-1 && at == pageSize: // in ascending order: leave the page full
		x.pages = append(x.pages, newPage(r))
		return
	default:
		x.split(p)
		if at > len(x.pages[p]) {
			p, at = p+1, at-len(x.pages[p])
		}
	}
	x.pages[p] = slices.Insert(x.pages[p], at, r)
}

// split moves the second half of a page to a new one behind it.
func (x *index) split(p int) {
	page := x.pages[p]
	half := len(page) / 2
	x.pages = slices.Insert(x.pages, p+1, newPage(page[half:]...))
	clear(page[half:])
	x.pages[p] = page[:half]
}

func newPage(rows ...*row) []*row { return append(make([]*row, 0, pageSize), rows...) }

// delete removes the row of a key that is there.
func (x *index) delete(key []byte) {
	x.rows--
	p, at := x.find(key)
	x.pages[p] = slices.Delete(x.pages[p], at, at+1)
	if len(x.pages[p]) == 0 {
		x.pages = slices.Delete(x.pages, p, p+1)
	}
}

// from appends up to n rows to rows: those from the first key >= start on, or > start.
func (x *index) from(start []byte, after bool, rows []*row, n int) []*row {
	if len(x.pages) == 0 {
		return rows
	}
	p, at := x.find(start)
	if page := x.pages[p]; after && at < len(page) && page[at].key == string(start) {
		at++
	}
	for ; p < len(x.pages) && n > 0; p++ {
		part := x.pages[p][at:]
		part = part[:min(len(part), n)]
		rows = append(rows, part...)
		n -= len(part)
		at = 0
	}
	return rows
}
