// Autosave of the request form: a second after the last change htmx sends it. One
// save at a time, because each answer brings the version that the next one sends.
const pause = 1000, retry = 5000; // ms
const form = () => document.getElementById('pedido');
const state = { timer: 0, dirty: false, saving: false, failed: false, leaving: false, waiting: null };

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
  if (!field.form || field.form !== form() || field.id === 'Busca' || field.type === 'file') return;
  state.dirty = true;
  if (!state.saving) schedule(pause);
}
document.addEventListener('input', onChange);
document.addEventListener('change', onChange);

const isAutosave = event => event.detail?.ctx?.sourceElement === form() && form() !== null;

document.addEventListener('htmx:config:request', event => {
  if (isAutosave(event)) event.detail.ctx.request.body.delete('arquivo');
});
document.addEventListener('htmx:before:request', event => {
  if (!isAutosave(event)) return;
  state.saving = true;
  state.dirty = false;
  state.failed = false;
});
document.addEventListener('htmx:error', event => { if (isAutosave(event)) state.failed = true; });
document.addEventListener('htmx:response:error', event => {
  if (isAutosave(event) && event.detail.ctx.response.status !== 409) state.failed = true;
});
document.addEventListener('htmx:finally:request', event => {
  if (!isAutosave(event)) return;
  state.saving = false;
  if (state.failed) {
    state.dirty = true;
    const status = document.querySelector('#rascunho > span');
    if (status) status.textContent = 'Ainda não salvo; tentando de novo…';
  }
  if (state.waiting) return submitAfterSave();
  if (state.dirty) schedule(state.failed ? retry : pause);
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

// Submitting while a save is under way waits for its version.
function submitAfterSave() {
  const submitter = state.waiting.submitter;
  state.waiting = null;
  form()?.requestSubmit(submitter);
}
document.addEventListener('submit', event => {
  if (event.target !== form() || event.defaultPrevented) return;
  clearTimeout(state.timer);
  if (state.saving) {
    event.preventDefault();
    state.waiting = { submitter: event.submitter };
    return;
  }
  if (state.leaving) event.preventDefault();
  state.leaving = true;
  setTimeout(() => { state.leaving = false; }, 10000);
});

window.addEventListener('pagehide', () => {
  if (!form() || !state.dirty || state.leaving || inConflict()) return;
  const body = new FormData(form());
  body.delete('arquivo');
  navigator.sendBeacon(form().action, new URLSearchParams(body));
});
window.addEventListener('pageshow', event => { if (event.persisted) location.reload(); });
