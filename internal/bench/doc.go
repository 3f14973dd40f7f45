// Package bench measures the program from outside, as a process of its own: its pages
// beside a bare answer of the same bytes, over many cases beside few, what it sends beside
// a direct request, and the disk. Whoever asks writes and reads bytes of connections and
// little else, so that it takes next to nothing of what is measured.
package bench
