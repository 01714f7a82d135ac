package ycsb

import "strings"

// foldMessage makes messages that differ in numbers and quoted text alone the same: digits
// become N, quoted text "…". It also bounds the length.
func foldMessage(s string) string {
	const longest = 256
	var b strings.Builder
	for i := 0; i < len(s) && b.Len() < longest; i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			for i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				i++
			}
			b.WriteByte('N')
		case c == '"' || c == '`' || c == '\'' && (i == 0 || !isLetter(s[i-1])): // not the one of «can't»
			end := strings.IndexByte(s[i+1:], c)
			if end < 0 {
				b.WriteByte(c)
				break
			}
			b.WriteByte(c)
			b.WriteString("…")
			b.WriteByte(c)
			i += end + 1
		case c == '\n':
			b.WriteString("; ")
		default:
			b.WriteByte(c)
		}
	}
	return strings.ToValidUTF8(b.String(), "")
}

// oneLine returns a message on one line and of bounded length. No word is cut: one that is not to be
// shown is found as a whole alone.
func oneLine(s string) string {
	const longest = 512
	s = strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "; ")
	if len(s) > longest {
		s = s[:strings.LastIndexByte(s[:longest], ' ')+1] + "…"
	}
	return strings.ToValidUTF8(s, "")
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
