// A form goes once: a second press while the first is under way does nothing.
// The button stays enabled, so that the focus stays on it.
const rest = 10000; // ms after which a form may go again without an answer

document.addEventListener('submit', event => {
  const { target } = event;
  if (event.defaultPrevented || target.method === 'dialog' || target.hasAttribute('hx-post')) return;
  if (target.dataset.submitting) {
    event.preventDefault();
    return;
  }
  target.dataset.submitting = 'true';
  event.submitter?.setAttribute('aria-busy', 'true');
  setTimeout(() => {
    delete target.dataset.submitting;
    event.submitter?.removeAttribute('aria-busy');
  }, rest);
});

// The form that sends by htmx: hx-sync drops the second press.
const buttonOf = event => {
  const source = event.detail?.ctx?.sourceElement;
  return source?.id === 'enviar' ? source.querySelector('button') : null;
};
document.addEventListener('htmx:before:request', event => buttonOf(event)?.setAttribute('aria-busy', 'true'));
document.addEventListener('htmx:finally:request', event => buttonOf(event)?.removeAttribute('aria-busy'));
