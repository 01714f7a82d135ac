package properties_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

func ExampleParse() {
	const file = `
# a comment
recordcount = 1000
hosts=one,\
      two
`
	p, err := properties.Parse(strings.NewReader(file), "my.properties")
	if err != nil {
		fmt.Println(err)
		return
	}
	for s := range p.All() {
		fmt.Printf("%s:%d: %s is %q\n", s.File, s.Line, s.Key, s.Value)
	}
	// Output:
	// my.properties:3: recordcount is "1000"
	// my.properties:4: hosts is "one,two"
}

func ExampleLoad() {
	p, err := properties.Load("testdata/workloada", "testdata/local.properties")
	if err != nil {
		fmt.Println(err)
		return
	}
	p.SetFrom("readproportion", "0.9", "-p", 0)
	for _, key := range []string{"updateproportion", "recordcount", "readproportion"} {
		s, _ := p.Lookup(key)
		fmt.Println(s, "from", s.File)
	}
	// Output:
	// updateproportion=0.5 from testdata/workloada
	// recordcount=50 from testdata/local.properties
	// readproportion=0.9 from -p
}

// Config is an example of a struct of settings.
type Config struct {
	Host     string        `prop:"mysql.host" default:"127.0.0.1" help:"where the server is"`
	Port     int           `prop:"mysql.port,min=1,max=65535" default:"3306"`
	Timeout  time.Duration `prop:"mysql.timeout,unit=s,min=0" default:"2.5" help:"of one connection"`
	Password string        `prop:"mysql.password,secret"`
	Engine   string        `prop:"mysql.engine,enum=innodb|rocksdb" default:"innodb"`
}

func ExampleProperties_Decode() {
	p := properties.New()
	p.Set("mysql.host", "db.example")
	p.Set("mysql.timeout", "1m30s")
	var c Config
	if err := p.Decode(&c); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Host, c.Port, c.Timeout, c.Engine)
	// Output: db.example 3306 1m30s innodb
}

// All faults are reported at once.
func ExampleProperties_Decode_faults() {
	const file = "mysql.port=33O6\nmysql.timeout=-1\nmysql.engine=inodb\n"
	p, err := properties.Parse(strings.NewReader(file), "my.properties")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = p.Decode(new(Config))
	fmt.Println(err)
	fmt.Println(errors.Is(err, properties.ErrValue))
	// Output:
	// my.properties:1: mysql.port=33O6: not a whole number
	// my.properties:2: mysql.timeout=-1: must be at least 0
	// my.properties:3: mysql.engine=inodb: must be one of innodb, rocksdb (did you mean innodb?)
	// true
}

func ExampleProperties_Unknown() {
	const file = "mysql.hots=db.example\nhtrace.on=true\n"
	p, err := properties.Parse(strings.NewReader(file), "my.properties")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Decode(new(Config)); err != nil {
		fmt.Println(err)
	}
	fmt.Println(p.Unknown("htrace.*"))
	// Output: my.properties:1: mysql.hots: unknown key (did you mean mysql.host?)
}

// Fault says where the settings come from that do not go together.
func ExampleProperties_Fault() {
	const file = "minscanlength=10\nmaxscanlength=5\n"
	p, err := properties.Parse(strings.NewReader(file), "workloade")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Fault("minscanlength", errors.New("greater than maxscanlength")))
	// Output: workloade:1: minscanlength=10: greater than maxscanlength
}

func ExampleDescribe() {
	for _, s := range properties.Describe(Config{}) {
		fmt.Printf("%s: %s, default %q, help %q\n", s.Key, s.Type, s.Default, s.Help)
	}
	// Output:
	// mysql.host: text, default "127.0.0.1", help "where the server is"
	// mysql.port: int, default "3306", help ""
	// mysql.timeout: duration (s), default "2.5", help "of one connection"
	// mysql.password: text, default "", help ""
	// mysql.engine: one of innodb, rocksdb, default "innodb", help ""
}

func ExampleEncode() {
	c := Config{Host: "db.example", Port: 3306, Timeout: 1500 * time.Millisecond, Password: "hunter2", Engine: "innodb"}
	for _, s := range properties.Encode(c) {
		fmt.Println(s)
	}
	// Output:
	// mysql.host=db.example
	// mysql.port=3306
	// mysql.timeout=1.5
	// mysql.password=***
	// mysql.engine=innodb
}

func ExampleNearest() {
	fmt.Println(properties.Nearest("zipfain", []string{"uniform", "zipfian", "latest"}))
	// Output: zipfian
}
