// Package generator draws the numbers, key names and bytes of YCSB workloads. It needs nothing but the
// standard library and can be used alone.
//
// # Distributions
//
// A [Source] draws 64-bit numbers; it is immutable or atomic, so that any number of goroutines can share it,
// each with a random stream of its own:
//
//	requestdistribution  source
//	uniform              Uniform(lo, hi)
//	sequential           Sequential(lo, hi)
//	zipfian              Scrambled(lo, hi, Theta)
//	zipfian_exact        NewExact(n, theta)
//	latest               Latest(limit, Theta), or a Zipf of each worker
//	hotspot              Hotspot(lo, hi, 0.2, 0.8)
//	exponential          Exponential(95, 0.8571428571*n), the distance back from the newest record
//
// Lengths are drawn from [Constant], [Uniform], [Zipfian] and [ParseHistogram], operations from [Discrete].
// The distributions that Java YCSB has are the same here, number by number where that can be told, except for its
// defects: testdata holds what the Java classes printed, and its README.md lists where they are wrong.
//
// Two zipfians differ on purpose. The classic one, [Scrambled], draws a rank from ten thousand million items and
// hashes it onto the records there are; its hottest record gets 3.8 % of the draws however many records there
// are. [Exact] draws from the real number of records: with theta 0.99 its hottest one gets 12.9 % of 1000 and
// 6.5 % of a million.
//
// # Records
//
// A [Sequence] hands out the numbers of new records and knows which of all records may be read. [KeyNames] turns
// a number into a key name, [Fill] makes values, [Seed] derives the seed of each value from the number of its
// record, so that a data set is the same whoever loads it.
package generator
