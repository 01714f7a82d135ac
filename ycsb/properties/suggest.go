package properties

import (
	"slices"
	"strings"
)

// Nearest returns the candidate that name was most probably meant to be, as the Suggestion of an
// [Error] is found, or "" when none is near enough. Candidates at the same distance are taken in
// alphabetical order.
func Nearest(name string, candidates []string) string {
	best, least := "", -1
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if c == name || c == "" {
			continue
		}
		d, ok := misspelling(name, c)
		if ok && (least < 0 || d < least) {
			best, least = c, d
		}
	}
	return best
}

// misspelling returns how many slips of the keyboard lead from one key to the
// other, and whether they are few enough to be slips: one in four letters. Letters
// of dotted parts that both keys share do not count, for mysql.host is no
// misspelling of mysql.port. Upper and lower case are the same.
func misspelling(a, b string) (int, bool) {
	x, y := strings.ToLower(a), strings.ToLower(b)
	if x == y {
		return 0, true
	}
	x, y = withoutCommonParts(x, y)
	r, s := []rune(x), []rune(y)
	limit := min(len(r), len(s)) / 4
	if len(r)-len(s) > limit || len(s)-len(r) > limit {
		return 0, false
	}
	d := distance(r, s)
	return d, d <= limit
}

// withoutCommonParts cuts the dotted parts off that a and b have in common at their start.
func withoutCommonParts(a, b string) (string, string) {
	for {
		x, restA, okA := strings.Cut(a, ".")
		y, restB, okB := strings.Cut(b, ".")
		if !okA || !okB || x != y {
			return a, b
		}
		a, b = restA, restB
	}
}

// distance is the Damerau–Levenshtein distance in its form of optimal string
// alignment: the least number of insertions, deletions, substitutions and swaps of
// neighbours, no part being edited twice. See Boytsov, "Indexing methods for
// approximate dictionary searching", ACM JEA 16 (2011), section 2.2.
func distance(a, b []rune) int {
	var before, prev, row []int // rows i-2, i-1 and i of the table
	prev = make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row = make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			substitution := prev[j-1]
			if a[i-1] != b[j-1] {
				substitution++
			}
			row[j] = min(substitution, prev[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev = prev, row
	}
	return prev[len(b)]
}
