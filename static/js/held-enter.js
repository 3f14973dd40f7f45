// Enter that is held down acts once: the rest of it does not press what has the focus by then, as
// the button of a dialog that opened or of the next page, nor send a form again and again.
let pressedIn = null; // null also where Enter went down on the page before

function isRest({ key, repeat, target }) {
  return key === 'Enter' && repeat && (target !== pressedIn || !target.matches('textarea'));
}
window.addEventListener('keydown', event => {
  if (isRest(event)) event.preventDefault();
  else if (event.key === 'Enter') pressedIn = event.target;
}, true);
// A browser that tells of no repetition still tells where the key went down.
window.addEventListener('keypress', event => {
  if (event.key === 'Enter' && !event.ctrlKey && event.target !== pressedIn) event.preventDefault();
}, true);
