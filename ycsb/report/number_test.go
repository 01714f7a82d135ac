package report

import (
	"math"
	"testing"
	"time"
)

func TestJavaDouble(t *testing.T) {
	for _, tt := range []struct {
		in   float64
		want string
	}{
		{0, "0.0"},
		{1, "1.0"},
		{-1.5, "-1.5"},
		{100, "100.0"},
		{0.1, "0.1"},
		{0.001, "0.001"},
		{0.0009999, "9.999E-4"},
		{0.0001, "1.0E-4"},
		{-0.00025, "-2.5E-4"},
		{9999999, "9999999.0"},
		{9999999.999, "9999999.999"},
		{1e7, "1.0E7"},
		{12345678.9, "1.23456789E7"},
		{3.33284865791e7, "3.33284865791E7"},
		{1e10, "1.0E10"},
		{1e23, "1.0E23"},
		{2e23, "2.0E23"},
		{1.7976931348623157e308, "1.7976931348623157E308"},
		{5e-324, "4.9E-324"},
		{1000.0 / 0.202, "4950.495049504951"},
		{1.0 / 42, "0.023809523809523808"},
		{4.0 / 510, "0.00784313725490196"},
		{1e-10, "1.0E-10"},
	} {
		if got := javaDouble(tt.in); got != tt.want {
			t.Errorf("javaDouble(%v) = %s; want %s", tt.in, got, tt.want)
		}
	}
}

func TestJavaDecimal(t *testing.T) {
	for _, tt := range []struct {
		in   float64
		want string
	}{
		{0, "0"},
		{0.004, "0"},
		{-0.001, "0"},
		{0.5, "0.5"},
		{3.625, "3.62"},
		{3.635, "3.63"}, // less than that in binary
		{3.375, "3.38"},
		{5200.5, "5200.5"},
		{100.2, "100.2"},
		{316, "316"},
		{99.999, "100"},
		{1e9, "1000000000"},
	} {
		if got := javaDecimal(tt.in); got != tt.want {
			t.Errorf("javaDecimal(%v) = %s; want %s", tt.in, got, tt.want)
		}
	}
}

func TestOrdinal(t *testing.T) {
	for _, tt := range []struct {
		in   float64
		want string
	}{
		{0, "0th"},
		{1, "1st"},
		{2, "2nd"},
		{3, "3rd"},
		{4, "4th"},
		{10, "10th"},
		{11, "11th"},
		{12, "12th"},
		{13, "13th"},
		{21, "21st"},
		{50, "50th"},
		{73, "73rd"},
		{92, "92nd"},
		{99, "99th"},
		{99.9, "99.9"},
		{99.99, "99.99"},
		{0.0005, "5.0E-4"},
		{100, "100th"},
	} {
		if got := ordinal(tt.in); got != tt.want {
			t.Errorf("ordinal(%v) = %s; want %s", tt.in, got, tt.want)
		}
	}
}

func TestSignificant(t *testing.T) {
	for _, tt := range []struct {
		in   float64
		want string
	}{
		{0, "0"},
		{0.0123456, "0.0123"},
		{1, "1.00"},
		{9.994, "9.99"},
		{9.996, "10.0"},
		{99.96, "100"},
		{123.4, "123"},
		{1234567, "1234567"},
		{0.00001234, "1.23e-05"},
		{1.5e20, "1.5e+20"},
		{math.Inf(1), "-"},
		{math.NaN(), "-"},
	} {
		if got := significant(tt.in); got != tt.want {
			t.Errorf("significant(%v) = %s; want %s", tt.in, got, tt.want)
		}
	}
}

func TestDurations(t *testing.T) {
	for _, tt := range []struct {
		in          time.Duration
		short, long string
	}{
		{0, "0ns", "0ns"},
		{999, "999ns", "999ns"},
		{1000, "1.00µs", "1.00µs"},
		{999_400, "999µs", "999µs"},
		{999_600, "1.00ms", "1.00ms"},
		{241_470_000, "241ms", "241ms"},
		{999_500_000, "1.00s", "1.00s"},
		{12_345_000_000, "12.3s", "12.3s"},
		{time.Hour, "3600s", "1h0m0s"},
		{10 * time.Hour, "10.0h", "10h0m0s"},
		{100 * time.Hour, "100h", "100h0m0s"},
	} {
		if got := short(tt.in); got != tt.short {
			t.Errorf("short(%v) = %s; want %s", tt.in, got, tt.short)
		}
		if got := long(tt.in); got != tt.long {
			t.Errorf("long(%v) = %s; want %s", tt.in, got, tt.long)
		}
	}
}

func TestJavaRemaining(t *testing.T) {
	for _, tt := range []struct {
		in   int64
		want string
	}{
		{0, "0 second "},
		{3, "3 second "},
		{9, "9 second "},
		{10, "10 seconds "},
		{59, "59 seconds "},
		{60, "1 minute "},
		{63, "1 minute "},
		{125, "2 minutes "},
		{3600, "1 hour "},
		{3840, "1 hour 4 minutes "},
		{7325, "2 hours 2 minutes "},
		{86400, "1 day "},
		{86400 + 59*60, "1 day "},
		{90061, "1 day 1 hour "},
		{3*86400 + 2*3600, "3 days 2 hours "},
	} {
		if got := javaRemaining(tt.in); got != tt.want {
			t.Errorf("javaRemaining(%d) = %q; want %q", tt.in, got, tt.want)
		}
	}
}
