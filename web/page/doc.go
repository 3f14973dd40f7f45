// Package page holds one templ view per page of the desk, each with its view
// model beside it: strings, flags and lists already shaped for display. A view
// reads nothing and decides nothing about the work; it draws.
//
// Names of inputs are the specification's wire names (2.3, 2.4); ids and the ids
// of messages follow component.ID. Every form works without a script. Data
// attributes say what the scripts in static/js add:
//
//	data-shortcut="F8"     the key that presses this control (component.Shortcut)
//	data-shortcuts="off"   on the body: function keys are left to the browser
//	data-date              a typed date, formatted when the field is left; a month is its last
//	                       day, or with data-date="start" its first
//	data-copy="…"          the text that the button copies
//	data-depends-on="id"   a select narrowed by another one's value (option data-for-value)
//	data-shown-by="id"     shown while the box with that id is ticked
//	data-filters="id"      a search field that filters the sections of that list
//	data-confirm="…"       the question before the button acts
//	data-page-url="…"      the address to show after a POST, so that reloading does not repeat it
//	data-modal             a dialog that opens as a modal one
//	data-menu              a <details> that closes on Esc and on a click elsewhere
//	data-renewed           a list that renews itself: focus and rows stay where they are (rows with an id)
//	data-stay-open         a <details> with an id that stays open while its content is renewed
//	data-row               a row that can be added and removed
package page
