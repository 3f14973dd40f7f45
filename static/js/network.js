// Without a network the page says so quietly, and holds what is pressed until it is back:
// a link or a form of its own that would lead to the browser's error page. Browsers notice
// late or never that a network is gone, so what is pressed is asked for first. The form of a
// request and its review keep themselves (submit-form.js), and logging out never waits.
const blink = 3000; // ms that nobody is told of
const pause = 2000; // ms between two looks whether it is back
const patience = 5000; // ms that an answer may take
const state = { since: 0, held: null, looking: false, asking: null, passing: false };

// Only a script shows the notice: no page brings it along, nor does one that takes another's place. Whoever is not
// logged in has none.
function add() {
  const header = document.querySelector('.header');
  header?.insertAdjacentHTML('afterend', '<div class="network-notice" id="rede" role="region" aria-label="Rede" hidden>' +
    '<div class="notice tone-attention"><span></span> <button class="btn btn-link p-0" type="button" hidden>Desistir</button></div></div>');
  return header && header.nextElementSibling;
}
const notice = () => document.getElementById('rede') || add();
const announce = text => { document.getElementById('aviso').textContent = text; };

function lasted() {
  const seconds = Math.round((Date.now() - state.since) / 1000);
  if (seconds < 2) return '';
  return seconds < 100 ? ` há ${seconds} s` : ` há ${Math.round(seconds / 60)} min`;
}

function show() {
  const gone = state.since > 0 && (state.held !== null || Date.now() - state.since >= blink);
  const [words, drop] = notice().firstChild.children;
  if (gone && notice().hidden && !state.held) announce('Sem rede; nada se perdeu.');
  notice().hidden = !gone;
  drop.hidden = state.held === null;
  if (gone) words.textContent = `Sem rede${lasted()}; nada se perdeu.${state.held ? ` “${state.held.label}” vai quando ela voltar.` : ''}`;
}

function lost() {
  if (state.since || !notice()) return;
  state.since = Date.now();
  look();
}

function back() {
  const { held } = state;
  const told = !notice().hidden;
  Object.assign(state, { since: 0, held: null });
  show();
  if (told) announce('A rede voltou.');
  if (!held) return;
  held.control.removeAttribute('aria-busy');
  held.go();
}

// isThere asks whether the program answers, whatever it says.
const isThere = () => fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patience) }).then(() => true, () => false);

async function look() {
  if (!state.since || state.looking) return;
  state.looking = true;
  if (navigator.onLine && await isThere()) back();
  state.looking = false;
  if (!state.since) return;
  show();
  setTimeout(look, pause);
}

window.addEventListener('offline', lost);
window.addEventListener('online', look);
document.addEventListener('network:lost', lost);
// What was answered and could not be shown is no matter of the network.
document.addEventListener('htmx:error', event => { if (event.detail?.ctx && !event.detail.ctx.response) lost(); });

// hold keeps one press: the last one is what a person wants.
function hold(press) {
  state.held?.control.removeAttribute('aria-busy');
  press.control.setAttribute('aria-busy', 'true');
  state.held = press;
  show();
  announce(`Sem rede. ${press.label} vai quando ela voltar.`);
}

// ask lets a press go on once the program has answered; pressed again meanwhile it is the same one.
async function ask(press) {
  const { control } = press;
  if (state.asking === control) return;
  state.asking?.removeAttribute('aria-busy');
  state.asking = control;
  control.setAttribute('aria-busy', 'true');
  const there = await isThere();
  if (state.asking !== control) return;
  state.asking = null;
  control.removeAttribute('aria-busy');
  if (there) return press.go();
  lost();
  hold(press);
}

// pass does once more what was pressed, for everybody else to see it now.
function pass(again) {
  state.passing = true;
  again();
  state.passing = false;
}

const gone = () => {
  if (!navigator.onLine) lost();
  return state.since > 0;
};
function stop(event, press) {
  event.preventDefault();
  event.stopImmediatePropagation();
  if (gone()) hold(press);
  else ask(press);
}
function labelOf(control) {
  const words = control.cloneNode(true);
  for (const other of words.querySelectorAll('kbd,.while-sending')) other.remove();
  return (control.getAttribute('aria-label') || words.textContent).replace(/\s+/g, ' ').trim();
}

document.addEventListener('click', event => {
  const link = event.target.closest('a[href]');
  if (state.passing || !notice() || !link || event.defaultPrevented) return;
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.target || link.origin !== location.origin || (link.hash && link.pathname === location.pathname)) return;
  stop(event, { control: link, label: labelOf(link), go: () => pass(() => link.click()) });
}, true);
document.addEventListener('submit', event => {
  const { target, submitter } = event;
  if (state.passing || !notice() || target.getAttribute('target')) return;
  const keepsItself = target.id === 'pedido' || target.hasAttribute('hx-post') || target.getAttribute('method') === 'dialog';
  if (keepsItself || target.getAttribute('action') === '/sair') return;
  const button = submitter || target.querySelector('button:not([type=button])'); // a key sends a form without its button
  const press = { control: button || target, label: button ? labelOf(button) : 'Buscar' };
  stop(event, { ...press, go: () => pass(() => target.requestSubmit(submitter)) });
}, true);
document.addEventListener('click', event => {
  if (!event.target.closest('#rede button')) return;
  state.held?.control.removeAttribute('aria-busy');
  state.held?.control.focus();
  state.held = null;
  show();
});
