// Autosave: a second after the last change the form is sent by htmx, one save at
// a time, because each brings back the version that the next one sends.
const pause = 1000, retry = 5000; // ms
const form = () => document.getElementById('pedido');
const draft = { timer: 0, dirty: false, saving: false, failed: false, leaving: false, waiting: null };

const inConflict = () => document.querySelector('#rascunho [data-conflict]') !== null;

function schedule(delay) {
  clearTimeout(draft.timer);
  draft.timer = setTimeout(save, delay);
}

function save() {
  draft.timer = 0;
  if (!form() || draft.saving || draft.leaving || !draft.dirty || inConflict()) return;
  window.htmx.trigger(form(), 'autosave');
}

function changed(event) {
  const field = event.target;
  if (!field.form || field.form !== form() || field.id === 'Busca' || field.type === 'file') return;
  draft.dirty = true;
  if (!draft.saving) schedule(pause);
}
document.addEventListener('input', changed);
document.addEventListener('change', changed);

const saves = event => event.detail?.ctx?.sourceElement === form() && form() !== null;

document.addEventListener('htmx:config:request', event => {
  if (saves(event)) event.detail.ctx.request.body.delete('arquivo');
});
document.addEventListener('htmx:before:request', event => {
  if (!saves(event)) return;
  draft.saving = true;
  draft.dirty = false;
  draft.failed = false;
});
document.addEventListener('htmx:error', event => { if (saves(event)) draft.failed = true; });
document.addEventListener('htmx:response:error', event => {
  if (saves(event) && event.detail.ctx.response.status !== 409) draft.failed = true;
});
document.addEventListener('htmx:finally:request', event => {
  if (!saves(event)) return;
  draft.saving = false;
  if (draft.failed) {
    draft.dirty = true;
    const words = document.querySelector('#rascunho > span');
    if (words) words.textContent = 'Ainda não salvo; tentando de novo…';
  }
  if (draft.waiting) return resume();
  if (draft.dirty) schedule(draft.failed ? retry : pause);
});

// Without a session nothing is saved until the person is back: what is on the page
// goes again and again, and at once when its tab is shown.
document.addEventListener('session:ended', () => {
  draft.dirty = true;
  draft.failed = true;
  if (!draft.saving) schedule(retry);
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && draft.failed && !draft.saving) schedule(0);
});

// A person who sends while a save is under way waits for its version.
function resume() {
  const submitter = draft.waiting.submitter;
  draft.waiting = null;
  form()?.requestSubmit(submitter);
}
document.addEventListener('submit', event => {
  if (event.target !== form() || event.defaultPrevented) return;
  clearTimeout(draft.timer);
  if (draft.saving) {
    event.preventDefault();
    draft.waiting = { submitter: event.submitter };
    return;
  }
  if (draft.leaving) event.preventDefault();
  draft.leaving = true;
  setTimeout(() => { draft.leaving = false; }, 10000);
});

window.addEventListener('pagehide', () => {
  if (!form() || !draft.dirty || draft.leaving || inConflict()) return;
  const body = new FormData(form());
  body.delete('arquivo');
  navigator.sendBeacon(form().action, new URLSearchParams(body));
});
window.addEventListener('pageshow', event => { if (event.persisted) location.reload(); });
