//go:build unix

package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/internal/servertest"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/report"
)

// TestServer runs the command against a server that dies, hangs, or refuses it.
func TestServer(t *testing.T) {
	s := servertest.MariaDB(t, servertest.Flags("--innodb-flush-log-at-trx-commit=2", "--skip-log-bin"))
	db := database(t, s, "faults")
	execute(t, db,
		"CREATE USER bench@'%' IDENTIFIED BY '"+secret+"'", "GRANT ALL ON faults.* TO bench@'%'",
		"CREATE USER admin@'%' IDENTIFIED BY '"+secret+"'", "GRANT ALL ON *.* TO admin@'%'")
	a := account{"bench", secret, s.Addr, "faults"}
	load := must(t, slices.Concat([]string{"load", "mysql", "-P", "workloada"}, a.dsn())...)
	if n := count(t, load, "INSERT"); n != 1000 {
		t.Fatalf("%d records loaded; want 1000", n)
	}
	t.Run("works", func(t *testing.T) { testSecretStaysHidden(t, a) })
	t.Run("refuses", func(t *testing.T) { testRefused(t, a) })
	t.Run("hangs", func(t *testing.T) { testHangs(t, s, a) })
	t.Run("is interrupted", func(t *testing.T) { testHangsAndInterrupted(t, s, a) })
	t.Run("dies", func(t *testing.T) { testDies(t, s, a) })
	t.Run("dies in the load", func(t *testing.T) { testDiesInLoad(t, s, db, a) })
}

// account is how to reach a database.
type account struct{ user, password, addr, database string }

// properties returns the account as properties, each for a part.
func (a account) properties() []string {
	host, port, _ := net.SplitHostPort(a.addr)
	return assign("mysql.user="+a.user, "mysql.password="+a.password, "mysql.host="+host, "mysql.port="+port, "mysql.db="+a.database)
}

// dsn returns the account as one property.
func (a account) dsn() []string {
	return assign("mysql.dsn=" + a.user + ":" + a.password + "@tcp(" + a.addr + ")/" + a.database)
}

// forms are the ways to say what the account is.
var forms = []struct {
	name string
	args func(a account) []string
}{
	{"properties", account.properties},
	{"dsn", account.dsn},
}

// testSecretStaysHidden looks for the password in all that runs that succeed write.
func testSecretStaysHidden(t *testing.T, a account) {
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			dir := t.TempDir()
			args := slices.Concat([]string{"run", "mysql", "-P", "workloada"}, form.args(a))
			for _, more := range []string{
				"-p exporter=json -s -p verbose=true -p status.interval=0.1",
				"-p exporter=ycsb-json -p silence=false -p measurement.trackjvm=true",
				"-format text",
				"-s -l label -p exporter=json -p exportfile=" + filepath.Join(dir, "json"),
				"-p exportfile=" + filepath.Join(dir, "ycsb"),
				"--dry-run",
			} {
				p := must(t, slices.Concat(args, strings.Fields(more))...)
				wantNoSecret(t, p.output())
			}
			for _, name := range []string{"json", "ycsb"} {
				data, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil || len(data) == 0 {
					t.Errorf("%d bytes in file %s, %v", len(data), name, err)
				}
				wantNoSecret(t, string(data))
			}
		})
	}
}

// testRefused runs against what the user has to mend first: that is said in one line, before the
// first operation.
func testRefused(t *testing.T, good account) {
	for _, tt := range []struct {
		name   string
		change func(a *account)
		want   string
	}{
		{"password", func(a *account) { a.password += "x" }, "Access denied for user 'bench'"},
		{"user", func(a *account) { a.user = "nobody" }, "Access denied for user 'nobody'"},
		{"host", func(a *account) { a.addr = "no-such-host.invalid:3306" }, "no-such-host.invalid"},
		{"server", func(a *account) { a.addr = "127.0.0.1:1" }, "connection refused"},
		{"database", func(a *account) { a.user, a.database = "admin", "missing" }, "missing"},
		{"database of others", func(a *account) { a.database = "missing" }, "missing"},
	} {
		for _, form := range forms {
			for _, phase := range []string{"load", "run", "bench"} {
				t.Run(tt.name+"/"+form.name+"/"+phase, func(t *testing.T) {
					a := good
					tt.change(&a)
					wantRefused(t, tt.want, slices.Concat([]string{phase, "mysql", "-P", "workloada"}, form.args(a)))
				})
			}
		}
	}
	for _, dsn := range []string{
		secret, "bench:" + secret, "bench:" + secret + "@tcp(h:1", "mysql://bench:" + secret + "@h/faults",
		"bench:" + secret + "@tcp(h:1)/", "bench:" + secret + "@udp(h)/faults", "bench:" + secret + "@tcp(h)/faults?strict=true",
		"bench:" + secret + "/x@tcp(h)/%zz", "bench@tcp(h)/faults?parseTime=" + secret,
	} {
		t.Run("dsn", func(t *testing.T) {
			args := append([]string{"run", "mysql", "-P", "workloada"}, assign("mysql.dsn="+dsn)...)
			wantRefused(t, "mysql.dsn: ", args)
			wantRefused(t, "mysql.dsn: ", append(args, "--dry-run"))
		})
	}
}

// wantRefused runs the command, which has to end with one error before it did anything.
func wantRefused(t *testing.T, want string, args []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "results")
	p, code := run(t, slices.Concat(args, []string{"-s", "-l", "label"}, assign("exporter=json", "exportfile="+file))...)
	if code != 2 || p.stdout.String() != "" {
		t.Errorf("exit code %d; want 2 and nothing on stdout\n%s", code, p.output())
	}
	wantOneLine(t, p, want)
	wantNoSecret(t, p.output())
	wantNoFile(t, file)
}

// faulty starts a run of 8 workers that has to survive what the caller does to the server, and
// returns when it has begun. more are further properties.
func faulty(t *testing.T, a account, more ...string) *process {
	t.Helper()
	p := command(t, slices.Concat([]string{"run", "mysql", "-P", "workloada", "-threads", "8", "-s"}, a.properties(),
		assign("operationcount=0", "status.interval=0.2", "exporter=json"), assign(more...))...).start()
	p.await(progressed)
	return p
}

// result returns the result that the process printed.
func (p *process) result() *ycsb.Result {
	p.t.Helper()
	results, err := report.ReadJSON(bytes.NewBufferString(p.stdout.String()))
	if err != nil || len(results) != 1 {
		p.t.Fatalf("%v: %d results, %v\n%s", p.Args, len(results), err, p.output())
	}
	return results[0]
}

// outcomes returns how many operations had which outcome, closing of connections left out.
func outcomes(ops []ycsb.OpResult) map[string]int {
	n := make(map[string]int)
	for _, op := range ops {
		for _, oc := range op.Outcomes {
			if op.Name != ycsb.OpCleanup {
				n[oc.Name] += int(oc.Count)
			}
		}
	}
	return n
}

// testHangs halts the server, which then neither answers nor breaks connections.
func testHangs(t *testing.T, s *servertest.Server, a account) {
	const seconds = 5
	for _, tt := range []struct {
		name, timeout string
		outcome       string
	}{
		{"with a timeout", "optimeout=200", ycsb.OutcomeTimeout},
		{"with the driver's timeout", "mysql.read_timeout=1", ycsb.OutcomeTimeout},
		{"without", "optimeout=0", ycsb.OutcomeCancelled}, // cut short by the end of the run
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := faulty(t, a, tt.timeout, fmt.Sprint("maxexecutiontime=", seconds))
			s.Stop(t)
			code := p.wait()
			took := time.Since(p.begun)
			wantNoSecret(t, p.output())
			r := p.result()
			n := outcomes(r.Ops)
			if code != 1 || r.Ended != ycsb.EndedDuration || r.Abandoned != 0 {
				t.Errorf("exit code %d, ended: %s, %d abandoned; want 1, %s, 0\n%s",
					code, r.Ended, r.Abandoned, ycsb.EndedDuration, p.stderr.String())
			}
			if n[ycsb.OutcomeOK] == 0 || n[tt.outcome] == 0 {
				t.Errorf("outcomes %v; want OK and %s", n, tt.outcome)
			}
			if bad := total(n) - n[ycsb.OutcomeOK]; bad > 8*100 {
				t.Errorf("outcomes %v: the workers did not wait", n)
			}
			if most := 30 * time.Second; r.Elapsed > (seconds+10)*time.Second || took > most {
				t.Errorf("%v measured, %v in all; want about %ds, at most %v", r.Elapsed, took, seconds, most)
			}
		})
	}
}

func total(n map[string]int) (sum int) {
	for _, v := range n {
		sum += v
	}
	return sum
}

// testHangsAndInterrupted interrupts a run that waits for a server that does not answer.
func testHangsAndInterrupted(t *testing.T, s *servertest.Server, a account) {
	p := faulty(t, a, "grace=600")
	s.Stop(t)
	p.interrupt()
	code := p.wait()
	if r := p.result(); code != 130 || r.Ended != ycsb.EndedInterrupted || outcomes(r.Ops)[ycsb.OutcomeOK] == 0 {
		t.Errorf("exit code %d, ended: %s; want 130, %s and operations\n%s", code, r.Ended, ycsb.EndedInterrupted, p.output())
	}
}

// testDies kills the server in the middle of a run and starts it again.
func testDies(t *testing.T, s *servertest.Server, a account) {
	const seconds = 20 // enough for the server to start again on a machine that has much to do
	p := faulty(t, a, fmt.Sprint("maxexecutiontime=", seconds))
	s.Kill(t)
	p.await(`SERVICE_UNAVAILABLE|-FAILED: Count=[1-9]`)
	s.Restart(t)
	code := p.wait()
	wantNoSecret(t, p.output())
	r := p.result()
	if code != 1 || r.Ended != ycsb.EndedDuration || r.Abandoned != 0 {
		t.Errorf("exit code %d, ended: %s, %d abandoned; want 1, %s, 0\n%s",
			code, r.Ended, r.Abandoned, ycsb.EndedDuration, p.stderr.String())
	}
	if r.Elapsed < seconds*time.Second || r.Elapsed > (seconds+10)*time.Second {
		t.Errorf("%v measured; want about %ds", r.Elapsed, seconds)
	}
	n := outcomes(r.Ops)
	bad := n[ycsb.OutcomeUnavailable] + n[ycsb.OutcomeError]
	if n[ycsb.OutcomeUnavailable] == 0 || bad != total(n)-n[ycsb.OutcomeOK]-n[ycsb.OutcomeCancelled] {
		t.Errorf("outcomes %v; want OK, %s and perhaps ERROR", n, ycsb.OutcomeUnavailable)
	}
	if most := 8 * 60; bad > most { // without pauses it would be tens of thousands a second
		t.Errorf("%d operations failed; want at most %d", bad, most)
	}
	wantRecovery(t, r)
}

// wantRecovery checks that operations succeeded before the failures, and after them.
func wantRecovery(t *testing.T, r *ycsb.Result) {
	t.Helper()
	var before, after int
	failed := false
	for _, iv := range r.Intervals {
		n := outcomes(iv.Ops)
		switch {
		case n[ycsb.OutcomeUnavailable]+n[ycsb.OutcomeError] > 0:
			failed, after = true, 0
		case failed:
			after += n[ycsb.OutcomeOK]
		default:
			before += n[ycsb.OutcomeOK]
		}
	}
	if before == 0 || after == 0 {
		t.Errorf("%d operations succeeded before the failures and %d after them; want some", before, after)
	}
}

// testDiesInLoad kills the server while records are loaded: the load is over, and says so.
func testDiesInLoad(t *testing.T, s *servertest.Server, db *sql.DB, a account) {
	p := command(t, slices.Concat([]string{"load", "mysql", "-P", "workloada", "-target", "1000", "-s"}, a.properties(),
		assign("recordcount=1000000", "table=loaded", "status.interval=0.2", "exporter=json"))...).start()
	p.await(progressed)
	s.Kill(t)
	code := p.wait()
	s.Restart(t)
	wantNoSecret(t, p.output())
	r := p.result()
	if code != 1 || r.Ended != ycsb.EndedError || !strings.Contains(p.stderr.String(), "\nycsb: load: ") {
		t.Errorf("exit code %d, ended: %s; want 1, %s and an error\n%s", code, r.Ended, ycsb.EndedError, p.stderr.String())
	}
	var rows int
	if err := db.QueryRow("SELECT COUNT(*) FROM faults.loaded").Scan(&rows); err != nil {
		t.Fatal(err)
	}
	// Of the insert under way nobody knows. Those before it were acknowledged, and MariaDB's
	// files were written, though not synced.
	inserts, _ := r.Op(ycsb.OpInsert)
	if acked := int(inserts.Outcome(ycsb.OutcomeOK).Count); rows < acked || rows > acked+1 {
		t.Errorf("%d rows after %d acknowledged inserts", rows, acked)
	}
}

// TestMute connects to a server that never says a word, until that takes too long, or until it is
// interrupted.
func TestMute(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, phase := range []string{"load", "run"} {
		t.Run(phase, func(t *testing.T) {
			a := account{"bench", secret, l.Addr().String(), "faults"}
			args := slices.Concat([]string{phase, "mysql", "-P", "workloada"}, a.properties())
			wantRefused(t, a.addr, append(args, "-p", "mysql.connect_timeout=0.5"))
			wantAccepted(t, l)

			p := command(t, append(args, "-p", "mysql.connect_timeout=600")...).start()
			wantAccepted(t, l)
			p.interrupt()
			if code := p.wait(); code != 130 || p.stdout.String() != "" {
				t.Errorf("%v: exit code %d; want 130 and nothing on stdout\n%s", p.Args, code, p.output())
			}
		})
	}
}

// wantAccepted waits for a client, which stays connected until the end of the test.
func wantAccepted(t *testing.T, l net.Listener) {
	t.Helper()
	if err := l.(*net.TCPListener).SetDeadline(time.Now().Add(patient)); err != nil {
		t.Fatal(err)
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
}
