package mysql

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
	"testing"

	client "github.com/go-sql-driver/mysql"
	"github.com/ycsbkit/ycsbkit/internal/servertest"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/ycsbtest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

const secret = "S3cr3t-XYZ"

var databases atomic.Int64

// configOf returns the configuration of a new database on s.
func configOf(t testing.TB, s *servertest.Server) Config {
	t.Helper()
	c := Config{DSN: s.External}
	if s.External == "" {
		host, port, err := net.SplitHostPort(s.Addr)
		if err != nil {
			t.Fatal(err)
		}
		c.Host = host
		if c.Port, err = strconv.Atoi(port); err != nil {
			t.Fatal(err)
		}
		c.Database = "mysql"
	}
	name := fmt.Sprintf("ycsb_test_%d", databases.Add(1))
	admin := handleOf(t, c)
	must(t, admin, "DROP DATABASE IF EXISTS "+name)
	must(t, admin, "CREATE DATABASE "+name)
	t.Cleanup(func() { must(t, admin, "DROP DATABASE "+name) })
	if s.External == "" {
		c.Database = name
		return c
	}
	cc, err := client.ParseDSN(c.DSN)
	if err != nil {
		t.Fatal("YCSB_MYSQL_DSN cannot be parsed")
	}
	cc.DBName = name
	c.DSN = cc.FormatDSN()
	return c
}

// handleOf returns a plain handle of the client.
func handleOf(t testing.TB, c Config) *sql.DB {
	t.Helper()
	cc, err := c.client()
	if err != nil {
		t.Fatal(err)
	}
	inner, err := client.NewConnector(cc)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(inner)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func must(t testing.TB, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.Exec(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// open opens c, and closes it at the end of the test.
func open(t testing.TB, c Config) *DB {
	t.Helper()
	db, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestConformance(t *testing.T) {
	s := servertest.MariaDB(t)
	account := secretAccount(t, s)
	for _, tt := range []struct {
		name   string
		change func(*Config)
		except map[string]string
	}{
		{"insert", func(*Config) {}, nil},
		{"upsert", func(c *Config) { c.Insert = "upsert" }, nil},
		{"interpolate", func(c *Config) { c.Interpolate = true }, nil},
		{"MyISAM", func(c *Config) { c.Engine = "MyISAM" }, map[string]string{
			"tx-commit":   "the engine has no transactions",
			"tx-rollback": "the engine has no transactions",
		}},
		{"options", func(c *Config) { c.TableOptions = "ROW_FORMAT=COMPRESSED" }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c Config
			tt.change(&c)
			suite := ycsbtest.Suite{
				Open: func(t testing.TB) ycsb.DB {
					c := configOf(t, s)
					tt.change(&c)
					return open(t, c)
				},
				Upsert:  c.Insert == "upsert",
				Columns: true,
				OpenRefused: func(t testing.TB) (ycsb.DB, error) {
					c := account
					c.Password = secret + "-wrong"
					return Open(t.Context(), c)
				},
				Secrets: []string{secret},
				Except:  tt.except,
			}
			suite.Test(t)
		})
	}
	t.Run("own contexts", func(t *testing.T) {
		ycsbtest.Suite{
			Open:    func(t testing.TB) ycsb.DB { return ownDB{open(t, configOf(t, s))} },
			Columns: true,
		}.Test(t)
	})
	t.Run("New", func(t *testing.T) {
		ycsbtest.Suite{
			Open: func(t testing.TB) ycsb.DB {
				c := configOf(t, s)
				db, err := New(handleOf(t, c), c)
				if err != nil {
					t.Fatal(err)
				}
				return db
			},
			Columns: true,
		}.Test(t)
	})
}

// secretAccount returns the configuration of an account that has a password.
func secretAccount(t testing.TB, s *servertest.Server) Config {
	t.Helper()
	c := configOf(t, s)
	admin := handleOf(t, c)
	user := fmt.Sprintf("u%d", databases.Add(1))
	must(t, admin, "CREATE USER "+user+"@'%' IDENTIFIED BY '"+secret+"'")
	t.Cleanup(func() { must(t, admin, "DROP USER "+user+"@'%'") })
	if c.DSN != "" {
		cc, err := client.ParseDSN(c.DSN)
		if err != nil {
			t.Fatal("YCSB_MYSQL_DSN cannot be parsed")
		}
		c = Config{Database: cc.DBName}
		if host, port, err := net.SplitHostPort(cc.Addr); err == nil {
			c.Host = host
			if c.Port, err = strconv.Atoi(port); err != nil {
				t.Fatal(err)
			}
		}
	}
	must(t, admin, "GRANT ALL ON "+c.Database+".* TO "+user+"@'%'")
	c.User, c.Password = user, secret
	return c
}
