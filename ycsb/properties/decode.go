package properties

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Decode stores settings in the fields of the struct that v points to, as their
// tags say (see the package comment), and remembers their keys and aliases as
// known. A field whose key is not set gets its default; without a default it is left
// as it is, so that a struct may come with values of its own. If a key and its
// aliases are set, the latest counts.
//
// The error joins an *Error, matching ErrValue, for every setting that is bad or
// missing, in the order of the fields; these fields are left as they are, all
// others are set. Decode panics if v is not a pointer to a struct or if a tag is
// wrong, which includes a default that its own field refuses.
func (p *Properties) Decode(v any) error {
	dst := reflect.ValueOf(v)
	if dst.Kind() != reflect.Pointer || dst.IsNil() || dst.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("properties: Decode wants a pointer to a struct, not %T", v))
	}
	var errs []error
	for _, f := range fieldsOf(dst.Elem()) {
		if err := p.decodeField(f); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (p *Properties) decodeField(f *field) error {
	names := f.names()
	if p != nil {
		for _, name := range names {
			p.learn(name, knownKey{names: names, secret: f.secret})
		}
	}
	s, set := p.effective(names)
	switch {
	case !set && f.required:
		return &Error{Property: Property{Key: f.key}, Err: badValue("required, but not set")}
	case !set && !f.hasDef:
		return nil
	case !set:
		s.Value = f.def
	}
	v, err := f.parse(s.Value)
	if err != nil {
		return p.valueError(f, s.Property, err)
	}
	f.dst.Set(v)
	return nil
}

// valueError returns the fault of a setting; of a secret's it keeps nothing that
// may quote the value.
func (p *Properties) valueError(f *field, s Property, err error) error {
	if p.Secret(s.Key) && f.scalar.text && f.enum == nil {
		err = badValue("cannot be read as " + f.scalar.typ.String())
		if s.Value == "" {
			err = badValue("must not be empty")
		}
	}
	e := p.newError(s, err)
	if e.Value == s.Value && f.enum != nil && !f.list {
		e.Suggestion = Nearest(s.Value, f.enum)
	}
	return e
}

// parse returns the value that text stands for, of the type of the field.
func (f *field) parse(text string) (reflect.Value, error) {
	v := reflect.New(f.dst.Type()).Elem()
	if f.required && strings.TrimSpace(text) == "" {
		return v, badValue("must not be empty")
	}
	switch {
	case f.list:
		return v, f.parseList(v, text)
	case f.pointer:
		v.Set(reflect.New(f.scalar.typ))
		return v, f.parseScalar(v.Elem(), text)
	}
	return v, f.parseScalar(v, text)
}

// parseList reads items between commas. An empty text is an empty list.
func (f *field) parseList(dst reflect.Value, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	items := strings.Split(text, ",")
	dst.Set(reflect.MakeSlice(dst.Type(), len(items), len(items)))
	for i, item := range items {
		item = strings.TrimSpace(item)
		if item == "" {
			return badValue(fmt.Sprintf("item %d is empty", i+1))
		}
		if err := f.parseScalar(dst.Index(i), item); err != nil {
			return &kindError{text: fmt.Sprintf("item %d: %v", i+1, err), kind: ErrValue, cause: err}
		}
	}
	return nil
}

// parseScalar reads one value and holds it against enum and bounds.
func (f *field) parseScalar(dst reflect.Value, text string) error {
	if f.enum != nil {
		text = strings.TrimSpace(text)
		if !slices.Contains(f.enum, text) {
			return badValue("must be one of " + strings.Join(f.enum, ", "))
		}
	}
	if err := f.scalar.parse(dst, text); err != nil {
		return err
	}
	for _, b := range f.bounds {
		if err := b.holds(dst); err != nil {
			return err
		}
	}
	return nil
}
