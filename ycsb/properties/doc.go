// Package properties reads settings, in Java's .properties files and elsewhere, into
// typed structs, and is strict about it: what is misspelt, no number or out of
// bounds is an error that says where it was set.
//
//	p, err := properties.Load("workloada", "local.properties") // the later file wins
//	p.SetFrom("threadcount", "16", "-p", 0)                      // so does the command line
//	err = p.Decode(&core)                                        // all bad values at once
//	err = p.Decode(&mysql)
//	err = p.Unknown()                                            // all keys that no struct has
//
// # Files
//
// A file means what java.util.Properties makes of it, including escapes, lines that
// go on after a backslash, and surrogate pairs. The differences: a file that is not
// valid UTF-8 is read as ISO 8859-1 and any other as UTF-8, whereas Java wants to be told; a
// byte order mark is dropped; half of a surrogate pair, which a Go string cannot
// hold, is an error.
//
// # Tags
//
// A field of a struct is a setting if it has a prop tag: a key, followed by options.
// The default and the help text have tags of their own, in which commas are just
// commas:
//
//	Threads     int           `prop:"threadcount,min=1" default:"1" help:"workers"`
//	Warmup      time.Duration `prop:"warmuptime,unit=s,min=0" help:"time left out of the figures"`
//	Percentiles []float64     `prop:"hdrhistogram.percentiles,above=0,max=100" default:"50,95,99"`
//	Order       string        `prop:"insertorder,enum=hashed|ordered" default:"hashed"`
//	Theta       *float64      `prop:"zipfian.theta,alias=zipfian_const,above=0,max=3"`
//	Password    string        `prop:"mysql.password,secret"`
//	Host        string        `prop:"mysql.host,required"`
//
// The options are:
//
//	unit=ns|us|ms|s      the unit of a duration that is a plain number; every duration has it
//	min=x  above=x       the least value; the value that it must exceed
//	max=x  below=x       the greatest value; the value that it must not reach
//	enum=a|b|c           the values there are, of a text; upper and lower case differ
//	alias=key            another key for the same setting; may be repeated
//	secret               the value is shown as ***
//	required             the key must be set, and not to nothing
//
// The bounds and the enum of a list are those of its items. A field without a prop
// tag, or with prop:"-", is no setting. The fields of an embedded struct are those of
// the outer one. Any other struct takes, instead of a key, a prefix for the keys and
// aliases of its fields, which ends in a dot:
//
//	Pool PoolConfig `prop:"mysql.pool."`
//
// Wrong tags are mistakes of the programmer: the first use of the struct panics.
//
// # Types
//
//   - string: the value as it is, blanks at its end included; with an enum they are cut off.
//   - bool: true or false, in upper or lower case.
//   - int and uint of all sizes: a whole number, decimal, without separators and exponents.
//   - float32 and float64: a decimal number, neither NaN nor infinite, nor so small that it would
//     become 0.
//   - time.Duration: a decimal number of units, exact to the nanosecond, or Go's syntax, such as 1m30s.
//   - any type with UnmarshalText and MarshalText.
//   - a slice of one of these: items between commas, blanks around them cut off. The
//     empty value is the empty list, which is a nil slice.
//   - a pointer to one of these: nil as long as the key is not set.
//
// The empty value is an error for all but strings, lists and types that read it themselves.
package properties
