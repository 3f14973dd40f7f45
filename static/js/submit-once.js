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

// Reloading the page after a POST must not submit the form again. A request that
// nothing was typed into has no address yet.
function showAddress() {
  const form = document.querySelector('form[data-page-url]');
  if (!form || location.pathname === form.dataset.pageUrl) return;
  if (location.pathname === '/nova' && document.getElementById('versao').value === '0') return;
  history.replaceState(null, '', form.dataset.pageUrl);
}
document.addEventListener('DOMContentLoaded', showAddress);
document.addEventListener('htmx:after:swap', showAddress);

// A page that the browser had put aside says what was true then: it is asked for anew.
window.addEventListener('pageshow', event => { if (event.persisted) location.reload(); });
