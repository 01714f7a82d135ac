package servertest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// MariaDB returns a MariaDB or MySQL server with a user root that has no password. Where
// YCSB_MYSQL_DSN is set, External is its value, and tests that ask for a private server are
// skipped.
func MariaDB(t testing.TB, opts ...Option) *Server {
	t.Helper()
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	if dsn := os.Getenv("YCSB_MYSQL_DSN"); dsn != "" {
		if o.private {
			t.Skip("the test needs a server of its own, and YCSB_MYSQL_DSN names one that was there before")
		}
		return &Server{External: dsn}
	}
	server, install := find("mariadbd", "mysqld"), find("mariadb-install-db", "mysql_install_db")
	if server == "" {
		missing(t, "mariadbd", "apt-get install mariadb-server")
	}
	// Each has a tmpdir of its own: a server that starts removes what others have there.
	common := []string{"--no-defaults", "--innodb-log-file-size=16M"}
	if os.Geteuid() == 0 {
		common = append(common, "--user=root")
	}
	return get(t, spec{
		name:   "mariadb",
		socket: "sock",
		init: func(dir string) error {
			args := append(common[:len(common):len(common)], "--datadir="+dir, "--tmpdir="+filepath.Dir(dir))
			cmd := exec.Command(server, append(args, "--initialize-insecure")...) // MySQL
			if install != "" {
				cmd = exec.Command(install, append(args, "--auth-root-authentication-method=normal", "--skip-test-db")...)
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", cmd.Path, err, out)
			}
			return nil
		},
		start: func(s *Server) *exec.Cmd {
			_, port, _ := strings.Cut(s.Addr, ":")
			args := append(common[:len(common):len(common)],
				"--datadir="+s.data(), "--tmpdir="+s.dir, "--socket="+s.Socket, "--pid-file="+s.dir+"/pid",
				"--port="+port, "--bind-address=127.0.0.1", "--skip-name-resolve", "--innodb-buffer-pool-size=64M")
			return exec.Command(server, append(args, o.flags...)...)
		},
		ready: greeting,
	}, o)
}

// greeting reads what the server says first: a packet with its version of the protocol, or an
// error.
func greeting(conn net.Conn) error {
	var head [5]byte
	if _, err := conn.Read(head[:]); err != nil {
		return err
	}
	if head[4] == 0xff {
		return errors.New("the server is not ready")
	}
	return nil
}
