// Package webui serves the pages: echo, the middleware, the table of routes, one file
// of handlers for each resource, and the one place where an error becomes a status and
// a page. A handler reads the request, calls one service
// and renders one view; echo.Context goes no deeper than here.
//
// Handlers of server are those of every installation; those of deskHandlers need a
// desk. What else differs between the installations is product.
package webui
