// Package torture drives the real binary through its own forms while the authorization
// service misbehaves and the process is killed, and then compares three records: what the
// clerks were told, what the screens said, and what the service did. Several processes that
// share a database have partners as well, who ask the embedded service.
//
// Nothing of it is part of the program: it knows the binary's flags, its pages and the
// service's interface, and imports neither half.
package torture
