// Marks the page as scripted before it is drawn, and sets the focus where the
// browser ignores autofocus on elements that are no fields (Safari, Firefox).
const pageClasses = document.documentElement.classList;
pageClasses.add('js');
if (navigator.clipboard && window.isSecureContext) pageClasses.add('can-copy');

document.addEventListener('DOMContentLoaded', () => {
  const named = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const field = named && named.hasAttribute('tabindex') ? named : document.querySelector('[autofocus]');
  if (field && document.activeElement !== field) field.focus();
});
