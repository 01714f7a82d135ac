package properties

import (
	"fmt"
	"reflect"
	"strings"
)

// Spec says what a key is for and what it may be, for help texts.
type Spec struct {
	Key     string
	Aliases []string // other names of Key
	// Type is "text", "bool", "int", "number", "duration (s)" with its unit, "one of a,
	// b", or "list of" the plural of one of these.
	Type    string
	Default string // as a value is written; "" when there is none, *** when it is secret
	Unit    string // ns, us, ms or s of a duration written as a plain number, else ""
	// Min and Max are the least and greatest value; after > or < a bound that is
	// excluded; "" when there is none.
	Min, Max string
	Enum     []string // the values there are; nil when there is no such list
	Secret   bool     // not to be shown
	Required bool     // must be set
	Help     string   // one sentence
}

// Describe returns what the tags of the struct v, or of the one that v points to,
// say of each key, in the order of the fields. Where there is no default tag the
// value in v is the default, since Decode leaves it as it is; a nil pointer stands for
// the zero value. It panics as Decode does.
func Describe(v any) []Spec {
	fields := fieldsOf(structOf(v))
	specs := make([]Spec, len(fields))
	for i, f := range fields {
		specs[i] = f.spec()
	}
	return specs
}

// Encode returns the values of the struct v, or of the one that v points to, as
// settings: decoding them gives a struct with the same values. Their order is that of the fields.
//
// Three kinds of values do not come back: secrets, which are *** if they are not
// empty; items of lists that hold a comma, blanks at their ends or nothing, which Decode never
// stores; and values out of bounds. Left out are nil pointers, and zero values that a
// field refuses and that it holds only because nothing was set. What looks like a
// secret in a text, such as a URL with a password, is *** as well, tagged or not.
//
// Encode panics as Decode does, and if MarshalText of a field returns an error.
func Encode(v any) []Property {
	var settings []Property
	for _, f := range fieldsOf(structOf(v)) {
		text, ok := f.text()
		if !ok {
			continue
		}
		settings = append(settings, Property{Key: f.key, Value: f.masked(text)})
	}
	return settings
}

// structOf returns the struct that v is or points to, addressable.
func structOf(v any) reflect.Value {
	src := reflect.ValueOf(v)
	switch {
	case src.Kind() == reflect.Pointer && src.Type().Elem().Kind() == reflect.Struct:
		if src.IsNil() {
			return reflect.New(src.Type().Elem()).Elem()
		}
		return src.Elem()
	case src.Kind() == reflect.Struct:
		dst := reflect.New(src.Type()).Elem()
		dst.Set(src)
		return dst
	}
	panic(fmt.Sprintf("properties: want a struct or a pointer to one, not %T", v))
}

func (f *field) spec() Spec {
	s := Spec{
		Key:      f.key,
		Aliases:  f.aliases,
		Type:     f.typeText(),
		Default:  f.def,
		Unit:     f.unit,
		Enum:     f.enum,
		Secret:   f.secret,
		Required: f.required,
		Help:     f.help,
	}
	if !f.hasDef {
		s.Default, _ = f.text()
	}
	s.Default = f.masked(s.Default)
	for _, b := range f.bounds {
		switch b.option {
		case "min":
			s.Min = b.text
		case "above":
			s.Min = ">" + b.text
		case "max":
			s.Max = b.text
		case "below":
			s.Max = "<" + b.text
		}
	}
	return s
}

func (f *field) typeText() string {
	switch {
	case f.enum != nil && f.list:
		return "list of " + strings.Join(f.enum, ", ")
	case f.enum != nil:
		return "one of " + strings.Join(f.enum, ", ")
	case f.list:
		return "list of " + f.scalar.plural
	}
	return f.scalar.name
}

// text returns the value of the field as text, and whether it has one: not if it
// is nil, nor if it is a zero value that Decode would refuse.
func (f *field) text() (string, bool) {
	v := f.dst
	if f.pointer {
		if v.IsNil() {
			return "", false
		}
		return f.scalar.format(v.Elem()), true
	}
	text := ""
	if f.list {
		items := make([]string, v.Len())
		for i := range items {
			items[i] = f.scalar.format(v.Index(i))
		}
		text = strings.Join(items, ",")
	} else {
		text = f.scalar.format(v)
	}
	if v.IsZero() && !f.hasDef {
		if _, err := f.parse(text); err != nil {
			return "", false
		}
	}
	return text, true
}

// masked returns text, or *** if it is or looks like a secret.
func (f *field) masked(text string) string {
	if text != "" && (f.secret || f.scalar.text && smells(f.key, text)) {
		return mask
	}
	return text
}
