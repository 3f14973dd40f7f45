// Package page holds one templ view per page of the desk, each with its view
// model beside it: strings, flags and lists already shaped for display. A view
// reads nothing and decides nothing about the work; it draws.
//
// Names of inputs are the specification's wire names (2.3, 2.4); ids and the ids
// of messages follow component.ID. Every form works without a script; what a
// script adds is told by data attributes:
//
//	data-tecla="F8"      the key that presses this control
//	data-data            a typed date, formatted when the field is left
//	data-copiar="…"      the text that the button copies
//	data-depende="id"    a select narrowed by another one's value (option data-de)
//	data-mostra="id"     shown while the box with that id is ticked
//	data-modal           a dialog that opens as a modal one
//	data-teclas="nao"    on the body: function keys are left to the browser
//	data-menu            a <details> that closes on Esc and on a click elsewhere
package page
