// A list that renews itself leaves the person where they were: the focus stays on the
// same row, or goes to the next when that one has left, and the rows stay where they
// stood. Browsers without moveBefore drop the focus of what is moved.
const renewed = event => event.detail?.ctx?.sourceElement?.matches?.('[data-renewed]') && event.detail.ctx.sourceElement;
const rowsOf = list => Array.from(list.querySelectorAll('tr[id],li[id]'));
const controlsOf = row => Array.from(row.querySelectorAll('a,button,summary'));
const topOf = row => row.getBoundingClientRect().top;
let place = null;

function placeIn(list) {
  const rows = rowsOf(list), focused = document.activeElement;
  const row = focused.closest('tr[id],li[id]');
  const inList = rows.includes(row);
  const anchor = inList ? row : window.scrollY > 0 && rows.find(r => topOf(r) >= 0);
  if (!anchor) return null;
  const at = rows.indexOf(anchor);
  return {
    ids: rows.slice(at).concat(rows.slice(0, at).reverse()).map(r => r.id), // the nearest first, those that follow before others
    control: inList ? controlsOf(row).indexOf(focused) : -1,
    top: topOf(anchor),
  };
}

function restore(list) {
  const row = place.ids.map(id => document.getElementById(id)).find(r => r && list.contains(r));
  if (place.control >= 0) {
    const controls = row ? controlsOf(row) : Array.from(list.querySelectorAll('a'));
    const control = controls[place.control] || controls[0];
    if (document.activeElement !== control) control.focus({ preventScroll: true });
  }
  if (row) window.scrollBy(0, topOf(row) - place.top);
}

document.addEventListener('htmx:before:swap', event => {
  const list = renewed(event);
  if (list) place = placeIn(list);
});
document.addEventListener('htmx:after:swap', event => {
  const list = renewed(event);
  if (list && place) restore(list);
  place = null;
});

// What somebody opened stays open while an answer renews what is in it.
const opened = new Set();
document.addEventListener('click', event => {
  const details = event.target.closest('summary')?.parentElement;
  if (!details?.matches('[data-stay-open]')) return;
  if (details.open) opened.delete(details.id); // it is as it was before the click
  else opened.add(details.id);
});
// It is open in the answer already: between a closing and an opening the browser would
// take the focus from what is in it.
document.addEventListener('htmx:before:swap', event => {
  const arriving = event.detail.tasks.flatMap(task => Array.from(task.fragment.querySelectorAll('[data-stay-open]')));
  for (const details of arriving) if (opened.has(details.id)) details.setAttribute('open', '');
});
