package sqlite

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// logFile is how a connection writes its log. SQLite hands the head and the page of each frame
// to the system by a call of its own, dozens for a transaction. Here those of a commit are
// gathered and written at once, before the sync, and before anybody is told to look for them.
type logFile struct {
	methods    sqlite3.Tsqlite3_io_methods // what SQLite calls, which finds the rest behind them
	original   sqlite3.Tsqlite3_io_methods
	descriptor int
	gathers    bool   // COMMIT runs
	last       bool   // the page that comes is the last of a commit
	began      int64  // where the commit began that runs or ended last
	end        int64  // of what was written last
	synced     bool   // the disk was waited for since
	kept       []byte // what the system does not know yet, up to end
}

const (
	frameHead = 24
	keptMost  = 1<<17 - 1 // SQLite's own method writes no more at once
)

// ownLog has the connection write its log as logFile does. One that has no log open yet goes on
// as it is.
func (h *handle) ownLog() {
	place := sqlite3.Xsqlite3_malloc(h.tls, int32(unsafe.Sizeof(uintptr(0))))
	if place == 0 {
		return
	}
	defer sqlite3.Xsqlite3_free(h.tls, place)
	if sqlite3.Xsqlite3_file_control(h.tls, h.db, 0, sqlite3.SQLITE_FCNTL_JOURNAL_POINTER, place) != sqlite3.SQLITE_OK {
		return
	}
	file := *memoryAt[uintptr](place)
	if file == 0 || memoryAt[sqlite3.Tsqlite3_file](file).FpMethods == 0 {
		return
	}
	l := &logFile{original: *memoryAt[sqlite3.Tsqlite3_io_methods](memoryAt[sqlite3.Tsqlite3_file](file).FpMethods)}
	l.methods, l.descriptor = l.original, int(memoryAt[sqlite3.TunixFile](file).Fh)
	l.methods.FxRead, l.methods.FxWrite, l.methods.FxSync = placeOf(readLog), placeOf(writeLog), placeOf(syncLog)
	h.log = l
	memoryAt[sqlite3.Tsqlite3_file](file).FpMethods = uintptr(unsafe.Pointer(l)) //nolint:gosec // the handle keeps it
}

// gather has the log gather what COMMIT writes, until done. What a failed one has left is not
// written any more: others may be writing there.
func (l *logFile) gather() (done func()) {
	if l == nil {
		return func() {}
	}
	l.gathers, l.synced, l.began, l.end = true, false, -1, -1
	return func() { l.gathers, l.kept = false, l.kept[:0] }
}

// hasten has the disk begin with what a commit wrote that did not wait for it: the next one that does waits for
// its own bytes then. Nobody waits for it, and what the system makes of it changes no promise.
func (l *logFile) hasten() {
	if l == nil || l.synced || l.began < 0 {
		return
	}
	file, from, length := l.descriptor, l.began, l.end-l.began
	go func() { _ = unix.SyncFileRange(file, from, length, unix.SYNC_FILE_RANGE_WRITE) }()
}

// Kinds of methods of a file.
type (
	dataMethod func(tls *libc.TLS, file, data uintptr, size int32, offset int64) (code int32)
	syncMethod func(tls *libc.TLS, file uintptr, flags int32) (code int32)
)

func readLog(tls *libc.TLS, file, data uintptr, size int32, offset int64) (code int32) {
	l := logOf(file)
	if code = l.write(tls, file); code != sqlite3.SQLITE_OK {
		return code
	}
	return methodAt[dataMethod](l.original.FxRead)(tls, file, data, size, offset)
}

// writeLog keeps what COMMIT writes one behind the other, up to the last page.
func writeLog(tls *libc.TLS, file, data uintptr, size int32, offset int64) (code int32) {
	l := logOf(file)
	if offset != l.end || len(l.kept)+int(size) > keptMost {
		if code = l.write(tls, file); code != sqlite3.SQLITE_OK {
			return code
		}
	}
	if l.began < 0 {
		l.began = offset
	}
	isLast := l.last
	bytes := bytesAt(data, int(size))
	l.end = offset + int64(size)
	l.last = size == frameHead && binary.BigEndian.Uint32(bytes[4:]) != 0 // how many pages the database has then
	if !l.gathers {
		return methodAt[dataMethod](l.original.FxWrite)(tls, file, data, size, offset)
	}
	l.kept = append(l.kept, bytes...)
	if isLast {
		return l.write(tls, file)
	}
	return sqlite3.SQLITE_OK
}

func syncLog(tls *libc.TLS, file uintptr, flags int32) (code int32) {
	l := logOf(file)
	if code = l.write(tls, file); code != sqlite3.SQLITE_OK {
		return code
	}
	l.synced = true
	return methodAt[syncMethod](l.original.FxSync)(tls, file, flags)
}

// write hands to the system what is kept. What fails is gone: the commit fails with it.
func (l *logFile) write(tls *libc.TLS, file uintptr) (code int32) {
	if len(l.kept) == 0 {
		return sqlite3.SQLITE_OK
	}
	kept := uintptr(unsafe.Pointer(&l.kept[0])) //nolint:gosec // l has it meanwhile
	code = methodAt[dataMethod](l.original.FxWrite)(tls, file, kept, int32(len(l.kept)), l.end-int64(len(l.kept)))
	l.kept = l.kept[:0]
	return code
}

func logOf(file uintptr) *logFile {
	return memoryAt[logFile](memoryAt[sqlite3.Tsqlite3_file](file).FpMethods)
}

// placeOf is where SQLite finds a function, and methodAt what it has at a place.
func placeOf[F any](function F) uintptr {
	return *(*uintptr)(unsafe.Pointer(&struct{ function F }{function})) //nolint:gosec // none of the program moves
}

func methodAt[F any](place uintptr) F {
	return *(*F)(unsafe.Pointer(&struct{ place uintptr }{place})) //nolint:gosec // SQLite's
}
