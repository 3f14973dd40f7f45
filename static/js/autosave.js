// Autosave of the request form: a second after the last change htmx sends it. One
// save at a time, because each answer brings the version that the next one sends.
const pause = 1000, retry = 5000; // ms
const form = () => document.getElementById('pedido');
const state = {
  timer: 0, dirty: false, saving: false, saved: false, failed: false, leaving: false,
  refused: false, // there is no room for more: the answer says so, and nobody asks again by himself
  full: false, // there is none for anybody: asked again until there is
  body: null, // of the last save
  lost: null, // the body of a save without an answer
  again: false, // it is being repeated before the form leaves
};

const inConflict = () => document.querySelector('#rascunho [data-conflict]') !== null;

function schedule(delay) {
  clearTimeout(state.timer);
  state.timer = setTimeout(save, delay);
}

function save() {
  state.timer = 0;
  if (!form() || state.saving || state.leaving || !state.dirty || inConflict()) return;
  window.htmx.trigger(form(), 'autosave');
}

function onChange(event) {
  const field = event.target;
  if (!field.form || field.form !== form() || ['Busca', 'Quem'].includes(field.id) || field.type === 'file') return;
  changed(pause);
}
function changed(delay) {
  state.dirty = true;
  if (!state.saving) schedule(delay);
  if (location.pathname !== form().dataset.pageUrl) history.replaceState(null, '', form().dataset.pageUrl); // a draft from here on
}
document.addEventListener('input', onChange);
document.addEventListener('change', onChange);
// The files of the draft changed at the server: the answer to a save shows it.
document.addEventListener('draft:changed', () => { if (form()) changed(0); });

const isAutosave = event => event.detail?.ctx?.sourceElement === form() && form() !== null;

// A save without an answer may have arrived: it is repeated as it was, for its
// version, before anything newer is sent.
document.addEventListener('htmx:config:request', event => {
  if (!isAutosave(event)) return;
  const { request } = event.detail.ctx;
  request.body.delete('arquivo');
  if (state.lost) request.body = state.lost;
  state.body = request.body;
});
document.addEventListener('htmx:before:request', event => {
  if (!isAutosave(event)) return;
  Object.assign(state, { saving: true, saved: false, dirty: false, failed: false, refused: false, full: false });
});
document.addEventListener('htmx:error', event => {
  if (isAutosave(event)) Object.assign(state, { failed: true, lost: state.body });
});
document.addEventListener('htmx:after:swap', event => {
  if (!isAutosave(event) || event.detail.ctx.response.status !== 200) return;
  Object.assign(state, { saved: true, dirty: state.dirty || state.lost !== null, lost: null });
});
document.addEventListener('htmx:response:error', event => {
  if (!isAutosave(event) || event.detail.ctx.response.status === 409) return;
  state.failed = true;
  state.full = event.detail.ctx.response.status === 507;
  state.refused = state.full || event.detail.ctx.response.status === 413;
  if (state.refused) state.lost = null; // the server has answered
});
document.addEventListener('htmx:finally:request', event => {
  if (!isAutosave(event)) return;
  state.saving = false;
  if (state.failed) {
    state.dirty = true;
    const status = document.querySelector('#rascunho > span');
    if (status && !state.refused) status.textContent = 'Ainda não salvo; tentando de novo…';
  }
  if (state.failed) document.dispatchEvent(new CustomEvent('draft:unsaved'));
  if (state.saved && !state.dirty) document.dispatchEvent(new CustomEvent('draft:saved'));
  document.dispatchEvent(new CustomEvent('request:ready'));
  if (state.dirty && !state.leaving && (!state.refused || state.full)) schedule(state.failed ? retry : pause);
});

// After the session has ended nothing can be saved until the person logs in again:
// saving is retried, and at once when the tab is shown.
document.addEventListener('session:ended', () => {
  state.dirty = true;
  state.failed = true;
  if (!state.saving) schedule(retry);
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && state.failed && !state.saving) schedule(0);
});

// The form leaves after a save that is under way, for its version.
document.addEventListener('request:leaving', event => {
  if (state.lost && !state.saving && !state.again) {
    state.again = true;
    schedule(0);
  }
  if (state.saving || state.timer && state.again) event.preventDefault();
});
document.addEventListener('request:sending', () => {
  clearTimeout(state.timer);
  Object.assign(state, { leaving: true, again: false });
});
document.addEventListener('request:failed', () => {
  state.leaving = false;
  schedule(retry);
});
// A new page stands in place of the one that was sent.
document.addEventListener('htmx:after:swap', event => {
  if (event.detail.ctx.target !== document.body) return;
  const unsaved = document.querySelector('#rascunho [data-unsaved]') !== null;
  const full = document.querySelector('#rascunho [data-unsaved=por-ora]') !== null;
  Object.assign(state, { dirty: unsaved, failed: unsaved, refused: unsaved, full, leaving: false, lost: null });
  if (full) schedule(retry);
});

window.addEventListener('pagehide', () => {
  if (!form() || !state.dirty || state.leaving || inConflict()) return;
  const body = new FormData(form());
  body.delete('arquivo');
  navigator.sendBeacon(form().action, new URLSearchParams(body));
});
