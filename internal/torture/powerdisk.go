package torture

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// powerDisk is a disk as the program's calls left it: what was synced, and what the power
// takes away when it fails.
type powerDisk struct {
	root    string           // folder whose files count; it is there from the beginning
	now     map[string]*node // what the program sees
	durable map[string]*node // names that were synced in their folder
	pending []renaming       // changes of names, in order, that were not
	offsets map[string]int64 // by descriptor and path
}

// node is a file or a folder.
type node struct {
	folder bool
	synced []byte
	writes []writing // since the last sync
	size   int64
}

// writing is bytes at a place; without bytes it cuts the file there.
type writing struct {
	at    int64
	bytes []byte
}

// renaming makes a name a node's, or nobody's.
type renaming struct {
	name string
	node *node // nil: the name is gone
}

func newPowerDisk(root string) *powerDisk {
	return &powerDisk{root: root, now: map[string]*node{root: {folder: true}}, durable: map[string]*node{}, offsets: map[string]int64{}}
}

// errUntraced is a call that the disk does not know.
var errUntraced = errors.New("torture: a call whose bytes are not in the trace")

// mine reports whether a path lies in the folder.
func (d *powerDisk) mine(path string) bool { return strings.HasPrefix(path, d.root+"/") }

// apply does what a call did.
func (d *powerDisk) apply(c call) error {
	switch c.name {
	case "open":
		d.open(c, c.args[0], c.args[1])
	case "openat":
		d.open(c, c.at(0), c.args[2])
	case "write", "pwrite64", "ftruncate", "fallocate", "lseek", "fsync", "fdatasync", "writev", "copy_file_range", "sendfile":
		return d.onDescriptor(c)
	case "syncfs":
		d.syncAll()
	case "mkdir":
		d.name(c.args[0], &node{folder: true})
	case "mkdirat":
		d.name(c.at(0), &node{folder: true})
	case "rename", "link":
		d.move(c.args[0], c.args[1], c.name == "rename")
	case "renameat", "renameat2", "linkat":
		d.move(c.at(0), c.at(2), c.name != "linkat")
	case "unlink":
		d.name(c.args[0], nil)
	case "unlinkat":
		d.name(c.at(0), nil)
	}
	return nil
}

func (d *powerDisk) name(path string, n *node) {
	if !d.mine(path) {
		return
	}
	if n == nil {
		delete(d.now, path)
	} else {
		d.now[path] = n
	}
	d.pending = append(d.pending, renaming{path, n})
}

func (d *powerDisk) move(from, to string, gone bool) {
	if n := d.now[from]; n != nil {
		d.name(to, n)
		if gone {
			d.name(from, nil)
		}
	}
}

func (d *powerDisk) open(c call, path, flags string) {
	if !d.mine(path) {
		return
	}
	if d.now[path] == nil && strings.Contains(flags, "O_CREAT") {
		d.name(path, &node{})
	}
	n := d.now[path]
	if n == nil || n.folder {
		return
	}
	if strings.Contains(flags, "O_TRUNC") {
		n.write(writing{at: 0})
	}
	at := int64(0)
	if strings.Contains(flags, "O_APPEND") {
		at = n.size
	}
	d.offsets[c.position(path)] = at
}

// position names a descriptor: that of an open file, or the one that opening returned.
func (c call) position(path string) string {
	if strings.HasPrefix(c.name, "open") {
		return filepath.Join(path, itoa(c.result))
	}
	return filepath.Join(path, c.args[0])
}

func (d *powerDisk) onDescriptor(c call) error {
	path := c.paths[0]
	n := d.now[path]
	if n == nil {
		return nil // a socket, a deleted file, or somebody else's
	}
	switch at := c.position(path); c.name {
	case "write":
		n.write(writing{d.offsets[at], []byte(c.args[1][:c.result])})
		d.offsets[at] += c.result
	case "pwrite64":
		n.write(writing{c.number(3), []byte(c.args[1][:c.result])})
	case "ftruncate":
		n.write(writing{at: c.number(1)})
	case "lseek":
		d.offsets[at] = c.result
	case "fsync", "fdatasync":
		d.sync(path, n)
	case "fallocate": // space alone
	default:
		return errUntraced
	}
	return nil
}

func (n *node) write(w writing) {
	n.writes = append(n.writes, w)
	if w.bytes == nil {
		n.size = w.at
	} else {
		n.size = max(n.size, w.at+int64(len(w.bytes)))
	}
}

// sync makes a file's bytes durable, or the names of a folder.
func (d *powerDisk) sync(path string, n *node) {
	if !n.folder {
		n.synced, n.writes = applied(n.synced, n.writes), nil
		return
	}
	d.pending = slices.DeleteFunc(d.pending, func(r renaming) bool {
		if filepath.Dir(r.name) != path {
			return false
		}
		rename(d.durable, r)
		return true
	})
}

// syncAll makes all bytes and names durable.
func (d *powerDisk) syncAll() {
	for path, n := range d.now {
		if !n.folder {
			d.sync(path, n)
		}
	}
	for _, r := range d.pending {
		rename(d.durable, r)
	}
	d.pending = nil
}

func rename(names map[string]*node, r renaming) {
	if r.node == nil {
		delete(names, r.name)
	} else {
		names[r.name] = r.node
	}
}

// applied returns bytes after some writes.
func applied(content []byte, writes []writing) []byte {
	out := slices.Clone(content)
	for _, w := range writes {
		end := w.at + int64(len(w.bytes))
		if grow := end - int64(len(out)); grow > 0 {
			out = append(out, make([]byte, grow)...)
		}
		if w.bytes == nil {
			out = out[:w.at]
		}
		copy(out[w.at:], w.bytes)
	}
	return out
}

// sector is what a disk writes as a whole.
const sector = 512

// some leaves each sector of each write with even chance.
func some(writes []writing, d *dice) []writing {
	var left []writing
	for _, w := range writes {
		if w.bytes == nil && d.chance(0.5) {
			left = append(left, w)
		}
		for from := int64(0); from < int64(len(w.bytes)); {
			to := min(int64(len(w.bytes)), (w.at+from)/sector*sector+sector-w.at)
			if d.chance(0.5) {
				left = append(left, writing{w.at + from, w.bytes[from:to]})
			}
			from = to
		}
	}
	return left
}

// restore writes the disk into a folder as a power loss would leave it now: what was synced,
// and with luck some of what was not.
func (d *powerDisk) restore(to string, luck *dice) error {
	names := map[string]*node{}
	for name, n := range d.durable {
		names[name] = n
	}
	if luck != nil {
		for _, r := range d.pending[:luck.between(0, len(d.pending)+1)] {
			rename(names, r)
		}
	}
	for name, n := range names {
		if !d.reachable(name, names) {
			continue
		}
		path := filepath.Join(to, strings.TrimPrefix(name, d.root))
		if n.folder {
			if err := os.MkdirAll(path, 0o700); err != nil {
				return err
			}
			continue
		}
		content := n.synced
		if luck != nil {
			content = applied(content, some(n.writes, luck))
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// reachable reports whether all folders above a name are there too.
func (d *powerDisk) reachable(name string, names map[string]*node) bool {
	for dir := filepath.Dir(name); dir != d.root; dir = filepath.Dir(dir) {
		if names[dir] == nil {
			return false
		}
	}
	return true
}
