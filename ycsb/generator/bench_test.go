package generator

import (
	"fmt"
	"math"
	"testing"
)

func BenchmarkSource(b *testing.B) {
	for _, s := range sources(b) {
		b.Run(s.name, func(b *testing.B) {
			r := newRand(1)
			b.ReportAllocs()
			for b.Loop() {
				s.Next(r)
			}
		})
	}
}

func BenchmarkZipfian(b *testing.B) {
	for _, n := range []uint64{100, 1000, 1_000_000, 1_000_000_000} {
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			z := must(NewZipf(n, Theta))(b)
			r := newRand(1)
			b.ReportAllocs()
			for b.Loop() {
				z.Next(r)
			}
		})
	}
}

func BenchmarkExact(b *testing.B) {
	for _, n := range []uint64{1000, 1_000_000, 1_000_000_000} {
		for _, theta := range []float64{0.5, Theta, 1, 2} {
			b.Run(fmt.Sprintf("n=%d/theta=%v", n, theta), func(b *testing.B) {
				e := must(NewExact(n, theta))(b)
				r := newRand(1)
				b.ReportAllocs()
				for b.Loop() {
					e.Next(r)
				}
			})
		}
	}
}

func BenchmarkGrow(b *testing.B) {
	for _, by := range []uint64{0, 1, 1000} {
		b.Run(fmt.Sprint("by=", by), func(b *testing.B) {
			z := must(NewZipf(1000, Theta))(b)
			b.ReportAllocs()
			for b.Loop() {
				z = z.Grow(z.N() + by)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	b.Run("NewZipf/n=1e9", func(b *testing.B) {
		for b.Loop() {
			must(NewZipf(1_000_000_000, Theta))(b)
		}
	})
	b.Run("NewExact/n=1e9", func(b *testing.B) {
		for b.Loop() {
			must(NewExact(1_000_000_000, 0.5))(b)
		}
	})
}

func BenchmarkZeta(b *testing.B) {
	for b.Loop() {
		Zeta(1_000_000_000, Theta)
	}
}

func BenchmarkFill(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			buf := make([]byte, n)
			b.SetBytes(int64(n))
			seed := uint64(0)
			for b.Loop() {
				seed++
				Fill(buf, seed)
			}
		})
	}
}

func BenchmarkSeed(b *testing.B) {
	var sum uint64
	for b.Loop() {
		sum = Seed(1, sum, 3)
	}
}

func BenchmarkKeyName(b *testing.B) {
	for _, order := range []KeyOrder{Hashed, Ordered, HashedGoYCSB} {
		b.Run(fmt.Sprint(order), func(b *testing.B) {
			k := KeyNames{Prefix: "user", Padding: 1, Order: order}
			buf := make([]byte, 0, 64)
			n := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				n++
				buf = k.Append(buf[:0], n)
			}
		})
	}
}

func BenchmarkFNV64(b *testing.B) {
	n := uint64(0)
	for b.Loop() {
		n++
		FNV64(n)
	}
}

func BenchmarkSequence(b *testing.B) {
	b.Run("Next+Ack", func(b *testing.B) {
		s := NewSequence(0)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				_ = s.Ack(s.Next())
			}
		})
	})
	b.Run("Readable", func(b *testing.B) {
		s := NewSequence(1_000_000)
		b.RunParallel(func(pb *testing.PB) {
			for n := uint64(0); pb.Next(); n++ {
				s.Readable(n)
			}
		})
	})
	b.Run("Readable/removed", func(b *testing.B) {
		s := NewSequence(1_000_000)
		for n := range uint64(1000) {
			s.Remove(n * 1000)
		}
		b.RunParallel(func(pb *testing.PB) {
			for n := uint64(0); pb.Next(); n++ {
				s.Readable(n % 1_000_000)
			}
		})
	})
	b.Run("Remove", func(b *testing.B) {
		s := NewSequence(1 << 40)
		b.ReportAllocs()
		for n := uint64(0); b.Loop(); n++ {
			s.Remove(n)
		}
	})
	b.Run("Nearest/10M removed", func(b *testing.B) {
		s := NewSequence(20_000_000)
		for n := range uint64(10_000_000) {
			s.Remove(n)
		}
		for b.Loop() {
			s.Nearest(5, math.MaxUint64)
		}
	})
}
