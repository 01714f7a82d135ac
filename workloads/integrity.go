package workloads

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// deterministicValue appends n bytes that depend on key and field alone, as Java YCSB's data
// integrity mode does: key ":" field, and then, as often as needed, ":" and the decimal of
// Java's String.hashCode of all that stands before, that colon included.
func deterministicValue(dst, key []byte, field string, n int) []byte {
	begin := len(dst)
	dst = append(dst, key...)
	dst = append(dst, ':')
	dst = append(dst, field...)
	hash := javaHash(0, dst[begin:])
	for len(dst)-begin < n {
		at := len(dst)
		dst = append(dst, ':')
		hash = javaHash(hash, dst[at:])
		at = len(dst)
		dst = strconv.AppendInt(dst, int64(hash), 10)
		hash = javaHash(hash, dst[at:])
	}
	return dst[:begin+n]
}

// javaHash continues Java's String.hashCode, which is over UTF-16, from h with the text b.
func javaHash(h int32, b []byte) int32 {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			h = 31*h + int32(b[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		i += size
		if r >= 0x10000 {
			r -= 0x10000
			h = 31*h + 0xd800 + r>>10
			r = 0xdc00 + r&0x3ff
		}
		h = 31*h + r
	}
	return h
}

// verify compares the fields of a record that was read by name with the values that belong
// there. buf is scratch memory, which it returns.
func verify(rec *ycsb.Record, key []byte, names []string, length int, buf []byte) ([]byte, error) {
	if rec.Len() == 0 {
		return buf, fmt.Errorf("record %s is empty", key)
	}
	for _, name := range names {
		got, ok := rec.Get(name)
		if !ok {
			return buf, fmt.Errorf("record %s: no field %s: %w", key, name, ycsb.ErrCorrupt)
		}
		buf = deterministicValue(buf[:0], key, name, length)
		if !bytes.Equal(got, buf) {
			return buf, fmt.Errorf("record %s: field %s: %w", key, name, ycsb.ErrCorrupt)
		}
	}
	return buf, nil
}
