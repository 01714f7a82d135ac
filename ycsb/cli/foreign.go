package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// unused are properties of measurements that hdrhistogram has no use for, with the values that they
// have by default: these ask for nothing, and files made from YCSB's template have some.
var unused = map[string]string{
	"hdrhistogram.output.path": "", "histogram.buckets": "1000", "timeseries.granularity": "1000",
	"measurement.raw.output_file": "", "measurement.raw.no_summary": "false",
}

// foreign are properties, or with a dot at the end namespaces, of Java YCSB and go-ycsb that
// files may have and that mean nothing here.
var foreign = []string{
	// The clients themselves.
	"dotransactions", "spin.sleep", "htrace.", "maxscanrate", "scanoptimelimit", "discardscannedrecord",
	"outputstyle", "histogram.percentiles.export", "histogram.percentiles.export.filepath", "debug.pprof",

	// Java's bindings. The first two have no database.
	"basicdb.", "basictsdb.", "accumulo.", "aerospike.", "arangodb.", "as.", "asynchbase.", "azure.",
	"azurecosmos.", "azuredocumentdb.", "azuretablestorage.", "cassandra.", "cloudspanner.", "couchbase.",
	"crail.", "db.", "dynamodb.", "elasticsearch.", "es.", "foundationdb.", "geode.", "google.bigtable.",
	"googlebigtable.", "googledatastore.", "griddb.", "hbase.", "hypertable.", "ignite.", "infinispan.", "jdbc.",
	"kudu.", "maprdb.", "maprjsondb.", "memcached.", "mongodb.", "nosqldb.", "orientdb.", "postgrenosql.",
	"rados.", "redis.", "rest.", "riak.", "rocksdb.", "s3.", "scylla.", "seaweed.", "solr.", "tablestore.",
	"tarantool.", "voltdb.", "zookeeper.",
	"clientbuffering", "columnfamily", "debug", "durability", "hosts", "keytab", "port", "principal",
	"url.prefix", "writebuffersize",

	// Those of go-ycsb that Java has not.
	"badger.", "bbolt.", "bolt.", "elastic.", "etcd.", "fdb.", "minio.", "mysql.", "pegasus.", "pg.",
	"spanner.", "sqlite.", "taas.", "tidb.", "tigris.", "tikv.", "ydb.",
}

// bindings are our names for databases that have others in Java YCSB and go-ycsb: what follows
// the package in the name of a class, and names of bindings.
var bindings = map[string]string{
	"BasicDB": "noop", "NullDB": "noop", "basic": "noop", "nulldb": "noop",
	"MongoDbClient": "mongodb", "AsyncMongoDbClient": "mongodb", "mongodb-async": "mongodb",
	"RedisClient":      "redis",
	"CouchbaseClient":  "couchbase",
	"Couchbase2Client": "couchbase", "couchbase2": "couchbase",
	"pg": "postgres",
}

// driverName returns the name of the driver that a name from Java YCSB or go-ycsb stands for.
// A driver's own name stands for itself.
func driverName(name string, drivers []string) string {
	if slices.Contains(drivers, name) {
		return name
	}
	base := name
	if strings.HasPrefix(name, "site.ycsb.") || strings.HasPrefix(name, "com.yahoo.ycsb.") {
		base = name[strings.LastIndex(name, ".")+1:]
	}
	if ours := bindings[base]; slices.Contains(drivers, ours) {
		return ours
	}
	return name
}

// adopt sets what properties of others stand for with us.
func adopt(p *properties.Properties) {
	interval, ok := p.Lookup("measurement.interval")
	if !ok {
		return
	}
	// A number is go-ycsb's time between two status lines. Of any other the report's settings tell
	// what is wrong with it.
	n, err := strconv.ParseUint(strings.TrimSpace(interval.Value), 10, 32)
	if err != nil || n == 0 {
		return
	}
	if _, ok := p.Lookup("status.interval"); !ok {
		p.SetFrom("status.interval", interval.Value, interval.File, interval.Line)
	}
}

// isForeign tells whether a key is one of others that means nothing here.
func isForeign(key string) bool {
	return slices.ContainsFunc(foreign, func(f string) bool {
		return key == f || strings.HasSuffix(f, ".") && strings.HasPrefix(key, f)
	})
}

// namespace returns the first part of a key, its dot included, "" if it has but one.
func namespace(key string) string {
	first, _, ok := strings.Cut(key, ".")
	if !ok {
		return ""
	}
	return first + "."
}
