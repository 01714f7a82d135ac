package cli

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

const (
	blot       = "***"
	longSecret = 8 // bytes of a secret that is found inside of words too
)

// secrets are texts that must not be shown.
type secrets []string

// The places of a password in an address: scheme://user:password@host, user:password@host and
// password=… among others.
var passwords = []*regexp.Regexp{
	regexp.MustCompile(`://[^/?#]*?:([^/?#]*)@`),
	regexp.MustCompile(`^[^:/@]*:(.*)@`),
	regexp.MustCompile(`(?i)(?:password|passwd|passphrase|pwd|secret|token|key)\s*=\s*'?([^&;\s']+)`),
}

var numbers = regexp.MustCompile(`[0-9]+`)

// secretsOf returns the values that must not be shown, and the passwords within them. Keys
// are those that a driver, not even one in use, says are secret; more are values of such keys.
func secretsOf(p *properties.Properties, keys map[string]bool, more ...string) secrets {
	s := slices.Clone(secrets(more))
	for prop := range p.All() {
		if !keys[prop.Key] && !p.Secret(prop.Key) {
			continue
		}
		switch strings.ToLower(prop.Value) {
		case "", "true", "false": // tls.insecure_password=true is none
			continue
		}
		s = append(s, prop.Value)
		for _, re := range passwords {
			if m := re.FindStringSubmatch(prop.Value); m != nil && m[1] != "" {
				s = append(s, m[1])
			}
		}
	}
	for _, secret := range slices.Clone(s) {
		if plain, err := url.PathUnescape(secret); err == nil && plain != secret {
			s = append(s, plain)
		}
		quoted := strconv.Quote(secret)
		for _, escaped := range []string{url.QueryEscape(secret), url.PathEscape(secret), quoted[1 : len(quoted)-1]} {
			if escaped != secret {
				s = append(s, escaped)
			}
		}
		// Messages are counted with their numbers as N.
		if folded := numbers.ReplaceAllString(secret, "N"); folded != secret && len(folded) >= longSecret {
			s = append(s, folded)
		}
	}
	slices.SortFunc(s, func(a, b string) int { return len(b) - len(a) }) // the whole before its parts
	return slices.Compact(s)
}

// hide returns a text without secrets. Short ones count only as whole words.
func (s secrets) hide(text string) string {
	for _, secret := range s {
		text = hideOne(text, secret)
	}
	return text
}

func hideOne(text, secret string) string {
	var b strings.Builder
	rest := text
	for before := rune(0); ; {
		i := strings.Index(rest, secret)
		if i < 0 {
			b.WriteString(rest)
			return b.String()
		}
		if i > 0 {
			before, _ = utf8.DecodeLastRuneInString(rest[:i])
		}
		after, _ := utf8.DecodeRuneInString(rest[i+len(secret):])
		b.WriteString(rest[:i])
		if len(secret) < longSecret && (isWord(before) || isWord(after)) {
			b.WriteString(secret)
		} else {
			b.WriteString(blot)
		}
		before, _ = utf8.DecodeLastRuneInString(secret)
		rest = rest[i+len(secret):]
	}
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// long returns the long ones, for values of settings: those that are secret by their key are
// masked anyway, and a short secret may well be a harmless value of another.
func (s secrets) long() secrets {
	return slices.DeleteFunc(slices.Clone(s), func(t string) bool { return len(t) < longSecret })
}

// hideResult removes secrets from the texts of a result.
func (s secrets) hideResult(r *ycsb.Result) {
	if len(s) == 0 {
		return
	}
	for k, v := range r.Settings {
		r.Settings[k] = s.long().hide(v)
	}
	d := &r.Database
	for _, t := range []*string{&d.Product, &d.Version, &d.Engine, &d.Durability, &d.Topology} {
		*t = s.hide(*t)
	}
	for k, v := range d.Settings {
		d.Settings[k] = s.hide(v)
	}
	hideOps(s, r.Ops)
	for _, iv := range r.Intervals {
		hideOps(s, iv.Ops)
	}
}

func hideOps(s secrets, ops []ycsb.OpResult) {
	for _, o := range ops {
		for i := range o.Errors {
			o.Errors[i].Message = s.hide(o.Errors[i].Message)
			o.Errors[i].Example = s.hide(o.Errors[i].Example)
		}
	}
}
