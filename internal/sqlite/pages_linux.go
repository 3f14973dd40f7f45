package sqlite

import (
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// As soon as another connection has committed, SQLite forgets every page that this one holds: the head of
// the log is another than the one that they are of. Of a reader between two looks, each of which is written
// to the trail, that was all it knew. The index of the log says which pages were written since: where the
// log has only grown, a reader forgets those, and takes the new head for that of the others. SQLite compares
// heads again when the transaction begins, and forgets all if anything happened meanwhile.

// mostWritten is beyond how many frames nothing is kept: no more pages than a connection holds.
const mostWritten = 512

// In the first part of the index the head stands twice, then what checkpoints have done, then the page of
// each frame.
const (
	headSize    = unsafe.Sizeof(sqlite3.TWalIndexHdr{})
	framePages  = 2*headSize + unsafe.Sizeof(sqlite3.TWalCkptInfo{})
	firstFrames = 4096 - framePages/4
)

// keepPages has a connection that is in no transaction keep the pages that nobody has written since its
// last one.
func (h *handle) keepPages() {
	pager := h.pager()
	if pager == nil || pageCache == nil {
		return
	}
	wal, pages := memoryAt[sqlite3.TWal](pager.FpWal), memoryAt[sqlite3.TPCache](pager.FpPCache)
	is, index, ok := h.logHead(wal)
	if was := wal.Fhdr; !ok || is == was || pages.FnRefSum != 0 || !onlyGrown(was, is) {
		return
	}
	for frame := wal.Fhdr.FmxFrame; frame < is.FmxFrame; frame++ {
		h.forgetPage(pages.FpCache, *memoryAt[uint32](index + framePages + 4*uintptr(frame)))
	}
	pager.FiDataVersion++ // by which full-text indexes see that theirs has changed
	wal.Fhdr = is
}

// pager has the pages of the database, nil where it is in use or has no log.
func (h *handle) pager() *sqlite3.TPager {
	tree := memoryAt[sqlite3.TDb](memoryAt[sqlite3.Tsqlite3](h.db).FaDb).FpBt
	if tree == 0 {
		return nil
	}
	pager := memoryAt[sqlite3.TPager](memoryAt[sqlite3.TBtShared](memoryAt[sqlite3.TBtree](tree).FpBt).FpPager)
	if pager.FeState != sqlite3.PAGER_OPEN || pager.FpWal == 0 || pager.FpBackup != 0 {
		return nil
	}
	return pager
}

// logHead is the head of the log as the last commit left it, with the index that others write. It is not ok
// while one is being written, or where the connection has not looked at the index yet.
func (h *handle) logHead(wal *sqlite3.TWal) (is sqlite3.TWalIndexHdr, index uintptr, ok bool) {
	if wal.FnWiData == 0 || wal.FexclusiveMode != sqlite3.WAL_NORMAL_MODE || wal.FbShmUnreliable != 0 || wal.FreadLock >= 0 {
		return is, 0, false
	}
	if index = *memoryAt[uintptr](wal.FapWiData); index == 0 {
		return is, 0, false
	}
	is = *memoryAt[sqlite3.TWalIndexHdr](index)
	file := memoryAt[sqlite3.Tsqlite3_file](wal.FpDbFd)
	barrier := memoryAt[sqlite3.Tsqlite3_io_methods](file.FpMethods).FxShmBarrier
	methodAt[func(tls *libc.TLS, file uintptr)](barrier)(h.tls, wal.FpDbFd)
	return is, index, is == *memoryAt[sqlite3.TWalIndexHdr](index + headSize)
}

// onlyGrown reports whether frames were added to a log and that is all: it was not begun anew, and the
// database has no fewer pages.
func onlyGrown(was, is sqlite3.TWalIndexHdr) bool {
	return was.FisInit != 0 && is.FisInit != 0 && was.FiVersion == is.FiVersion && was.FszPage == is.FszPage &&
		was.FaSalt == is.FaSalt && was.FnPage <= is.FnPage && was.FmxFrame <= is.FmxFrame &&
		is.FmxFrame-was.FmxFrame <= mostWritten && uintptr(is.FmxFrame) <= firstFrames
}

// forgetPage forgets a page if it is held.
func (h *handle) forgetPage(pages uintptr, number uint32) {
	fetch := methodAt[func(tls *libc.TLS, pages uintptr, number uint32, create int32) uintptr](pageCache.FxFetch)
	if page := fetch(h.tls, pages, number, 0); page != 0 {
		methodAt[func(tls *libc.TLS, pages, page uintptr, discard int32)](pageCache.FxUnpin)(h.tls, pages, page, 1)
	}
}

// pageCache is how SQLite holds pages. It tells before it opens anything, and is asked when the program
// starts; nil where it has not told.
var pageCache = askForPageCache()

func askForPageCache() *sqlite3.Tsqlite3_pcache_methods2 {
	tls := libc.NewTLS()
	defer tls.Close()
	place := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_pcache_methods2{}))) // SQLite's would open it
	args := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(place)))
	defer func() { libc.Xfree(tls, args); libc.Xfree(tls, place) }()
	code := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_GETPCACHE2, libc.VaList(args, place))
	if code != sqlite3.SQLITE_OK {
		return nil
	}
	methods := *memoryAt[sqlite3.Tsqlite3_pcache_methods2](place)
	return &methods
}
