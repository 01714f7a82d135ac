package report

import (
	"strings"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func TestStatusLine(t *testing.T) {
	at := time.Date(2026, 11, 30, 11, 38, 45, 570_999_999, time.UTC)
	read := ok("READ", hist(2, 1*us, 2*us))
	for _, tt := range []struct {
		name string
		in   ycsb.Status
		want string
	}{
		{
			"in the middle",
			ycsb.Status{Time: at, Elapsed: time.Second, Length: time.Second, Steps: 319, Recent: 316, Planned: 1000, Latest: []ycsb.OpResult{read}},
			"exp1:2026-11-30 11:38:45:570 1 sec: 319 operations; 316 current ops/sec; est completion in 3 second " +
				"[READ: Count=4, Max=2, Min=1, Avg=1.5, 50=1, 90=2, 99=2, 99.9=2, 99.99=2] ",
		},
		{
			"no length",
			ycsb.Status{Time: at, Steps: 3, Recent: 3, Planned: 1000},
			"exp1:2026-11-30 11:38:45:570 0 sec: 3 operations; 0 current ops/sec; ",
		},
		{
			"nothing done",
			ycsb.Status{Time: at, Elapsed: 10 * time.Second, Length: 10 * time.Second, Planned: 1000},
			"exp1:2026-11-30 11:38:45:570 10 sec: 0 operations; ",
		},
		{
			"unknown end",
			ycsb.Status{Time: at, Elapsed: 2999 * ms, Length: 999 * ms, Steps: 20, Recent: 10},
			"exp1:2026-11-30 11:38:45:570 2 sec: 20 operations; 10.01 current ops/sec; ",
		},
		{
			"long to go",
			ycsb.Status{Time: at, Elapsed: time.Second, Length: time.Second, Steps: 260, Recent: 243, Planned: 1000000},
			"exp1:2026-11-30 11:38:45:570 1 sec: 260 operations; 243 current ops/sec; est completion in 1 hour 4 minutes ",
		},
		{
			"over",
			ycsb.Status{Time: at, Elapsed: time.Second, Length: time.Second, Steps: 260, Recent: 0, Planned: 1000, Final: true},
			"exp1:2026-11-30 11:38:45:570 1 sec: 260 operations; 0 current ops/sec; ",
		},
		{
			"ages to go",
			ycsb.Status{Time: at, Elapsed: 1 << 62, Length: 1, Steps: 1, Planned: 1 << 62},
			"exp1:2026-11-30 11:38:45:570 4611686018 sec: 1 operations; 0 current ops/sec; est completion in 104249991374 days 7 hours ",
		},
	} {
		if got := StatusLine("exp1:", tt.in, nil); got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestStatusLineSeries(t *testing.T) {
	s := ycsb.Status{Latest: []ycsb.OpResult{op("READ",
		outcome(ycsb.OutcomeOK, hist(1, 1*ms), hist(1, 9*ms)),
		outcome(ycsb.OutcomeNotFound, hist(1, 2*ms), hist(1, 8*ms)),
		outcome(ycsb.OutcomeTimeout, hist(1, 3*ms), hist(1, 7*ms)))}}
	for _, tt := range []struct {
		c    *Config
		want string
	}{
		{nil, "READ READ-FAILED"},
		{&Config{EachError: true}, "READ READ-NOT_FOUND READ-TIMEOUT"},
		{&Config{TrackedErrors: []string{"TIMEOUT"}}, "READ READ-FAILED READ-TIMEOUT"},
		{&Config{Interval: IntervalIntended}, "READ READ-FAILED"},
		{&Config{Interval: IntervalBoth}, "READ READ-FAILED Intended-READ Intended-READ-FAILED"},
	} {
		var names []string
		for _, m := range statusSeries.FindAllStringSubmatch(StatusLine("", s, tt.c), -1) {
			names = append(names, m[1])
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("series of %+v = %s; want %s", tt.c, got, tt.want)
		}
	}
	if line := StatusLine("", s, &Config{Interval: IntervalIntended}); !strings.Contains(line, "Max=9003, Min=8994") {
		t.Errorf("not of response times: %s", line)
	}
}
