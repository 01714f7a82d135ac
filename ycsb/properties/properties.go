package properties

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Property is one setting and where it came from.
type Property struct {
	Key, Value string
	File       string // as given to Parse, Load or SetFrom; "" when set by Set
	Line       int    // of File, from 1; 0 when there is none
}

// String returns key=value, with *** for the value where it looks like a secret.
func (p Property) String() string {
	if smells(p.Key, p.Value) {
		p.Value = mask
	}
	return p.Key + "=" + p.Value
}

// Properties is an ordered set of settings. Setting a key again replaces its value
// and makes it the last in order.
//
// Besides its settings a Properties remembers which keys are known: those that
// Decode, Know and KnowPrefix were told of. Unknown is about the others.
//
// The zero value and the result of New are empty and ready for use. All methods
// but those that set something take a nil *Properties for an empty one, which
// remembers no known keys. A Properties is not safe for concurrent use while any of Set,
// SetFrom, Merge, Know, KnowPrefix and Decode goes on; give every goroutine a Clone.
type Properties struct {
	settings map[string]setting
	last     int // order of the latest setting
	known    map[string]knownKey
	prefixes []string // of known keys
}

// setting is a Property with its place in the order.
type setting struct {
	Property
	order int
}

// knownKey is what Decode learnt of a key from its tag.
type knownKey struct {
	names  []string // all names of the setting; nil when there is but one
	secret bool
}

// New returns an empty set of settings.
func New() *Properties { return &Properties{} }

// Set sets key to value, which came from no file.
func (p *Properties) Set(key, value string) { p.SetFrom(key, value, "", 0) }

// SetFrom sets key to value and says where it came from, for the texts of errors:
// a file and its line from 1, or with line 0 something else, such as "-p" for the
// command line.
func (p *Properties) SetFrom(key, value, file string, line int) {
	if p.settings == nil {
		p.settings = make(map[string]setting)
	}
	p.last++
	p.settings[key] = setting{Property{Key: key, Value: value, File: file, Line: line}, p.last}
}

// Lookup returns the setting of key, and whether there is one. It does not make key
// known, nor does it look for other names of the same setting.
func (p *Properties) Lookup(key string) (Property, bool) {
	if p == nil {
		return Property{}, false
	}
	s, ok := p.settings[key]
	return s.Property, ok
}

// All iterates over the settings, one a key, in the order in which they were last
// set. It is a view of the moment in which the iteration begins.
func (p *Properties) All() iter.Seq[Property] {
	return func(yield func(Property) bool) {
		for _, s := range p.sorted() {
			if !yield(s.Property) {
				return
			}
		}
	}
}

// Merge sets all that is set in other, in its order, so that other wins, and makes
// known what is known there. A nil other changes nothing.
func (p *Properties) Merge(other *Properties) {
	if other == nil {
		return
	}
	for s := range other.All() {
		p.SetFrom(s.Key, s.Value, s.File, s.Line)
	}
	for key, k := range other.known {
		p.learn(key, k)
	}
	p.KnowPrefix(other.prefixes...)
}

// Clone returns a copy that shares nothing with p, known keys included. The clone
// of nil is an empty set.
func (p *Properties) Clone() *Properties {
	if p == nil {
		return New()
	}
	return &Properties{
		settings: maps.Clone(p.settings),
		last:     p.last,
		known:    maps.Clone(p.known),
		prefixes: slices.Clone(p.prefixes),
	}
}

// Know makes keys known without decoding them.
func (p *Properties) Know(keys ...string) {
	for _, key := range keys {
		if _, ok := p.known[key]; !ok {
			p.learn(key, knownKey{})
		}
	}
}

// KnowPrefix makes known all keys that begin with one of prefixes, such as "mysql.".
// An empty prefix is that of all keys.
func (p *Properties) KnowPrefix(prefixes ...string) {
	for _, prefix := range prefixes {
		if !slices.Contains(p.prefixes, prefix) {
			p.prefixes = append(p.prefixes, prefix)
		}
	}
}

// Unknown returns an error that joins an *Error for every setting whose key is not
// known, in order, each with the nearest known key if one is near enough to have
// been meant; nil if there is none. Keys in allowed pass too, this once; an allowed
// "htrace.*" stands for all keys that begin with "htrace.". Values do not appear in
// the texts.
func (p *Properties) Unknown(allowed ...string) error {
	var errs []error
	var candidates []string
	for _, s := range p.sorted() {
		if p.knows(s.Key, allowed) {
			continue
		}
		if candidates == nil {
			candidates = p.candidates(allowed)
		}
		e := p.newError(s.Property, ErrUnknown)
		e.Suggestion = Nearest(s.Key, candidates)
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

// Secret reports whether the value of key must not be shown: because a struct that
// was decoded says so in a tag, or because key or value look like it.
func (p *Properties) Secret(key string) bool {
	s, _ := p.Lookup(key)
	return p != nil && p.known[key].secret || smells(key, s.Value)
}

// Fault returns err as a fault of the setting key, for checks that go beyond one
// setting: its text says where and to what key was set, whichever of its names was
// used, if it was set at all. It matches ErrValue and err. A nil err stands for ErrValue.
// The value of a secret is blotted out of err's text, not out of err itself.
func (p *Properties) Fault(key string, err error) *Error {
	s, ok := p.effective(p.namesOf(key))
	if !ok {
		s.Property = Property{Key: key}
	}
	if err == nil {
		err = ErrValue
	}
	text := err.Error()
	if s.Value != "" && p.Secret(s.Key) {
		text = strings.NewReplacer(s.Value, mask, printable(s.Value), mask).Replace(text)
	}
	return p.newError(s.Property, &kindError{text: text, kind: ErrValue, cause: err})
}

// Faulty reports whether err is or wraps an *Error of one of the settings keys, whichever of its
// names was used: what depends on a setting that is bad need not be told.
func (p *Properties) Faulty(err error, keys ...string) bool {
	switch e := err.(type) {
	case *Error:
		return slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(p.namesOf(key), e.Key) })
	case interface{ Unwrap() error }:
		return p.Faulty(e.Unwrap(), keys...)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), func(err error) bool { return p.Faulty(err, keys...) })
	}
	return false
}

// newError returns the fault of a setting, without its value if that is secret.
func (p *Properties) newError(s Property, err error) *Error {
	_, set := p.Lookup(s.Key)
	if s.Value != "" && p.Secret(s.Key) {
		s.Value = mask
	}
	return &Error{Property: s, Err: err, empty: set && s.Value == ""}
}

// sorted returns the settings in order.
func (p *Properties) sorted() []setting {
	if p == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(p.settings), func(a, b setting) int {
		return cmp.Compare(a.order, b.order)
	})
}

// effective returns the latest setting under any of names.
func (p *Properties) effective(names []string) (setting, bool) {
	var found setting
	if p == nil {
		return found, false
	}
	for _, name := range names {
		if s, ok := p.settings[name]; ok && s.order > found.order {
			found = s
		}
	}
	return found, found.order > 0
}

// namesOf returns key and the other names of the same setting.
func (p *Properties) namesOf(key string) []string {
	if p != nil && p.known[key].names != nil {
		return p.known[key].names
	}
	return []string{key}
}

// learn makes key known; what is a secret to one is a secret to all.
func (p *Properties) learn(key string, k knownKey) {
	if p.known == nil {
		p.known = make(map[string]knownKey)
	}
	k.secret = k.secret || p.known[key].secret
	if k.names == nil {
		k.names = p.known[key].names
	}
	p.known[key] = k
}

func (p *Properties) knows(key string, allowed []string) bool {
	if _, ok := p.known[key]; ok {
		return true
	}
	for _, prefix := range p.prefixes {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	for _, a := range allowed {
		prefix, wild := strings.CutSuffix(a, "*")
		if a == key || wild && strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// candidates returns the keys that an unknown one may have been meant to be.
func (p *Properties) candidates(allowed []string) []string {
	keys := slices.Collect(maps.Keys(p.known))
	for _, a := range allowed {
		if !strings.HasSuffix(a, "*") {
			keys = append(keys, a)
		}
	}
	return keys
}
