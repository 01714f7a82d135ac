// Package sqldb turns a [database/sql.DB] into a [ycsb.DB]. What one database does differently
// from the others is in a [Dialect]; packages of drivers, such as drivers/mysql, consist of one
// and of the properties that lead to a connection.
//
// # Table
//
// A record is a row of a table with the columns of Java YCSB and go-ycsb: YCSB_KEY, the primary
// key, and one column for each field, under its name. A field that is NULL is one that the
// record lacks. A table that Prepare made carries a mark, and Truncate empties no other.
//
// # Connections
//
// A worker has a connection of its own, with its own prepared statements, one for each kind of
// operation and set of fields. When it breaks, the operation returns [ycsb.ErrUnavailable]; the
// next one connects anew. Nothing is sent twice.
//
// # Contexts
//
// For each call with a context that can be cancelled, database/sql or the client below it wakes
// a goroutine, which can double the client's CPU time. With [Config.Wire] a worker's
// connection watches the context itself, once for as long as it stays the same, and breaks the
// connection when it ends. Values of contexts reach the client as they were when the watch
// began.
package sqldb
