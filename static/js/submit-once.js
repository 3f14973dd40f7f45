// A form is submitted once: a second press while the first is under way does
// nothing. The button stays enabled, so that it keeps the focus.
const resubmitAfter = 10000; // ms after which a form may be submitted again without an answer

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
  }, resubmitAfter);
});

// The form that sends by htmx: hx-sync drops the second press.
const sendButtonOf = event => {
  const source = event.detail?.ctx?.sourceElement;
  return source?.id === 'enviar' ? source.querySelector('button') : null;
};
document.addEventListener('htmx:before:request', event => sendButtonOf(event)?.setAttribute('aria-busy', 'true'));
document.addEventListener('htmx:finally:request', event => sendButtonOf(event)?.removeAttribute('aria-busy'));

// Reloading the page after a POST must not submit the form again.
document.addEventListener('DOMContentLoaded', () => {
  const form = document.querySelector('form[data-page-url]');
  if (form && location.pathname !== form.dataset.pageUrl) history.replaceState(null, '', form.dataset.pageUrl);
});
