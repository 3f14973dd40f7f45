// The session ended under an open form: the page stays as it is and says so. Once
// the person has logged in, in another tab, the next save goes through and the
// notice goes.
const notice = () => document.getElementById('sessao');
let sending = false;

document.addEventListener('htmx:response:error', event => {
  if (event.detail?.ctx?.response?.status === 401) document.dispatchEvent(new CustomEvent('session:ended'));
});
document.addEventListener('session:ended', () => { if (notice()) notice().hidden = false; });
document.addEventListener('htmx:after:swap', event => {
  const { ctx } = event.detail;
  if (notice() && ctx?.sourceElement?.id === 'pedido' && ctx.response.status === 200) notice().hidden = true;
});

// Sending the form takes along what was typed; every other way out would lose it.
document.addEventListener('submit', event => { sending = !event.defaultPrevented && event.target.id === 'pedido'; });
window.addEventListener('beforeunload', event => {
  if (!notice() || notice().hidden || sending) return;
  event.preventDefault();
  event.returnValue = true;
});
