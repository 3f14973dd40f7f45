// What is typed and cannot be saved stays in this tab until the server has it: it
// belongs to one draft and one session, and goes with either.
const prefix = 'rascunho:';
const form = () => document.getElementById('pedido');
const status = { keeping: false, ended: false };

const keys = () => Object.keys(sessionStorage).filter(key => key.startsWith(prefix));
const keyOf = uid => prefix + uid;
const uidOf = path => path.replace('/nova/', '');
const own = () => keyOf(uidOf(form().dataset.pageUrl));

function fields() {
  return Array.from(new FormData(form())).filter(([, value]) => typeof value === 'string');
}
function version(entries) {
  return new Map(entries).get('versao');
}

function keep() {
  if (status.ended || !form() || document.querySelector('#rascunho [data-conflict]')) return;
  status.keeping = true; // from here on all of it, until it is saved
  const { textContent: credential } = document.getElementById('credencial-escolhida');
  sessionStorage.setItem(own(), JSON.stringify({ session: document.body.dataset.session, fields: fields(), credential: credential.trim() }));
}
function forget() {
  status.keeping = false;
  if (form()) sessionStorage.removeItem(own());
}
function forgetAll() {
  for (const key of keys()) sessionStorage.removeItem(key);
}

// kept is what this tab keeps in this session; what is another one's goes.
function kept() {
  const all = keys().map(key => ({ key, ...JSON.parse(sessionStorage.getItem(key)) }));
  const ours = all.filter(entry => entry.session === document.body.dataset.session);
  for (const entry of all) if (!ours.includes(entry)) sessionStorage.removeItem(entry.key);
  return ours;
}

// keptHere is what is kept for the form: under its own address, or, for an empty
// form, what the server never had.
function keptHere(entries) {
  const fresh = document.getElementById('versao').value === '0';
  return entries.find(entry => entry.key === own()) || (fresh && entries.find(entry => version(entry.fields) === '0'));
}

const typed = entries => JSON.stringify(entries.filter(([name, value]) => value && name !== 'versao' && !name.endsWith('.quantidade')));

function fill(entries) {
  const values = new Map(entries);
  const rows = entries.filter(([name]) => name.endsWith('.codigoProcedimento')).length;
  document.dispatchEvent(new CustomEvent('rows:ensure', { detail: rows }));
  for (const field of form().elements) {
    if (!field.name || field.matches('button,[type=file]')) continue;
    if (field.type === 'checkbox') field.checked = values.has(field.name);
    else if (values.has(field.name)) field.value = values.get(field.name);
    if (field.matches('select,[type=checkbox]')) field.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

function restore(entry) {
  sessionStorage.removeItem(entry.key);
  if (typed(entry.fields) === typed(fields())) return;
  fill(entry.fields);
  document.getElementById('credencial-escolhida').textContent = entry.credential;
  keep();
  document.getElementById('versao').dispatchEvent(new Event('change', { bubbles: true }));
  document.querySelector('#rascunho > span').textContent = 'Recuperado nesta aba; salvando…';
}

document.addEventListener('DOMContentLoaded', () => {
  const entries = kept(), here = form() && keptHere(entries);
  if (here) restore(here);
  else if (!form() && entries.some(entry => entry.key === keyOf(uidOf(location.pathname)))) location.replace('/nova'); // it never was saved
});
for (const name of ['input', 'change']) {
  document.addEventListener(name, event => {
    if (event.target.form?.id === 'pedido' && (status.keeping || !navigator.onLine)) keep();
  });
}
for (const name of ['draft:unsaved', 'request:failed']) document.addEventListener(name, keep);
document.addEventListener('draft:saved', () => {
  status.ended = false;
  forget();
});
document.addEventListener('htmx:before:response', event => {
  const { sourceElement, response } = event.detail.ctx;
  const sent = sourceElement?.matches?.('[data-send],#enviar');
  if (sent && (response.status < 400 || response.status === 422)) forget();
  if (sent && (response.status === 413 || response.status === 507)) keep(); // there is no room for it now
});

// At the end of a session, at logout, and with the draft, nothing stays.
document.addEventListener('session:ended', () => {
  status.ended = true;
  forgetAll();
});
document.addEventListener('submit', event => {
  if (event.target.getAttribute('action') === '/sair') forgetAll();
});
document.addEventListener('click', event => {
  if (event.target.closest('#rascunho [data-conflict] a')) forget();
});
