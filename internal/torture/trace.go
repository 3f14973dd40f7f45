package torture

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// tracer is the command that starts the program and writes down what it does to files and
// sockets, with all bytes.
func tracer(to string) []string {
	return []string{"strace", "-D", "-f", "-qq", "-y", "-xx", "-s", "67108864", "-e", "signal=none",
		"-e", "trace=" + strings.Join([]string{
			"open", "openat", "write", "pwrite64", "writev", "lseek", "fsync", "fdatasync", "syncfs", "ftruncate", "fallocate",
			"rename", "renameat", "renameat2",
			"link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "copy_file_range", "sendfile",
		}, ","), "-o", to}
}

// call is one system call that succeeded.
type call struct {
	name   string
	args   []string // decoded: texts without quotes, descriptors as "7" before their path
	paths  []string // of the arguments that are descriptors, "" of others
	result int64
}

var (
	wholeCall   = regexp.MustCompile(`^(\d+) +(\w+)\((.*)\) += (-?\d+)`)
	begunCall   = regexp.MustCompile(`^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$`)
	resumedCall = regexp.MustCompile(`^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)`)
)

// readTrace hands each call on, in the order in which they ended.
func readTrace(r io.Reader, each func(call) error) error {
	begun := map[string]string{} // arguments by process
	lines := bufio.NewReaderSize(r, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if c, ok := parseCall(bytes.TrimRight(line, "\n"), begun); ok {
			if err := each(c); err != nil {
				return err
			}
		}
		if err == io.EOF { // as bufio returns it
			return nil
		}
		if err != nil {
			return fmt.Errorf("torture: trace: %w", err)
		}
	}
}

func parseCall(line []byte, begun map[string]string) (call, bool) {
	name, args, result := "", "", ""
	if m := begunCall.FindSubmatch(line); m != nil {
		begun[string(m[1])] = string(m[3])
		return call{}, false
	}
	if m := resumedCall.FindSubmatch(line); m != nil {
		name, args, result = string(m[2]), begun[string(m[1])]+string(m[3]), string(m[4])
	} else if m := wholeCall.FindSubmatch(line); m != nil {
		name, args, result = string(m[2]), string(m[3]), string(m[4])
	}
	n, err := strconv.ParseInt(result, 10, 64)
	if err != nil || n < 0 {
		return call{}, false
	}
	c := call{name: name, result: n}
	for _, arg := range strings.Split(args, ", ") {
		value, path := decodeArg(arg)
		c.args, c.paths = append(c.args, value), append(c.paths, path)
	}
	return c, true
}

// decodeArg reads "\x2f…", 7<\x2f…> or a plain word.
func decodeArg(arg string) (value, path string) {
	if quoted, ok := strings.CutPrefix(arg, `"`); ok {
		return unhex(strings.TrimSuffix(quoted, `"`)), ""
	}
	if fd, rest, ok := strings.Cut(arg, "<"); ok {
		return fd, unhex(strings.TrimSuffix(rest, ">"))
	}
	return arg, ""
}

// unhex reads \x.. pairs; anything else stays as it is.
func unhex(text string) string {
	if !strings.Contains(text, `\x`) {
		return text
	}
	out := make([]byte, 0, len(text)/4)
	for i := 0; i < len(text); i++ {
		if i+3 < len(text) && text[i] == '\\' && text[i+1] == 'x' {
			if b, err := strconv.ParseUint(text[i+2:i+4], 16, 8); err == nil {
				out = append(out, byte(b))
				i += 3
				continue
			}
		}
		out = append(out, text[i])
	}
	return string(out)
}

// at is the path of a name that follows the descriptor of the folder where it is.
func (c call) at(folder int) string {
	if filepath.IsAbs(c.args[folder+1]) {
		return c.args[folder+1]
	}
	return filepath.Join(c.paths[folder], c.args[folder+1])
}

// number is an argument that is one.
func (c call) number(i int) int64 {
	n, _ := strconv.ParseInt(c.args[i], 10, 64) // the kernel took it
	return n
}
