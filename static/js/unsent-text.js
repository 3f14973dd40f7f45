// Whoever leaves a case with something typed and not sent is asked first: F2, F9 and Esc are pressed out of habit.
// A browser that never asks keeps its pages for "back"; so it is told only once there is something to ask about.
// Logging out, and a session that has ended, wait for nothing.
const fields = '#caso :is(textarea,input)';
let sent = null; // the form that goes: another one takes nothing along
const unsent = () => Array.from(document.querySelectorAll(fields)).some(field => field.form !== sent && field.value !== field.defaultValue);
function ask(event) {
  if (unsent()) event.preventDefault();
}
const never = () => window.removeEventListener('beforeunload', ask);

document.addEventListener('input', event => {
  if (!event.target.matches(fields)) return;
  sent = null;
  window.addEventListener('beforeunload', ask);
});
document.addEventListener('submit', event => {
  sent = event.target;
  if (sent.getAttribute('action') === '/sair') never();
});
document.addEventListener('session:ended', never);
// A page that asks how its case stands is sent to the entry page once its session has ended. Where something is typed it
// stays: saved, it goes along to the entry page and comes back.
document.addEventListener('htmx:before:response', event => {
  if (event.detail.ctx.hx.redirect?.startsWith('/entrar') && unsent()) event.preventDefault();
});
