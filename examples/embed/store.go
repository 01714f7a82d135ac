package main

import (
	"context"
	"slices"
	"sync"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// store is the store to be measured, as YCSB wants it: a database, and the connection of each of
// its workers.
type store struct {
	mu   sync.RWMutex
	rows map[string]row
}

type row map[string][]byte

func newStore() *store { return &store{rows: make(map[string]row)} }

func (s *store) Conn(context.Context, int) (ycsb.Conn, error) { return s, nil }
func (s *store) Close() error                                 { return nil }

func (s *store) Read(_ context.Context, _ string, key []byte, fields []string, rec *ycsb.Record) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	r, ok := s.rows[string(key)]
	if !ok {
		return ycsb.ErrNotFound
	}
	for name, value := range r {
		if len(fields) == 0 || slices.Contains(fields, name) {
			rec.Append(name, value)
		}
	}
	return nil
}

func (s *store) Insert(_ context.Context, _ string, key []byte, rec *ycsb.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows[string(key)] != nil {
		return ycsb.ErrExists
	}
	s.rows[string(key)] = make(row, rec.Len())
	return s.set(key, rec)
}

func (s *store) Update(_ context.Context, _ string, key []byte, rec *ycsb.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set(key, rec)
}

// set takes over fields of a record, whose memory is used again.
func (s *store) set(key []byte, rec *ycsb.Record) error {
	r, ok := s.rows[string(key)]
	if !ok {
		return ycsb.ErrNotFound
	}
	for name, value := range rec.All() {
		r[name] = slices.Clone(value)
	}
	return nil
}

// Delete is not needed by the standard workloads.
func (s *store) Delete(context.Context, string, []byte) error { return ycsb.ErrUnsupported }
