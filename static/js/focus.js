// Marks the page as scripted before it is drawn, and gives the focus where the
// browser does not honour autofocus on what is not a field (Safari, Firefox).
const classes = document.documentElement.classList;
classes.add('js');
if (navigator.clipboard && window.isSecureContext) classes.add('can-copy');

document.addEventListener('DOMContentLoaded', () => {
  const wanted = document.querySelector('[autofocus]');
  if (wanted && document.activeElement !== wanted) wanted.focus();
});
