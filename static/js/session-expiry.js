// When the session ends under an open form, the page stays as it is and shows a
// notice. After a login in another tab the next save succeeds and hides it.
const notice = () => document.getElementById('sessao');
let submitting = false;

document.addEventListener('htmx:response:error', event => {
  if (event.detail?.ctx?.response?.status === 401) document.dispatchEvent(new CustomEvent('session:ended'));
});
document.addEventListener('session:ended', () => { if (notice()) notice().hidden = false; });
document.addEventListener('htmx:after:swap', event => {
  const { ctx } = event.detail;
  if (!notice() || ctx?.sourceElement?.id !== 'pedido' || ctx.response.status !== 200) return;
  if (notice().contains(document.activeElement)) document.querySelector('[data-shortcut="F8"]').focus();
  notice().hidden = true;
});

// Submitting the form keeps what was typed; leaving in any other way would lose it.
document.addEventListener('submit', event => { submitting = !event.defaultPrevented && event.target.id === 'pedido'; });
window.addEventListener('beforeunload', event => {
  if (!notice() || notice().hidden || submitting) return;
  event.preventDefault();
  event.returnValue = true;
});
