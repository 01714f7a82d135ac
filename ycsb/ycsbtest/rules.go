package ycsbtest

// rules are the contract of package ycsb, one by one.
var rules = []rule{
	// Records.
	{"read-missing", "Read of a key without a record returns ErrNotFound and appends nothing", nil, readMissing},
	{"update-missing", "Update of a key without a record returns ErrNotFound, whatever the fields, and creates none", nil, updateMissing},
	{"delete-missing", "Delete of a key without a record returns ErrNotFound", nil, deleteMissing},
	{"insert-read", "Read returns the fields that were inserted, byte for byte", nil, insertRead},
	{"insert-some-fields", "a record has the fields it was inserted with and no others", nil, insertSomeFields},
	{"insert-empty", "a record without fields is there all the same", nil, insertEmpty},
	{"insert-taken", "Insert of a key that is taken returns ErrExists and leaves the record alone", []ability{inserter}, insertTaken},
	{"insert-race", "of concurrent inserts of one key exactly one succeeds", []ability{inserter}, insertRace},
	{"insert-replaces", "Insert of a key that is taken replaces the record, all of it", []ability{replacer}, insertReplaces},
	{"read-appends", "Read appends to the record and leaves the fields that it holds", nil, readAppends},
	{"read-copies", "what Read returned is the caller's: later operations do not change it, nor it the database", nil, readCopies},
	{"read-fields", "Read returns the named fields, in whatever order, and no others", nil, readFields},
	{"read-lacking-field", "Read leaves out a named field that the record lacks", nil, readLackingField},
	{"read-unknown-field", "Read leaves out a named field that no record has", []ability{freeForm}, readUnknownField},
	{"update-fields", "Update replaces the given fields, in whatever order, and leaves the others", nil, updateFields},
	{"update-same-value", "Update to the values that are there is no error", nil, updateSameValue},
	{"update-length", "Update replaces values by longer, shorter and empty ones", nil, updateLength},
	{"update-adds-field", "Update gives a record a field that it lacked", nil, updateAddsField},
	{"delete", "after Delete the record is gone: reads, updates and deletes return ErrNotFound", nil, deleteGone},
	{"delete-one", "Delete removes no other record", nil, deleteOne},
	{"delete-insert", "Insert after Delete makes a new record, without fields of the old one", nil, deleteInsert},
	{"nothing-retained", "keys, fields and records are the caller's again when a method has returned", nil, nothingRetained},
	{"tables", "records of two tables have nothing to do with each other", nil, twoTables},

	// Keys and values.
	{"values-text", "values of text come back byte for byte: Unicode, quotes, blanks at both ends, the empty one", nil, valuesText},
	{"values-binary", "values of any bytes come back byte for byte", []ability{binary}, valuesBinary},
	{"values-long", "values as long as Schema.FieldLength come back byte for byte", nil, valuesLong},
	{"keys-text", "keys are compared byte for byte and mean nothing: case, blanks, quotes and wildcards make different keys", nil, keysText},
	{"keys-binary", "keys are any bytes", []ability{binaryKey}, keysBinary},

	// Connections.
	{"connections", "what one connection wrote the others see", nil, connections},
	{"concurrency", "connections work concurrently and do not disturb each other", nil, concurrency},
	{"close-conn", "closing a connection twice is no error; the others go on; its worker can connect again", nil, closeConn},
	{"close-db", "closing a DB twice is no error", nil, closeDB},
	{"use-after-close", "closed connections return errors, and so do a closed DB and its open connections", nil, useAfterClose},
	{"db-concurrency", "the methods of a DB work concurrently and do not disturb each other or the connections", nil, dbConcurrency},

	// Contexts.
	{"cancelled-before", "a call with a cancelled context does nothing and returns context.Canceled or ErrTimeout; its connection works afterwards", nil, cancelledBefore},
	{"cancelled-meanwhile", "operations return soon after their context was cancelled; other connections work afterwards", nil, cancelledMeanwhile},
	{"deadline", "a call whose deadline has passed does nothing and returns context.DeadlineExceeded or ErrTimeout; its connection works afterwards", nil, deadline},
	{"deadline-meanwhile", "the connection of an operation that ran out of time works again: an engine with a time limit has no other", nil, deadlineMeanwhile},
	{"context-each", "operations may have a context each, which ends when they have returned", nil, contextEach},

	// Scans.
	{"scan-order", "Scan passes whole records in ascending byte order of their keys", []ability{scanner}, scanOrder},
	{"scan-start", "Scan begins with the first key that is not less than start", []ability{scanner}, scanStart},
	{"scan-limit", "Scan passes n records, or as many as there are; none if n is negative", []ability{scanner}, scanLimit},
	{"scan-many", "Scan passes more records than fit one chunk of anything", []ability{scanner}, scanMany},
	{"scan-fields", "Scan passes the named fields and no others", []ability{scanner}, scanFields},
	{"scan-stops", "Scan stops at the first error of each and returns it as it is; the connection works afterwards", []ability{scanner}, scanStops},
	{"scan-changes", "Scan passes records as they are after updates and deletes", []ability{scanner}, scanChanges},
	{"scan-table", "Scan passes no records of another table", []ability{scanner}, scanTable},

	// Batches.
	{"batch-kinds", "Batch carries out reads, inserts, updates and deletes, also together", []ability{batcher}, batchKinds},
	{"batch-read", "a read in a batch is as one alone: it appends the named fields", []ability{batcher}, batchRead},
	{"batch-partial", "an item that fails has its own error and keeps no other from being carried out", []ability{batcher}, batchPartial},
	{"batch-taken", "an insert in a batch of a key that is taken has ErrExists", []ability{batcher, inserter}, batchTaken},
	{"batch-empty", "an empty batch does nothing, successfully", []ability{batcher}, batchEmpty},
	{"batch-large", "a batch may have a thousand items", []ability{batcher}, batchLarge},
	{"batch-twice", "a batch may have a key several times", []ability{batcher}, batchTwice},
	{"batch-retains-nothing", "the items of a batch are the caller's again when Batch has returned", []ability{batcher}, batchRetainsNothing},
	{"batch-cancelled", "Batch with a cancelled context carries out no item and returns context.Canceled or ErrTimeout", []ability{batcher}, batchCancelled},

	// Transactions.
	{"tx-commit", "a transaction sees its writes at once, others see them after Commit", []ability{transactor}, txCommit},
	{"tx-rollback", "Close without Commit undoes the writes of a transaction, and so does closing its connection", []ability{transactor}, txRollback},
	{"tx-close", "closing a transaction again, or after Commit, is no error and undoes nothing; a closed one returns errors", []ability{transactor}, txClose},
	{"tx-not-found", "a transaction goes on after ErrNotFound", []ability{transactor}, txNotFound},
	{"tx-conflict", "a transaction that lost against another one returns ErrConflict, or ErrTimeout, and leaves nothing", []ability{transactor}, txConflict},
	{"tx-lost", "a transaction that was not committed leaves nothing, whatever it did after an error", []ability{transactor}, txLost},

	// Queries.
	{"query-equal", "Query selects the records whose field has the value, or all", []ability{queryer}, queryEqual},
	{"query-order", "Query orders by a field, up or down", []ability{queryer}, queryOrder},
	{"query-skip-limit", "Query passes over the first records and stops at the limit", []ability{queryer}, querySkipLimit},
	{"query-fields", "Query passes the named fields and no others", []ability{queryer}, queryFields},
	{"query-stops", "Query stops at the first error of each and returns it as it is", []ability{queryer}, queryStops},

	// Abilities of the DB.
	{"prepare-twice", "Prepare leaves a table that is there as it is", []ability{preparer}, prepareTwice},
	{"truncate", "Truncate removes all records of the table, and no others; it can be used again", []ability{truncater}, truncate},
	{"truncate-foreign", "Truncate refuses a table that is not there or that Prepare did not create, and names it", []ability{preparer, truncater}, truncateForeign},
	{"count", "Count returns the number of records of a table, exactly", []ability{counter}, count},
	{"count-missing", "a table that does not exist has no rows to count", []ability{counter}, countMissing},
	{"size", "Size returns bytes, or -1, and more of them for more data", []ability{sizer}, size},
	{"size-missing", "a table that does not exist takes no bytes", []ability{sizer}, sizeMissing},
	{"sync", "Sync loses nothing", []ability{syncer}, syncKeeps},
	{"compact", "Compact loses nothing", []ability{compacter}, compactKeeps},
	{"describe", "Describe names the product, and tells no secret", []ability{describer}, describe},
	{"wrong-password", "opening with a wrong password, or connecting, is an error, without a secret in it", []ability{refuser}, wrongPassword},
	{"secrets", "no error tells a secret", nil, secrets},
}
