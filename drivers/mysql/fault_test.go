package mysql

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	client "github.com/go-sql-driver/mysql"
	"github.com/ycsbkit/ycsbkit/internal/servertest"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

const (
	table   = "usertable"
	patient = 30 * time.Second // upper bound for what must not take for ever
)

func schema(fields, length int) ycsb.Schema {
	s := ycsb.Schema{Table: table, FieldLength: length}
	for i := range fields {
		s.Fields = append(s.Fields, fmt.Sprint("field", i))
	}
	return s
}

// connect prepares a table with a row "k", and connects a worker.
func connect(t testing.TB, db *DB) ycsb.Conn {
	t.Helper()
	if err := db.Prepare(t.Context(), schema(2, 100)); err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := conn.Insert(t.Context(), table, []byte("k"), record("old")); err != nil {
		t.Fatal(err)
	}
	return conn
}

func record(value string) *ycsb.Record {
	rec := new(ycsb.Record)
	rec.Append("field0", []byte(value))
	rec.Append("field1", nil)
	return rec
}

func TestServerDies(t *testing.T) {
	s := servertest.MariaDB(t, servertest.Private())
	db := open(t, configOf(t, s))
	conn := connect(t, db)
	ops := map[string]func(ctx context.Context) error{
		"read":   func(ctx context.Context) error { return conn.Read(ctx, table, []byte("k"), nil, new(ycsb.Record)) },
		"update": func(ctx context.Context) error { return conn.Update(ctx, table, []byte("k"), record("new")) },
		"batch": func(ctx context.Context) error {
			return conn.(ycsb.Batcher).Batch(ctx, table, []ycsb.BatchItem{
				{Kind: ycsb.KindUpdate, Key: []byte("k"), Record: record("new")},
				{Kind: ycsb.KindRead, Key: []byte("k"), Record: new(ycsb.Record)},
			})
		},
	}
	ctx, cancel := context.WithCancel(t.Context()) // as a phase has it
	defer cancel()
	for name, op := range ops {
		t.Run(name, func(t *testing.T) {
			if err := op(ctx); err != nil {
				t.Fatal(err)
			}
			tx, err := conn.(ycsb.Transactor).Begin(ctx)
			if err != nil {
				t.Fatal(err)
			}
			s.Kill(t)
			for i := range 3 {
				if err := op(ctx); !errors.Is(err, ycsb.ErrUnavailable) {
					t.Errorf("operation %d without a server: %v; want ErrUnavailable", i, err)
				}
			}
			if err := tx.Commit(ctx); !errors.Is(err, ycsb.ErrUnavailable) {
				t.Errorf("commit without a server: %v; want ErrUnavailable", err)
			}
			if err := tx.Close(); err != nil {
				t.Error(err)
			}
			if err := op(ctx); !errors.Is(err, ycsb.ErrUnavailable) {
				t.Errorf("without a server: %v; want ErrUnavailable", err)
			}
			s.Restart(t)
			for i := range 3 {
				if err := op(ctx); err != nil {
					t.Errorf("operation %d after the restart: %v", i, err)
				}
			}
		})
	}
	if _, err := db.Count(t.Context(), table); err != nil {
		t.Errorf("the handle kept a dead connection: %v", err)
	}
}

func TestServerHangs(t *testing.T) {
	s := servertest.MariaDB(t, servertest.Private())
	conn := connect(t, open(t, configOf(t, s)))
	read := func(ctx context.Context) error {
		return conn.Read(ctx, table, []byte("k"), nil, new(ycsb.Record))
	}
	for _, repeated := range []bool{false, true} {
		if err := read(t.Context()); err != nil {
			t.Fatal(err)
		}
		func() {
			ctx, cancel := context.WithTimeout(t.Context(), patient)
			for range 3 {
				if err := read(ctx); err != nil {
					t.Fatal(err)
				}
			}
			s.Stop(t)
			if repeated { // the context has been seen before
				time.AfterFunc(100*time.Millisecond, cancel)
				if err := within(t, func() error { return read(ctx) }); !errors.Is(err, context.Canceled) {
					t.Errorf("read, cancelled: %v; want %v", err, context.Canceled)
				}
				return
			}
			defer cancel()
			short, cancelShort := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancelShort()
			if err := within(t, func() error { return read(short) }); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("read with a deadline: %v; want %v", err, context.DeadlineExceeded)
			}
			// Now it has to connect, which nobody answers.
			short, cancelShort = context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancelShort()
			if err := within(t, func() error { return read(short) }); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("connecting with a deadline: %v; want %v", err, context.DeadlineExceeded)
			}
		}()
		s.Restart(t)
	}
	if err := read(t.Context()); err != nil {
		t.Errorf("after the pause: %v", err)
	}
}

// within returns what f returns, or fails the test when it does not.
func within(t *testing.T, f func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(patient):
		t.Fatalf("did not return within %v", patient)
		return nil
	}
}

func TestReadTimeout(t *testing.T) {
	s := servertest.MariaDB(t, servertest.Private())
	c := configOf(t, s)
	c.ReadTimeout = time.Second
	c.ConnectTimeout = patient
	conn := connect(t, open(t, c))
	s.Stop(t)
	err := within(t, func() error { return conn.Read(t.Context(), table, []byte("k"), nil, new(ycsb.Record)) })
	if !errors.Is(err, ycsb.ErrTimeout) {
		t.Errorf("read of a server that hangs: %v; want ErrTimeout", err)
	}
}

func TestConflicts(t *testing.T) {
	c := configOf(t, servertest.MariaDB(t))
	db := open(t, c)
	first := connect(t, db)
	second, err := db.Conn(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := first.Insert(t.Context(), table, []byte("l"), record("old")); err != nil {
		t.Fatal(err)
	}
	begin := func(c ycsb.Conn) ycsb.Tx {
		tx, err := c.(ycsb.Transactor).Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	a, b := begin(first), begin(second)
	defer a.Close()
	defer b.Close()
	change := func(tx ycsb.Tx, key string) error { return tx.Update(t.Context(), table, []byte(key), record("new")) }
	if err := errors.Join(change(a, "k"), change(b, "l")); err != nil {
		t.Fatal(err)
	}
	waits := make(chan error, 1)
	go func() { waits <- change(a, "l") }()
	err = errors.Join(change(b, "k"), b.Close(), <-waits)
	if !errors.Is(err, ycsb.ErrConflict) {
		t.Errorf("deadlock: %v; want ErrConflict", err)
	}
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want error
	}{
		{&client.MySQLError{Number: 1062}, ycsb.ErrExists},
		{&client.MySQLError{Number: 1213}, ycsb.ErrConflict},
		{&client.MySQLError{Number: 9007}, ycsb.ErrConflict},
		{&client.MySQLError{Number: 1205}, ycsb.ErrTimeout},
		{&client.MySQLError{Number: 1969}, ycsb.ErrTimeout},
		{&client.MySQLError{Number: 3024}, ycsb.ErrTimeout},
		{&client.MySQLError{Number: 1040}, ycsb.ErrUnavailable},
		{&client.MySQLError{Number: 1053}, ycsb.ErrUnavailable},
		{&client.MySQLError{Number: 1927}, ycsb.ErrUnavailable},
		{fmt.Errorf("x: %w", client.ErrInvalidConn), ycsb.ErrUnavailable},
		{&client.MySQLError{Number: 1235}, ycsb.ErrUnsupported},
		{&client.MySQLError{Number: 1146}, nil},
		{client.ErrPktTooLarge, nil},
	} {
		if got := kindOf(tt.err); got != tt.want {
			t.Errorf("kindOf(%v) = %v; want %v", tt.err, got, tt.want)
		}
	}
}

func TestLockWait(t *testing.T) {
	c := configOf(t, servertest.MariaDB(t))
	db := open(t, c)
	first := connect(t, db)
	must(t, handleOf(t, c), "ALTER TABLE "+table+" COMMENT='somebody else''s'")
	tx, err := first.(ycsb.Transactor).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	if err := tx.Update(t.Context(), table, []byte("k"), record("new")); err != nil {
		t.Fatal(err)
	}
	other := handleOf(t, c)
	other.SetMaxOpenConns(1)
	must(t, other, "SET innodb_lock_wait_timeout = 1")
	sdb, err := New(other, c)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := sdb.Conn(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Update(t.Context(), table, []byte("k"), record("newer")); !errors.Is(err, ycsb.ErrTimeout) {
		t.Errorf("update of a locked row: %v; want ErrTimeout", err)
	}
	if _, err := sdb.Conn(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "no more than 1") {
		t.Errorf("one connection too many: %v", err)
	}
}

func TestConnErrors(t *testing.T) {
	s := servertest.MariaDB(t)
	account := secretAccount(t, s)
	for _, tt := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"password", func(c *Config) { c.Password = secret + "x" }, "Access denied"},
		{"database", func(c *Config) { c.Database = "no_such_" + c.Database }, "mysql.db"},
		{"host", func(c *Config) { c.Host = "no-such-host.invalid" }, "no-such-host.invalid"},
		{"port", func(c *Config) { c.Port = 1 }, "connection refused"},
		{"socket", func(c *Config) { c.Socket = filepath.Join(t.TempDir(), "none") }, "no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := account
			tt.change(&c)
			db := open(t, c)
			_, err := db.Conn(t.Context(), 0)
			wantError(t, err, tt.want)
			err = db.Prepare(t.Context(), schema(1, 1))
			wantError(t, err, tt.want)
		})
	}
}

// wantError reports when err has not the text, or has the password.
func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v; want one with %q", err, text)
	}
	if all := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(all, secret) {
		t.Errorf("the password shows: %s", all)
	}
}

func TestOpenErrors(t *testing.T) {
	noPEM := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(noPEM, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		c    Config
		want string
	}{
		{"port", Config{Port: 70000}, "mysql.port"},
		{"insert", Config{Insert: "replace"}, "mysql.insert"},
		{"engine", Config{Engine: "InnoDB; DROP TABLE x"}, "mysql.engine"},
		{"options", Config{TableOptions: "x; y"}, "mysql.table_options"},
		{"tls", Config{TLS: "yes"}, "mysql.tls"},
		{"ca without tls", Config{TLSCA: noPEM}, "mysql.tls"},
		{"no ca", Config{TLS: "true", TLSCA: noPEM + "x"}, "mysql.tls.ca"},
		{"bad ca", Config{TLS: "true", TLSCA: noPEM}, "mysql.tls.ca"},
		{"ca with preferred", Config{TLS: "preferred", TLSCA: noPEM}, "mysql.tls.ca: want mysql.tls=true"},
		{"ca with skip-verify", Config{TLS: "skip-verify", TLSCA: noPEM}, "mysql.tls.ca: want mysql.tls=true"},
		{"key", Config{TLS: "true", TLSKey: noPEM}, "mysql.tls.key"},
		{"bad key", Config{TLS: "true", TLSKey: noPEM, TLSCert: noPEM}, "mysql.tls.cert"},
		{"several", Config{Port: -1, Insert: "x"}, "mysql.insert"},
		{"several, too", Config{Port: -1, Insert: "x"}, "mysql.port"},
		{"dsn without slash", Config{DSN: "root:" + secret}, "mysql.dsn"},
		{"dsn with a bool", Config{DSN: "root@tcp(h:1)/d?parseTime=" + secret}, "mysql.dsn"},
		{"dsn with a tls", Config{DSN: "root@tcp(h:1)/d?tls=" + secret}, "mysql.dsn"},
		{"dsn with an escape", Config{DSN: "root:x@tcp(h:1)/%zz" + secret}, "mysql.dsn"},
		{"dsn with a network", Config{DSN: "root:" + secret + "@" + secret + "(h)/d"}, "mysql.dsn"},
		{"dsn with an option of old", Config{DSN: "root:" + secret + "@tcp(h)/d?strict=true"}, "mysql.dsn"},
		{"dsn without database", Config{DSN: "root:" + secret + "@tcp(h)/"}, "mysql.dsn"},
		{"url", Config{DSN: "mysql://root:" + secret + "@h/d"}, "URL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(t.Context(), tt.c)
			wantError(t, err, tt.want)
		})
	}
	p := properties.New()
	p.Set("mysql.port", "many")
	p.Set("mysql.insert", "maybe")
	_, err := ycsb.Open(t.Context(), "mysql", p)
	wantError(t, err, "mysql.port")
	wantError(t, err, "mysql.insert")
}

// TestBesideDSN sets properties of which the data source name says something already.
// TestSettings has data source names: the settings are what they say.
func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		dsn  string
		want map[string]string
	}{
		{"", nil},
		{"nonsense", nil},
		{"u:" + secret + "@tcp(db7:3399)/bench", map[string]string{
			"mysql.host": "db7", "mysql.port": "3399", "mysql.socket": "", "mysql.user": "u", "mysql.db": "bench",
			"mysql.tls": "false", "mysql.read_timeout": "0", "mysql.interpolate": "false",
		}},
		{"u:" + secret + "@tcp(db7)/bench", map[string]string{
			"mysql.host": "db7", "mysql.port": "3306", "mysql.socket": "", "mysql.user": "u", "mysql.db": "bench",
			"mysql.tls": "false", "mysql.read_timeout": "0", "mysql.interpolate": "false",
		}},
		{"u:" + secret + "@unix(/run/sock)/bench?tls=skip-verify&readTimeout=1500ms&interpolateParams=true", map[string]string{
			"mysql.host": "", "mysql.port": "", "mysql.socket": "/run/sock", "mysql.user": "u", "mysql.db": "bench",
			"mysql.tls": "skip-verify", "mysql.read_timeout": "1.5", "mysql.interpolate": "true",
		}},
	} {
		if got := (Config{DSN: tt.dsn}).Settings(); !maps.Equal(got, tt.want) {
			t.Errorf("Settings with %s = %v; want %v", tt.dsn, got, tt.want)
		}
	}
}

func TestBesideDSN(t *testing.T) {
	const dsn = "root:" + secret + "@tcp(h)/d"
	_, err := Open(t.Context(), Config{
		DSN: dsn, Host: "h", Port: 1, Socket: "/s", User: "u", Password: secret + "2", Database: "d",
		TLS: "true", TLSCA: "/ca", TLSCert: "/cert", TLSKey: "/key", ReadTimeout: time.Second, Insert: "x",
	})
	for _, key := range []string{
		"mysql.host", "mysql.port", "mysql.socket", "mysql.user", "mysql.password", "mysql.db", "mysql.tls", "mysql.tls.ca",
		"mysql.tls.cert", "mysql.tls.key", "mysql.read_timeout", "mysql.insert",
	} {
		wantError(t, err, key+": ")
	}
	_, err = Open(t.Context(), Config{DSN: dsn, Password: secret})
	wantError(t, err, "mysql.password: not heeded with mysql.dsn: say it there, user:password@tcp(host:port)/database")

	p := properties.New()
	for key, value := range map[string]string{
		"mysql.dsn": dsn, "mysql.port": "3306", "mysql.db": "test", "mysql.tls": "false", // defaults
		"mysql.connect_timeout": "3", "mysql.insert": "upsert", "mysql.engine": "InnoDB", "mysql.force_index": "false",
	} {
		p.Set(key, value)
	}
	db, err := ycsb.Open(t.Context(), "mysql", p)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// TestFewStatements has a server that prepares no more than four statements.
func TestFewStatements(t *testing.T) {
	s := servertest.MariaDB(t, servertest.Flags("--max-prepared-stmt-count=4"))
	c := configOf(t, s)
	db := open(t, c)
	conn := connect(t, db)
	read := func(conn ycsb.Conn, fields ...string) error {
		return conn.Read(t.Context(), table, []byte("k"), fields, new(ycsb.Record))
	}
	sets := [][]string{{"field0"}, {"field1"}, {"field0", "field1"}, {"field1", "field0"}}
	for range 3 {
		for _, fields := range sets {
			if err := read(conn, fields...); err != nil {
				t.Errorf("read of %q: %v", fields, err)
			}
		}
		if err := conn.Update(t.Context(), table, []byte("k"), record("new")); err != nil {
			t.Errorf("update: %v", err)
		}
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}

	another := func(db *DB) ycsb.Conn {
		conn, err := db.Conn(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	conn = another(db)
	for _, fields := range sets {
		if err := read(conn, fields...); err != nil {
			t.Errorf("read of %q: %v", fields, err)
		}
	}
	wantError(t, read(another(db), "field0"), "mysql.interpolate=true")
	dsn := fmt.Sprintf("root@tcp(%s)/%s?interpolateParams=true", s.Addr, c.Database)
	if err := read(another(open(t, Config{DSN: dsn})), "field0"); err != nil {
		t.Errorf("read with %s: %v", dsn, err)
	}
}

func TestRedactedErrors(t *testing.T) {
	c := &connector{config: &client.Config{Passwd: secret}}
	err := c.redact(fmt.Errorf("%s: %w", secret, errors.Join(&client.MySQLError{Number: 1045}, ycsb.ErrUnavailable)))
	wantError(t, err, "***: Error 1045")
	var me *client.MySQLError
	if !errors.As(err, &me) || me.Number != 1045 || !errors.Is(err, ycsb.ErrUnavailable) {
		t.Errorf("%v is neither the client's error nor %v", err, ycsb.ErrUnavailable)
	}
}

func TestSecretsStayHidden(t *testing.T) {
	c := Config{Password: secret, DSN: "root:" + secret + "@tcp(h)/d"}
	db := open(t, Config{Password: secret})
	js, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{string(js), fmt.Sprint(properties.Encode(c))}
	for _, v := range []any{c, &c, []Config{c}, map[string]Config{"x": c}, struct{ C Config }{c}, db, *db} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d"} {
			texts = append(texts, fmt.Sprintf(verb, v))
		}
	}
	for _, text := range texts {
		if strings.Contains(text, secret) {
			t.Errorf("the password shows: %s", text)
		}
	}
}

func TestPrepareForeign(t *testing.T) {
	for _, tt := range []struct {
		name, columns string
		length        int
		want          string
	}{
		{"fits", "YCSB_KEY VARCHAR(255) PRIMARY KEY, FIELD0 TEXT, FIELD1 TEXT", 100, ""},
		{"go-ycsb", "YCSB_KEY VARCHAR(64) PRIMARY KEY, FIELD0 VARCHAR(100), FIELD1 VARCHAR(100)", 100, ""},
		{"no key", "id INT PRIMARY KEY, field0 TEXT, field1 TEXT", 100, "no column YCSB_KEY"},
		{"few fields", "YCSB_KEY VARBINARY(64) PRIMARY KEY, field0 TEXT", 100, "no column field1"},
		{"short", "YCSB_KEY VARBINARY(64) PRIMARY KEY, field0 TEXT, field1 VARBINARY(99)", 100, "column field1 takes 99 bytes; want 100"},
		{
			"short in characters", "YCSB_KEY VARBINARY(64) PRIMARY KEY, field0 TEXT, field1 VARCHAR(100) CHARACTER SET utf8mb4",
			300, "column field1 takes 100 bytes; want 300",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := configOf(t, servertest.MariaDB(t))
			must(t, handleOf(t, c), "CREATE TABLE "+table+" ("+tt.columns+")")
			db := open(t, c)
			err := db.Prepare(t.Context(), schema(2, tt.length))
			if tt.want != "" {
				wantError(t, err, tt.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			conn := connect(t, db)
			var rec ycsb.Record
			if err := conn.Read(t.Context(), table, []byte("k"), []string{"field0", "field1"}, &rec); err != nil || rec.Len() != 2 {
				t.Errorf("Read: %d fields, %v; want 2", rec.Len(), err)
			}
			wantError(t, db.Truncate(t.Context(), table), table)
			if n, err := db.Count(t.Context(), table); n != 1 || err != nil {
				t.Errorf("Count = %d, %v; want 1", n, err)
			}
		})
	}
}

// TestGeneratedColumns uses a table of somebody else's with columns that cannot be written.
func TestGeneratedColumns(t *testing.T) {
	c := configOf(t, servertest.MariaDB(t))
	c.Insert = "upsert"
	must(t, handleOf(t, c), "CREATE TABLE "+table+` (YCSB_KEY VARBINARY(64) PRIMARY KEY,
		field0 VARBINARY(100) DEFAULT (CONCAT('a', 'b')), field1 VARBINARY(100),
		stored VARBINARY(200) AS (CONCAT(field0, field1)) STORED, computed VARBINARY(200) AS (CONCAT(field1, field0)) VIRTUAL)`)
	conn := connect(t, open(t, c))
	if err := conn.Insert(t.Context(), table, []byte("k"), record("new")); err != nil {
		t.Fatal(err)
	}
	var rec ycsb.Record
	if err := conn.Read(t.Context(), table, []byte("k"), nil, &rec); err != nil {
		t.Fatal(err)
	}
	if v, _ := rec.Get("field0"); rec.Len() != 2 || string(v) != "new" {
		t.Errorf("Read: %d fields, field0 %q; want 2 and new", rec.Len(), v)
	}
}

func TestTypes(t *testing.T) {
	for _, tt := range []struct {
		fields, length, key int
		wantKey, wantValue  string
	}{
		{10, 100, 0, "VARBINARY(255) NOT NULL", "VARBINARY(100)"},
		{10, 100, 300, "VARBINARY(300) NOT NULL", "VARBINARY(100)"},
		{10, 6000, 0, "VARBINARY(255) NOT NULL", "VARBINARY(6000)"},
		{10, 7000, 0, "VARBINARY(255) NOT NULL", "LONGBLOB"},
		{100, 100, 0, "VARBINARY(255) NOT NULL", "VARBINARY(256)"},
		{1, 1 << 20, 0, "VARBINARY(255) NOT NULL", "LONGBLOB"},
		{1, 0, 0, "VARBINARY(255) NOT NULL", "LONGBLOB"},
	} {
		s := schema(tt.fields, tt.length)
		s.KeyLength = tt.key
		key, value := types(s)
		if key != tt.wantKey || value != tt.wantValue {
			t.Errorf("types(%+v) = %s, %s; want %s, %s", s, key, value, tt.wantKey, tt.wantValue)
		}
	}
}

// TestWideTables makes tables whose rows exceed what InnoDB keeps in a page.
func TestWideTables(t *testing.T) {
	for _, tt := range []struct{ fields, length int }{{100, 100}, {50, 200}, {31, 255}} {
		t.Run(fmt.Sprint(tt.fields, "x", tt.length), func(t *testing.T) {
			db := open(t, configOf(t, servertest.MariaDB(t)))
			s := schema(tt.fields, tt.length)
			if err := db.Prepare(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			conn, err := db.Conn(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			want, got := new(ycsb.Record), new(ycsb.Record)
			for i, f := range s.Fields {
				want.Append(f, bytes.Repeat([]byte{byte(i)}, tt.length))
			}
			if err := conn.Insert(t.Context(), table, []byte("k"), want); err != nil {
				t.Fatal(err)
			}
			if err := conn.Read(t.Context(), table, []byte("k"), nil, got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Fields(), want.Fields()) {
				t.Errorf("Read: %d fields; want the %d that were inserted", got.Len(), want.Len())
			}
		})
	}
}

func TestDescribe(t *testing.T) {
	db := open(t, configOf(t, servertest.MariaDB(t)))
	connect(t, db)
	info, err := db.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", info)
	if info.Product == "" || info.Version == "" || info.Engine != "InnoDB" || !strings.Contains(info.Durability, "sync_binlog=") {
		t.Errorf("Describe = %+v", info)
	}
	size, err := db.Size(t.Context(), table)
	if err != nil || size.Storage <= 0 {
		t.Errorf("Size = %+v, %v", size, err)
	}
}

// TestSizeInSharedTablespace has all tables in one file, whose free space is nobody's.
func TestSizeInSharedTablespace(t *testing.T) {
	db := open(t, configOf(t, servertest.MariaDB(t, servertest.Flags("--innodb-file-per-table=0"))))
	connect(t, db)
	if size, err := db.Size(t.Context(), table); size.Storage <= 0 || size.Storage > 1<<20 || err != nil {
		t.Errorf("Size of a table with one record = %+v, %v; want less than a mebibyte", size, err)
	}
}
