package properties

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// field is a field of a struct and what its tags say.
type field struct {
	name     string        // Type.Field, for panics
	dst      reflect.Value // settable
	key      string
	aliases  []string
	pointer  bool // dst is a *T
	list     bool // dst is a []T
	scalar   scalar
	unit     string // of a duration
	bounds   []bound
	enum     []string
	secret   bool
	required bool
	def      string
	hasDef   bool
	help     string
}

// bound is one of the options min, max, above and below.
type bound struct {
	option, text string
	value        reflect.Value
}

// names returns the key and its aliases.
func (f *field) names() []string { return append([]string{f.key}, f.aliases...) }

// fieldsOf returns the fields of a struct that have a key, in order. It panics when
// a tag is wrong, or a key is there twice.
func fieldsOf(v reflect.Value) []*field {
	fields := appendFields(nil, v, "")
	owners := make(map[string]string)
	for _, f := range fields {
		for _, name := range f.names() {
			if owner, ok := owners[name]; ok {
				f.panicf("key %s is taken by %s", name, owner)
			}
			owners[name] = f.name
		}
	}
	return fields
}

func appendFields(fields []*field, v reflect.Value, prefix string) []*field {
	t := v.Type()
	for i := range t.NumField() {
		sf := t.Field(i)
		tag, tagged := sf.Tag.Lookup("prop")
		f := &field{name: t.String() + "." + sf.Name, dst: v.Field(i), help: sf.Tag.Get("help")}
		f.def, f.hasDef = sf.Tag.Lookup("default")
		switch {
		case tag == "-":
		case sf.Anonymous && !tagged:
			if isGroup(sf.Type) {
				fields = appendFields(fields, f.dst, prefix)
			} else if sf.Type.Kind() == reflect.Pointer {
				f.panicf("an embedded pointer: embed the struct, or tag it `prop:\"-\"`")
			}
		case !tagged:
			if f.hasDef {
				f.panicf("a default without a prop tag")
			}
		case !sf.IsExported() && !(sf.Anonymous && isGroup(sf.Type)):
			f.panicf("a prop tag on an unexported field")
		case isGroup(sf.Type):
			if !strings.HasSuffix(tag, ".") || strings.Contains(tag, ",") || f.hasDef {
				f.panicf("tag %q: a struct wants but a prefix that ends in a dot", tag)
			}
			fields = appendFields(fields, f.dst, prefix+tag)
		default:
			f.parseTag(tag, prefix)
			fields = append(fields, f)
		}
	}
	return fields
}

// isGroup reports whether t is a struct of settings rather than one setting.
func isGroup(t reflect.Type) bool { return t.Kind() == reflect.Struct && !isText(t) }

// isText reports whether a T can be read from and written as text by its own methods.
func isText(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) &&
		p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

func (f *field) panicf(format string, args ...any) {
	panic("properties: " + f.name + ": " + fmt.Sprintf(format, args...))
}

// parseTag takes a prop tag apart, key first, then options.
func (f *field) parseTag(tag, prefix string) {
	key, options, _ := strings.Cut(tag, ",")
	if key == "" || strings.HasSuffix(key, ".") {
		f.panicf("tag %q: want a key", tag)
	}
	f.key = prefix + key
	given := make(map[string]string)
	for options != "" {
		var option string
		option, options, _ = strings.Cut(options, ",")
		name, value, _ := strings.Cut(option, "=")
		if _, ok := given[name]; ok && name != "alias" {
			f.panicf("tag %q: %s is there twice", tag, name)
		}
		given[name] = value
		f.option(name, value, option, prefix)
	}
	f.setType(given["unit"])
	for _, name := range []string{"min", "above", "max", "below"} {
		if text, ok := given[name]; ok {
			f.addBound(name, text)
		}
	}
	f.check()
}

// option takes in one option of a tag, except those that want the type of the field.
func (f *field) option(name, value, option, prefix string) {
	switch name {
	case "secret", "required":
		if option != name {
			f.panicf("option %q takes no value", option)
		}
		f.secret = f.secret || name == "secret"
		f.required = f.required || name == "required"
		return
	case "default", "help":
		f.panicf("option %q: use a tag of its own, `%s:\"…\"`", name, name)
	case "alias":
		f.aliases = append(f.aliases, prefix+value)
	case "enum":
		f.enum = strings.Split(value, "|")
	case "unit", "min", "max", "above", "below":
	default:
		f.panicf("option %q is unknown", option)
	}
	if value == "" || slices.Contains(f.enum, "") {
		f.panicf("option %q wants a value", option)
	}
}

// setType finds out how values of the field are read and written.
func (f *field) setType(unit string) {
	t := f.dst.Type()
	if !isText(t) {
		switch t.Kind() {
		case reflect.Pointer:
			f.pointer = true
			t = t.Elem()
		case reflect.Slice:
			f.list = true
			t = t.Elem()
		}
	}
	f.unit = unit
	isDuration := t == reflect.TypeFor[time.Duration]()
	if _, ok := units[unit]; isDuration && !ok {
		f.panicf("a duration wants one of the options unit=ns, unit=us, unit=ms, unit=s")
	}
	if !isDuration && unit != "" {
		f.panicf("option unit is for durations")
	}
	s, ok := scalarOf(t, unit)
	if !ok {
		f.panicf("type %s cannot be decoded", f.dst.Type())
	}
	f.scalar = s
}

func (f *field) addBound(option, text string) {
	if !f.scalar.ordered {
		f.panicf("option %s is for numbers and durations", option)
	}
	b := bound{option: option, text: text, value: reflect.New(f.scalar.typ).Elem()}
	if err := f.scalar.parse(b.value, text); err != nil {
		f.panicf("option %s=%s: %v", option, text, err)
	}
	f.bounds = append(f.bounds, b)
}

// check panics when what the tags say does not go together.
func (f *field) check() {
	if len(f.bounds) > 2 || len(f.bounds) == 2 && (f.bounds[0].lower() == f.bounds[1].lower() ||
		compare(f.bounds[0].value, f.bounds[1].value) > 0) {
		f.panicf("bounds contradict one another")
	}
	if f.enum != nil && !f.scalar.text {
		f.panicf("option enum is for texts")
	}
	if !f.hasDef {
		return
	}
	if f.required {
		f.panicf("required, yet with a default")
	}
	if _, err := f.parse(f.def); err != nil {
		f.panicf("default %q: %v", f.def, err)
	}
}

// lower reports whether b bounds from below.
func (b bound) lower() bool { return b.option == "min" || b.option == "above" }

// holds returns what v has to be if it is out of bounds.
func (b bound) holds(v reflect.Value) error {
	c := compare(v, b.value)
	switch {
	case b.option == "min" && c < 0:
		return badValue("must be at least " + b.text)
	case b.option == "above" && c <= 0:
		return badValue("must be more than " + b.text)
	case b.option == "max" && c > 0:
		return badValue("must be at most " + b.text)
	case b.option == "below" && c >= 0:
		return badValue("must be less than " + b.text)
	}
	return nil
}
