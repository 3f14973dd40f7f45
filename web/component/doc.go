// Package component holds the small parts that pages are made of: icons, status
// badges, form fields, notices, copy buttons. Each takes values that are already
// shaped for display, and none does any I/O.
package component
