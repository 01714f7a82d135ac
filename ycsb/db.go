package ycsb

import "context"

// DB is a database under test, shared by all workers. Its methods, those of the optional
// interfaces included, are safe for concurrent use.
type DB interface {
	// Conn returns a connection for one worker, 0 <= worker. It returns an error for
	// whatever the user has to mend before a run makes sense (wrong password, unknown
	// host, missing database), with no secret in its text.
	Conn(ctx context.Context, worker int) (Conn, error)

	// Close frees what the DB holds. All its connections are closed by then. Closing
	// twice is not an error.
	Close() error
}

// Conn is the connection of one worker. One goroutine at a time uses it, so it may keep
// scratch memory. It must not retain key, fields or rec after a method returns. Keys are not
// empty, and otherwise any bytes; an empty value is a value.
//
// Errors: a method returns one of this package's errors, alone or wrapped, where one fits
// ([ErrNotFound], [ErrExists], [ErrConflict], [ErrTimeout], [ErrUnavailable],
// [ErrUnsupported]), and anything else otherwise; the engine counts each kind apart. A driver
// whose database cannot go on returns an error made by [Fatal]. After Close, and after that of
// the DB, methods return an error.
//
// The fields of a record have names of their own: none comes twice. So it is with the fields that
// are asked for, which a driver need not check.
//
// A Conn serves a worker for the whole phase: one that breaks, because the server went away or
// an operation ran out of time, connects again by itself when it is next used.
//
// Cancellation: a call whose context has ended does nothing and returns an error that matches
// the context's, or ErrTimeout; an embedded database may look at it no more than that. A worker
// passes one ctx value to all operations of a phase, unless [Options.Timeout] is set; then each
// operation has its own. A driver whose client starts a goroutine for every call with a
// cancellable context (database/sql does) should watch the context once a connection, with
// [context.AfterFunc], and hand its client [context.WithoutCancel] of it: the goroutine would
// double the client's CPU time.
type Conn interface {
	// Read appends the named fields of a record to rec, all if fields is empty, in whatever
	// order, or returns ErrNotFound and appends nothing. A named field that the record lacks
	// is left out, and a record that lacks them all is found all the same.
	Read(ctx context.Context, table string, key []byte, fields []string, rec *Record) error

	// Insert stores a record under a key. Where the key is taken, a driver returns
	// ErrExists, or replaces the whole record if it was configured to.
	Insert(ctx context.Context, table string, key []byte, rec *Record) error

	// Update replaces the fields in rec of the record and leaves its other fields, or
	// returns ErrNotFound.
	Update(ctx context.Context, table string, key []byte, rec *Record) error

	// Delete removes a record, or returns ErrNotFound.
	Delete(ctx context.Context, table string, key []byte) error

	// Close frees the connection, within some seconds, whatever the server does. Closing
	// twice is not an error.
	Close() error
}

// Optional interfaces of a [Conn]. The engine looks for them once, when a phase begins.
type (
	// Scanner reads up to n records in ascending byte order of their keys, from the first
	// key >= start on, none if n <= 0, and passes each to each, whose arguments are valid
	// during the call only, and which does not use the same Conn. Scan stops at the first
	// error of each and returns it as it is. A range without records is not an error.
	Scanner interface {
		Scan(ctx context.Context, table string, start []byte, n int, fields []string,
			each func(key []byte, rec *Record) error) error
	}

	// Batcher runs several operations in one round trip, or in as few as the database
	// allows, in any order, but those of one key as if one after the other. The outcome of
	// each is in its Err, which is nil before. Batch itself returns an error when nothing was
	// carried out.
	Batcher interface {
		Batch(ctx context.Context, table string, items []BatchItem) error
	}

	// Transactor begins transactions. Where it depends on the table whether there are any,
	// that a table has none shows only in what its transactions do.
	Transactor interface {
		Begin(ctx context.Context) (Tx, error)
	}

	// Queryer reads through a secondary index, values being ordered by their bytes; each is
	// that of a Scanner.
	Queryer interface {
		Query(ctx context.Context, q Query, each func(key []byte, rec *Record) error) error
	}
)

// Optional interfaces of a [DB].
type (
	// Preparer creates what the load phase needs where it is missing (tables, buckets,
	// indexes) and marks as its own what it created.
	Preparer interface {
		Prepare(ctx context.Context, s Schema) error
	}

	// Truncater empties a table. It refuses, naming the table, when there is none or Prepare
	// did not create it; a later Prepare does not make it the driver's own.
	Truncater interface {
		Truncate(ctx context.Context, table string) error
	}

	// Syncer makes durable what was loaded. Its time counts as part of the load phase.
	Syncer interface {
		Sync(ctx context.Context) error
	}

	// Sizer reports the bytes that a table takes; one that does not exist takes none.
	Sizer interface {
		Size(ctx context.Context, table string) (Size, error)
	}

	// Compacter reclaims the storage of a table, which exists, and returns when it is done.
	// The engine never calls it unasked.
	Compacter interface {
		Compact(ctx context.Context, table string) error
	}

	// Counter counts the rows of a table exactly. A table that does not exist has none.
	Counter interface {
		Count(ctx context.Context, table string) (int64, error)
	}

	// Describer tells what is measured.
	Describer interface {
		Describe(ctx context.Context) (Info, error)
	}
)

// Tx is a transaction. Closing one that was not committed, or its connection, rolls it back. After
// Close its methods return an error.
type Tx interface {
	Conn

	// Commit makes the transaction's writes visible, or returns ErrConflict when it may
	// be tried again.
	Commit(ctx context.Context) error
}

// BatchItem is one operation of a batch.
type BatchItem struct {
	Kind   Kind
	Key    []byte
	Fields []string // of a read
	Record *Record  // of a read, appended to; of an insert or update, the values
	Err    error    // set by Batch where it is not nil: the outcome
}

// Kind is a kind of operation in a batch.
type Kind uint8

// Kinds of operation.
const (
	KindRead Kind = iota + 1
	KindInsert
	KindUpdate
	KindDelete
)

// String returns the name under which operations of the kind are measured: READ, INSERT,
// UPDATE, DELETE.
func (k Kind) String() string {
	switch k {
	case KindRead:
		return OpRead
	case KindInsert:
		return OpInsert
	case KindUpdate:
		return OpUpdate
	case KindDelete:
		return OpDelete
	}
	return "UNKNOWN"
}

// Query selects records through a secondary index: equality on one field, order by another,
// skip and limit.
type Query struct {
	Table  string
	Where  string   // the field compared; "" selects all records
	Equal  []byte   // its value
	Order  string   // the field ordered by; "" leaves the order to the database
	Desc   bool     // descending order
	Skip   int      // records passed over
	Limit  int      // most records returned; 0 is no limit
	Fields []string // fields wanted; all if empty
}

// Schema is what a driver may want to know of the records to come.
type Schema struct {
	Table       string
	Fields      []string // names of the fields of a record
	FieldLength int      // most bytes in a value; 0 is unknown
	KeyLength   int      // most bytes in a key; 0 is unknown
}

// Size is the storage that a table takes, in bytes. A figure that a database cannot tell is -1.
type Size struct {
	Storage int64 // on disk, indexes included
	Index   int64 // of which indexes, 0 when there are none
	Data    int64 // live data before compression
}

// Info tells what was measured.
type Info struct {
	Product    string            `json:"product,omitempty"`    // "MariaDB"
	Version    string            `json:"version,omitempty"`    // "10.11.14"
	Engine     string            `json:"engine,omitempty"`     // storage engine: "InnoDB"
	Durability string            `json:"durability,omitempty"` // what an acknowledged write survives: "innodb_flush_log_at_trx_commit=1"
	Topology   string            `json:"topology,omitempty"`   // "single node", "3 replicas"
	Settings   map[string]string `json:"settings,omitempty"`   // what else bears on the figures; no secrets
}
