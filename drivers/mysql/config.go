package mysql

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	client "github.com/go-sql-driver/mysql"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// Config says where the server is and how to use it. The zero Config is that of an empty set of
// properties. It prints without its secrets.
type Config struct {
	Host     string `prop:"mysql.host" default:"127.0.0.1" help:"name or address of the server"`
	Port     int    `prop:"mysql.port,min=1,max=65535" default:"3306" help:"TCP port of the server"`
	Socket   string `prop:"mysql.socket" help:"path of the server's Unix socket, instead of host and port"`
	User     string `prop:"mysql.user" default:"root" help:"name of the account"`
	Password string `prop:"mysql.password,secret" json:"-" help:"password of the account"`
	Database string `prop:"mysql.db" default:"test" help:"database with the table; it has to exist"`

	// DSN is a data source name of github.com/go-sql-driver/mysql. What it has a place for must not
	// be said elsewhere, too.
	DSN string `prop:"mysql.dsn,secret" json:"-" help:"user:password@tcp(host:port)/database?option=value, instead of the properties of the connection"`

	TLS     string `prop:"mysql.tls,enum=false|true|skip-verify|preferred" default:"false" help:"encryption: none, with a certificate that is verified or not, or if the server has it"`
	TLSCA   string `prop:"mysql.tls.ca" help:"PEM file of the authorities trusted, instead of the system's"`
	TLSCert string `prop:"mysql.tls.cert" help:"PEM file of the client's certificate"`
	TLSKey  string `prop:"mysql.tls.key" help:"PEM file of the client's key"`

	ConnectTimeout time.Duration `prop:"mysql.connect_timeout,unit=s,above=0" default:"10" help:"time that connecting may take"`
	ReadTimeout    time.Duration `prop:"mysql.read_timeout,unit=s,min=0" help:"time that an answer may take; 0: no limit"`

	Insert string `prop:"mysql.insert,enum=insert|upsert" default:"insert" help:"what an insert does where the key is taken: fail, or replace the record"`

	// ForceIndex is meant for servers that choose other indexes; nil is true.
	ForceIndex *bool `prop:"mysql.force_index" help:"reads and scans ask for the primary key with FORCE INDEX; default true"`

	// Interpolate is for proxies that know no prepared statements.
	Interpolate bool `prop:"mysql.interpolate" help:"send values in the text of statements instead of preparing these on the server"`

	Engine       string `prop:"mysql.engine" help:"storage engine of a table to be made; default: the server's"`
	TableOptions string `prop:"mysql.table_options" help:"options of a table to be made, such as ROW_FORMAT=COMPRESSED"`
}

// Format prints the properties that are not zero, without secrets, whatever the verb.
func (c Config) Format(f fmt.State, _ rune) {
	var set []string
	for _, p := range properties.Encode(c) {
		if p.Value != "" && p.Value != "0" && p.Value != "false" {
			set = append(set, p.String())
		}
	}
	_, _ = io.WriteString(f, "mysql.Config{"+strings.Join(set, " ")+"}") // fmt reports errors to nobody
}

var word = regexp.MustCompile(`^\w*$`)

// withDefaults returns c with what is zero replaced by its default.
func (c Config) withDefaults() Config {
	c.Host = cmp.Or(c.Host, "127.0.0.1")
	c.Port = cmp.Or(c.Port, 3306)
	c.User = cmp.Or(c.User, "root")
	c.Database = cmp.Or(c.Database, "test")
	c.TLS = cmp.Or(c.TLS, "false")
	c.Insert = cmp.Or(c.Insert, "insert")
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 10 * time.Second
	}
	return c
}

// Validate joins all faults of c that can be found without a server.
func (c Config) Validate() error {
	_, err := c.client()
	return err
}

// client returns the configuration of the client, or all faults of c.
func (c Config) client() (*client.Config, error) {
	c = c.withDefaults()
	var errs []error
	fault := func(ok bool, key, text string) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: %s", key, text))
		}
	}
	fault(c.Port > 0 && c.Port < 1<<16, "mysql.port", "want 1 to 65535")
	fault(c.Insert == "insert" || c.Insert == "upsert", "mysql.insert", "want insert or upsert")
	fault(c.ConnectTimeout >= 0, "mysql.connect_timeout", "want 0 or more")
	fault(c.ReadTimeout >= 0, "mysql.read_timeout", "want 0 or more")
	fault(word.MatchString(c.Engine), "mysql.engine", "want the name of a storage engine")
	fault(!strings.Contains(c.TableOptions, ";"), "mysql.table_options", "want no semicolon")

	cc := client.NewConfig()
	if c.DSN != "" {
		errs = append(errs, c.besideDSN()...)
		parsed, err := parseDSN(c.DSN)
		if err != nil {
			return nil, errors.Join(append(errs, err)...)
		}
		cc = parsed
	} else {
		own := c.TLSCA != "" || c.TLSCert != ""
		fault((c.TLSCert == "") == (c.TLSKey == ""), "mysql.tls.cert", "want mysql.tls.key with it, and the other way round")
		fault(!own || c.TLS != "false", "mysql.tls", "want true with mysql.tls.ca or mysql.tls.cert")
		fault(c.TLSCA == "" || c.TLS == "true" || c.TLS == "false", "mysql.tls.ca", "want mysql.tls=true with it: "+c.TLS+" verifies nothing")
		cc.Net, cc.Addr = "tcp", net.JoinHostPort(c.Host, strconv.Itoa(c.Port))
		if c.Socket != "" {
			cc.Net, cc.Addr = "unix", c.Socket
		}
		cc.User, cc.Passwd, cc.DBName = c.User, c.Password, c.Database
		cc.ReadTimeout, cc.WriteTimeout = c.ReadTimeout, c.ReadTimeout
		cc.MaxAllowedPacket = 0 // that of the server
		errs = append(errs, c.tls(cc, own))
	}
	cc.ClientFoundRows = true
	cc.InterpolateParams = cc.InterpolateParams || c.Interpolate
	cc.Logger = new(client.NopLogger)
	return cc, errors.Join(errs...)
}

// Settings returns what a data source name says, as the properties that it stands for. It is nil
// without one, or if it is wrong.
func (c Config) Settings() map[string]string {
	cc, err := parseDSN(c.DSN)
	if c.DSN == "" || err != nil {
		return nil
	}
	all := map[string]string{
		"mysql.host": "", "mysql.port": "", "mysql.socket": "", "mysql.user": cc.User, "mysql.db": cc.DBName,
		"mysql.tls":          cmp.Or(cc.TLSConfig, "false"),
		"mysql.interpolate":  strconv.FormatBool(c.Interpolate || cc.InterpolateParams),
		"mysql.read_timeout": strconv.FormatFloat(cc.ReadTimeout.Seconds(), 'f', -1, 64),
	}
	if cc.Net == "unix" {
		all["mysql.socket"] = cc.Addr
	} else if all["mysql.host"], all["mysql.port"], err = net.SplitHostPort(cc.Addr); err != nil {
		return nil
	}
	return all
}

// dsnSays are the properties that are not heeded with a data source name, and what to do instead.
var dsnSays = map[string]string{
	"mysql.host":         "say it there, " + dsnForm,
	"mysql.port":         "say it there, " + dsnForm,
	"mysql.socket":       "say it there, unix(path) instead of tcp(host:port)",
	"mysql.user":         "say it there, " + dsnForm,
	"mysql.password":     "say it there, " + dsnForm,
	"mysql.db":           "say it there, " + dsnForm,
	"mysql.tls":          "say it there, ?tls=value",
	"mysql.tls.ca":       "set mysql.host and the others instead of it",
	"mysql.tls.cert":     "set mysql.host and the others instead of it",
	"mysql.tls.key":      "set mysql.host and the others instead of it",
	"mysql.read_timeout": "say it there, ?readTimeout=10s",
}

const dsnForm = "user:password@tcp(host:port)/database"

// besideDSN returns a fault for each property that is set but not heeded, since there is a data
// source name. c has its defaults.
func (c Config) besideDSN() []error {
	var errs []error
	defaults := properties.Encode(Config{}.withDefaults())
	for _, p := range properties.Encode(c) {
		if instead := dsnSays[p.Key]; instead != "" && !slices.Contains(defaults, p) {
			errs = append(errs, fmt.Errorf("%s: not heeded with mysql.dsn: %s", p.Key, instead))
		}
	}
	return errs
}

// tls sets the encryption of cc.
func (c Config) tls(cc *client.Config, own bool) error {
	switch c.TLS {
	case "false", "true", "skip-verify", "preferred":
	default:
		return errors.New("mysql.tls: want false, true, skip-verify or preferred")
	}
	if !own || c.TLS == "false" {
		cc.TLSConfig = c.TLS
		return nil
	}
	cc.TLS = &tls.Config{ServerName: c.Host, InsecureSkipVerify: c.TLS != "true"}
	cc.AllowFallbackToPlaintext = c.TLS == "preferred"
	if c.TLSCA != "" {
		pem, err := os.ReadFile(c.TLSCA)
		if err != nil {
			return fmt.Errorf("mysql.tls.ca: %w", err)
		}
		cc.TLS.RootCAs = x509.NewCertPool()
		if !cc.TLS.RootCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("mysql.tls.ca: %s holds no certificate", c.TLSCA)
		}
	}
	if c.TLSCert != "" && c.TLSKey != "" {
		pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
		if err != nil {
			return fmt.Errorf("mysql.tls.cert: %w", err)
		}
		cc.TLS.Certificates = []tls.Certificate{pair}
	}
	return nil
}

// parseDSN parses a data source name. What the client's parser says is not passed on, since it
// quotes parts of a text that has a password in it.
func parseDSN(dsn string) (cc *client.Config, err error) {
	bad := func(why string) error {
		return fmt.Errorf("mysql.dsn: %s: want %s?option=value", why, dsnForm)
	}
	if strings.Contains(dsn, "://") {
		return nil, bad("looks like a URL")
	}
	defer func() {
		if recover() != nil { // that is how the parser refuses an option it once had
			cc, err = nil, bad("has a bad option")
		}
	}()
	cc, err = client.ParseDSN(dsn)
	switch {
	case err != nil:
		return nil, bad("cannot be parsed")
	case cc.Net != "tcp" && cc.Net != "unix":
		return nil, bad("has an unknown network")
	case cc.DBName == "":
		return nil, bad("names no database")
	}
	return cc, nil
}
