// Enter in a field of the request leads to the next one, as card readers and people
// who type send it; only the buttons and the review send.
const stops = form => Array.from(form.elements).filter(field =>
  field.matches('input:not([type=hidden]),select,textarea') && !field.disabled && field.tabIndex >= 0 && field.getClientRects().length);

function goOn(field) {
  const all = stops(field.form), next = all[all.indexOf(field) + 1] || document.querySelector('[data-shortcut="F8"]');
  next.focus();
  if (next.matches('input:not([type=file])')) next.select();
}

document.addEventListener('keydown', event => {
  const field = event.target;
  if (event.key !== 'Enter' || event.ctrlKey || event.isComposing || event.defaultPrevented || field.form?.id !== 'pedido') return;
  if (!field.matches('input:not([type=file]),select')) return;
  event.preventDefault();
  if (!event.repeat) goOn(field);
});

// Nor does the browser send the form for an Enter that led on.
window.addEventListener('keypress', event => {
  const field = event.target;
  if (event.key !== 'Enter' || event.ctrlKey) return;
  if (field.form?.id === 'pedido' && field.matches('input:not([type=file]),select')) event.preventDefault();
}, true);
