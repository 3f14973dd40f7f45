// The form of the request is sent from the page, so that without a network the page
// stays. It waits for what is under way (request:leaving), and one that takes part
// says when it is done (request:ready).
const patience = 20000; // ms until the server counts as out of reach
const form = () => document.getElementById('pedido');
const state = { waiting: null, sending: null, last: null, direct: false, left: false };
const notice = () => document.getElementById('sem-conexao');

function setBusy(button, busy) {
  if (busy) button.setAttribute('aria-busy', 'true');
  else button.removeAttribute('aria-busy');
}

function send(button) {
  state.sending = button;
  state.last = button;
  setBusy(button, true);
  notice().hidden = true;
  document.dispatchEvent(new CustomEvent('request:sending'));
  const values = button.name ? { [button.name]: button.value } : {};
  window.htmx.ajax('POST', button.formAction, { source: button, target: 'body', swap: 'innerHTML', values });
}

// leave asks everybody whether the form can leave now.
function leave(button) {
  const detail = { review: button.formAction.endsWith('/revisar'), ask: null };
  if (form().dispatchEvent(new CustomEvent('request:leaving', { bubbles: true, cancelable: true, detail }))) return send(button);
  state.waiting = detail.ask ? null : button;
  setBusy(button, state.waiting !== null);
  detail.ask?.focus();
}

document.addEventListener('submit', event => {
  if (event.target !== form() || state.direct || event.defaultPrevented) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.submitter?.matches('[data-send]') && !state.sending && !state.waiting) leave(event.submitter);
}, true);
document.addEventListener('request:ready', () => {
  const button = state.waiting;
  if (!button) return;
  state.waiting = null;
  setTimeout(() => leave(button)); // after what was ready has been written down
});

const isOurs = event => state.sending !== null && event.detail?.ctx?.sourceElement === state.sending;

function stay(text) {
  setBusy(state.sending, false);
  state.sending = null;
  notice().querySelector('span').textContent = text;
  notice().hidden = false;
  document.dispatchEvent(new CustomEvent('request:failed'));
}

document.addEventListener('htmx:config:request', event => {
  const { ctx } = event.detail;
  if (!isOurs(event) && ctx.sourceElement?.id !== 'enviar') return;
  ctx.request.body.delete('arquivo');
  ctx.request.timeout = patience;
});
document.addEventListener('htmx:before:response', event => {
  if (!isOurs(event)) return;
  const { hx, response: { status } } = event.detail.ctx;
  state.left = hx.redirect !== undefined; // and stays so until the next page is there
  if (status === 401) { // the entry page takes over what was typed
    event.preventDefault();
    state.direct = true;
    form().requestSubmit(state.sending);
  } else if (status >= 500 && status !== 507) { // without space the answer is the form, and says so
    event.preventDefault();
    stay('O Guichê não conseguiu responder agora. Nada foi enviado, e o que você digitou continua aqui.');
  }
});
document.addEventListener('htmx:error', event => {
  if (isOurs(event)) stay('Sem conexão com o Guichê. Nada foi enviado, e o que você digitou continua aqui.');
});
document.addEventListener('htmx:finally:request', event => {
  if (!state.left && (isOurs(event) || !state.sending?.isConnected)) state.sending = null;
});
document.addEventListener('click', event => {
  if (!event.target.closest('[data-try-again]')) return;
  state.last.focus();
  form().requestSubmit(state.last);
});

// The review sends by htmx; hx-sync drops a second press. What was sent before the
// connection broke is never sent again: the draft becomes one case.
const review = event => (event.detail?.ctx?.sourceElement?.id === 'enviar' ? event.detail.ctx.sourceElement : null);
let wasOffline = false;

function reviewFailed(dialog, certain) {
  const line = dialog.querySelector('#sem-resposta');
  line.querySelector('span').textContent = certain
    ? 'Sem conexão com o Guichê. Nada foi enviado.'
    : 'O Guichê não respondeu. Tente de novo: um pedido nunca é enviado duas vezes.';
  line.hidden = false;
  dialog.querySelector('#enviar-confirma .while-idle').firstChild.textContent = 'Tentar de novo ';
}
document.addEventListener('htmx:before:request', event => {
  if (!review(event)) return;
  wasOffline = !navigator.onLine;
  setBusy(review(event).querySelector('button'), true);
  document.getElementById('sem-resposta').hidden = true;
});
// The case takes the draft's place in the browser's history: from a draft that was sent, Back would lead to the case again.
document.addEventListener('htmx:before:response', event => {
  const { ctx } = event.detail;
  if (!review(event) || !ctx.hx.redirect) return;
  event.preventDefault();
  ctx.keepIndicators = true;
  location.replace(ctx.hx.redirect);
});
document.addEventListener('htmx:before:response', event => {
  if (!review(event) || event.detail.ctx.response.status < 500 || event.detail.ctx.response.status === 507) return;
  event.preventDefault();
  reviewFailed(review(event).closest('dialog'), false);
});
document.addEventListener('htmx:error', event => {
  if (review(event)) reviewFailed(review(event).closest('dialog'), wasOffline);
});
document.addEventListener('htmx:finally:request', event => {
  const button = review(event)?.querySelector('button');
  if (button) setBusy(button, false);
});
