package ycsb

import "iter"

// Field is one named value of a [Record].
type Field struct {
	Name  string
	Value []byte // owned by the Record; valid until its Reset
}

// Record is an ordered list of fields. It owns the memory of their values and uses it again
// after Reset, so that a record used for one operation after the other stops allocating.
// The zero Record is empty and ready to use. A Record is for one goroutine at a time and
// must not be copied.
type Record struct {
	_      noCopy
	fields []Field // its elements beyond len keep their buffers
}

// noCopy makes go vet report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// Reset empties the record. Values obtained from it become invalid.
func (r *Record) Reset() { r.fields = r.fields[:0] }

// Len returns the number of fields.
func (r *Record) Len() int { return len(r.fields) }

// Append adds a field with a copy of value.
func (r *Record) Append(name string, value []byte) { copy(r.Grow(name, len(value)), value) }

// Grow adds a field of n bytes and returns its value for the caller to fill. The bytes are
// what an earlier value left there.
func (r *Record) Grow(name string, n int) []byte {
	i := len(r.fields)
	if i < cap(r.fields) {
		r.fields = r.fields[:i+1]
	} else {
		r.fields = append(r.fields, Field{})
	}
	f := &r.fields[i]
	f.Name = name
	if f.Value == nil || cap(f.Value) < n { // an empty value is not nil
		f.Value = make([]byte, n)
	} else {
		f.Value = f.Value[:n]
	}
	return f.Value
}

// Fields returns the fields in the order they were added. The slice and the values belong to
// the record and are valid until its Reset.
func (r *Record) Fields() []Field { return r.fields }

// Get returns the value of the first field with the given name. The value belongs to the
// record and is valid until its Reset.
func (r *Record) Get(name string) ([]byte, bool) {
	for i := range r.fields {
		if r.fields[i].Name == name {
			return r.fields[i].Value, true
		}
	}
	return nil, false
}

// All returns an iterator over names and values in the order they were added. The values
// belong to the record and are valid until its Reset.
func (r *Record) All() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for i := range r.fields {
			if !yield(r.fields[i].Name, r.fields[i].Value) {
				return
			}
		}
	}
}
