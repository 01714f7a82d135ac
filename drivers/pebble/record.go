package pebble

import (
	"encoding/binary"
	"fmt"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// A table's keys begin with a prefix: the length of its name plus one, as an unsigned varint,
// and the name. No prefix begins with another, any bytes are allowed in names and keys, and keys
// keep their order. The byte 0, which no prefix begins with, begins the mark of a table, followed
// by its name.

// appendPrefix appends the prefix of a table's keys.
func appendPrefix(b []byte, table string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(table))+1), table...)
}

// appendEnd appends the first key after all those that begin with prefix.
func appendEnd(b, prefix []byte) []byte {
	b = append(b, prefix...)
	last := len(b) - 1
	for b[last] == 0xff { // not the last byte of the length
		last--
	}
	b[last]++
	return b[:last+1]
}

// bounds returns the keys between which those of a table are.
func bounds(table string) (start, end []byte) {
	start = appendPrefix(nil, table)
	return start, appendEnd(nil, start)
}

func markKey(table string) []byte { return append([]byte{0}, table...) }

// A stored record is, for each field, the length of its name, the length of its value, the name
// and the value. The lengths are unsigned varints. A record without fields is empty.

// appendField appends a field as it is stored.
func appendField[S, T ~string | ~[]byte](b []byte, name S, value T) []byte {
	b = binary.AppendUvarint(b, uint64(len(name)))
	b = binary.AppendUvarint(b, uint64(len(value)))
	b = append(b, name...)
	return append(b, value...)
}

// appendRecord appends rec as it is stored.
func appendRecord(b []byte, rec *ycsb.Record) []byte {
	for name, value := range rec.All() {
		b = appendField(b, name, value)
	}
	return b
}

// appendMerged appends a stored record with the fields in rec over its own. Fields keep their
// order; new ones follow. Of fields in rec with the same name the first counts.
func appendMerged(b, old []byte, rec *ycsb.Record) ([]byte, error) {
	fields := rec.Fields()
	replaced := 0
	for rest, i := old, -1; len(rest) > 0; {
		name, value, next, err := cutField(rest)
		if err != nil {
			return b, err
		}
		rest = next
		if j := indexName(len(fields), i+1, name, func(j int) string { return fields[j].Name }); j >= 0 {
			i = j
			value = fields[j].Value
			replaced++
		}
		b = appendField(b, name, value)
	}
	if replaced == len(fields) {
		return b, nil
	}
	for _, f := range fields {
		if !hasField(old, f.Name) {
			b = appendField(b, f.Name, f.Value)
		}
	}
	return b, nil
}

// indexName returns the index of the first of n names that is name, -1 if there is none. It looks
// at guess first: fields mostly are in the same order everywhere.
func indexName(n, guess int, name []byte, at func(int) string) int {
	if guess < n && at(guess) == string(name) {
		return guess
	}
	for i := range n {
		if at(i) == string(name) {
			return i
		}
	}
	return -1
}

// hasField tells whether a stored record, which is a right one, has a field.
func hasField(stored []byte, name string) bool {
	for len(stored) > 0 {
		n, _, next, err := cutField(stored)
		if err != nil {
			return false
		}
		if string(n) == name {
			return true
		}
		stored = next
	}
	return false
}

// cutField cuts the first field off a stored record that is not empty.
func cutField(b []byte) (name, value, rest []byte, err error) {
	nameLen, n := binary.Uvarint(b)
	if n <= 0 {
		return nil, nil, nil, errDamaged(b)
	}
	valueLen, m := binary.Uvarint(b[n:])
	if m <= 0 {
		return nil, nil, nil, errDamaged(b)
	}
	b = b[n+m:]
	if nameLen > uint64(len(b)) || valueLen > uint64(len(b))-nameLen {
		return nil, nil, nil, errDamaged(b)
	}
	return b[:nameLen], b[nameLen : nameLen+valueLen], b[nameLen+valueLen:], nil
}

func errDamaged(rest []byte) error {
	return fmt.Errorf("%w: no field in the last %d bytes of a record", ycsb.ErrCorrupt, len(rest))
}

// decoder turns stored records into Records. It remembers the names of fields, so that records
// that are alike cost no memory.
type decoder struct {
	names []string // by the position of the field
}

// maxNames is how many positions are remembered.
const maxNames = 1024

// decode appends the named fields of a stored record to rec, all if fields is empty.
func (d *decoder) decode(stored []byte, fields []string, rec *ycsb.Record) error {
	j := -1
	for i := 0; len(stored) > 0; i++ {
		name, value, rest, err := cutField(stored)
		if err != nil {
			return err
		}
		stored = rest
		if len(fields) == 0 {
			rec.Append(d.name(i, name), value)
			continue
		}
		if k := indexName(len(fields), j+1, name, func(k int) string { return fields[k] }); k >= 0 {
			j = k
			rec.Append(fields[k], value)
		}
	}
	return nil
}

// name returns a name that was found at position i as a string.
func (d *decoder) name(i int, name []byte) string {
	if i < len(d.names) {
		if d.names[i] != string(name) {
			d.names[i] = string(name)
		}
		return d.names[i]
	}
	s := string(name)
	if i == len(d.names) && i < maxNames {
		d.names = append(d.names, s)
	}
	return s
}
