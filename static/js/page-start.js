// Marks the page as scripted before it is drawn, and sets the focus: where the
// address says, or on what has autofocus, which some browsers heed on fields only
// (Safari, Firefox). A case is read from its beginning, also where its button is further down.
const pageClasses = document.documentElement.classList;
pageClasses.add('js');
if (navigator.clipboard && window.isSecureContext) pageClasses.add('can-copy');
if (navigator.mediaDevices?.getUserMedia) pageClasses.add('can-film');

document.addEventListener('DOMContentLoaded', () => {
  const named = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const inRow = named && named.matches('tr') && named.querySelector('a');
  const field = inRow || (named && named.hasAttribute('tabindex') ? named : document.querySelector('[autofocus]'));
  // or the browser takes the focus away again
  if (named && named !== field && named.contains(field)) history.replaceState(null, '', location.pathname + location.search);
  if (!field || ![document.body, field].includes(document.activeElement)) return; // a person was faster
  const preventScroll = field.matches('#caso .btn');
  if (preventScroll && field === document.activeElement) scrollTo(0, 0); // the browser was faster, and went down to it
  field.focus({ preventScroll });
  if (field.matches('input') && field.value === field.defaultValue) field.select(); // as Tab does
});
