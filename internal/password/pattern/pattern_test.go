package pattern_test

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"guiche/internal/password/pattern"

	"github.com/trustelem/zxcvbn"
)

// pieces are what passwords of the comparison are put together from.
var pieces = []string{
	"senha", "Password", "amor", "dragon", "zxcvbn", "qwerty", "147", "963.", "aaaa", "abcabc", "4567", "zyxw", "acegi", "1999", "2012",
	"31121999", "1/2/99", "2024-05-06", "13.13.13", "010203", "p@ssw0rd", "1l0v3", "m4r1@", "$3cr3t", "7", "!", " ", "ção", "ß", "日本",
	"nogard", "drowssap", "ana", "Prado", "0", "99999", "20191", "_", "\t", "aoaoao", "éé", "#$%", "QWE", "dvorak", "aoeu", "5/5/5",
}

var inputs = []string{"ana", "prado", "clinica", "Senha"}

// TestGuesses_Library compares the estimate with the library's own: of common passwords, of
// these with another character each, and of pieces put together. Where two characters of a
// password stand for one letter the library forgets ways to read it, and takes it for stronger.
func TestGuesses_Library(t *testing.T) {
	for _, password := range passwords(t) {
		for _, known := range [][]string{nil, inputs} {
			want := zxcvbn.PasswordStrength(password, known).Guesses
			got, parts := pattern.Guesses(password, known)
			if math.Abs(got-want) > want*1e-9 && !(got < want && ambiguous(password)) {
				t.Errorf("%q: got %g guesses, want %g", password, got, want)
			}
			var whole strings.Builder
			for _, part := range parts {
				whole.WriteString(part.Token)
			}
			if isASCII(password) && whole.String() != password {
				t.Errorf("%q: got the parts of %q", password, whole.String())
			}
		}
	}
}

func ambiguous(password string) bool {
	for _, characters := range []string{"4@", "({[<", "69", "1!|", "1|7", "$5", "+7"} {
		first := strings.IndexAny(password, characters)
		if first >= 0 && strings.ContainsAny(password, strings.ReplaceAll(characters, password[first:first+1], "")) {
			return true
		}
	}
	return false
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0 }

func passwords(t *testing.T) []string {
	t.Helper()
	all := []string{"", "a", "\xff", strings.Repeat("1", 72), strings.Repeat("ab", 36)}
	f, err := os.Open("../common_passwords.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	random := rand.New(rand.NewPCG(1, 2))
	lines := bufio.NewScanner(f)
	for n := 0; lines.Scan() && len(all) < 3000; n++ {
		if n%50 == 0 {
			word := lines.Text()
			at := random.IntN(len(word) + 1)
			all = append(all, word, word[:at]+string(rune('!'+random.IntN(90)))+word[at:])
		}
	}
	for range 800 {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		all = append(all, b.String())
	}
	return all
}
