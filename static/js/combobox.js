// Search while typing: htmx asks the server and fills the list, combobox-nav moves
// in it. Only the text of the field is sent, as "Busca".
const busyAfter = 400; // ms until "Buscando…" is shown
const states = new WeakMap(); // input → state

const listOf = input => document.getElementById(input.getAttribute('aria-controls'));
const isCombobox = element => element instanceof HTMLInputElement && element.getAttribute('role') === 'combobox';

function stateOf(input) {
  if (states.has(input)) return states.get(input);
  const list = listOf(input);
  const nav = new Combobox(input, list, { firstOptionSelectionMode: 'active' });
  const state = { list, nav, pending: false, wantsFirst: false, timer: 0 };
  states.set(input, state);
  list.addEventListener('combobox-commit', event => choose(input, event.target));
  list.addEventListener('mousedown', event => event.preventDefault());
  return state;
}

function close(input) {
  const state = states.get(input);
  if (!state) return;
  clearTimeout(state.timer);
  state.list.hidden = true;
  state.wantsFirst = false;
  state.nav.stop();
}

function open(input) {
  const state = states.get(input);
  state.list.hidden = false;
  state.nav.stop();
  state.nav.start();
  state.list.scrollIntoView({ block: 'nearest' });
}

// showMessage fills the list with one line that cannot be chosen.
function showMessage(input, text) {
  const line = document.createElement('div');
  line.setAttribute('role', 'option');
  line.setAttribute('aria-disabled', 'true');
  line.setAttribute('aria-selected', 'false');
  line.className = 'muted';
  line.textContent = text;
  states.get(input).list.replaceChildren(line);
  if (document.activeElement === input) open(input);
}

function choose(input, option) {
  if (!option.dataset.value) return;
  close(input);
  input.dispatchEvent(new CustomEvent('combobox:choose', { bubbles: true, detail: { ...option.dataset } }));
}

// listFilled chooses the first option when Enter was pressed before, or an exact match.
function listFilled(input) {
  const state = stateOf(input);
  const first = state.list.querySelector('[role=option]:not([aria-disabled])');
  if (state.wantsFirst && first) return choose(input, first);
  const exact = Array.from(state.list.children).find(o => o.dataset.value && o.dataset.value === input.value.trim());
  if (document.activeElement === input) return open(input);
  if (exact) choose(input, exact);
}

const comboboxOf = event => (isCombobox(event.detail?.ctx?.sourceElement) ? event.detail.ctx.sourceElement : null);

document.addEventListener('htmx:config:request', event => {
  const input = comboboxOf(event);
  if (!input) return;
  const body = new FormData();
  body.set('Busca', input.value.trim());
  event.detail.ctx.request.body = body;
  if (!input.value.trim()) {
    close(input);
    stateOf(input).pending = false;
    event.preventDefault();
  }
});
document.addEventListener('htmx:before:request', event => {
  const input = comboboxOf(event);
  if (!input) return;
  const state = stateOf(input);
  input.setAttribute('aria-busy', 'true');
  clearTimeout(state.timer);
  state.timer = setTimeout(() => showMessage(input, 'Buscando…'), busyAfter);
});
document.addEventListener('htmx:after:swap', event => {
  const input = comboboxOf(event);
  if (!input) return;
  const state = stateOf(input);
  clearTimeout(state.timer);
  state.pending = false;
  const { status } = event.detail.ctx.response;
  if (status < 400) listFilled(input);
  else if (status === 401) showMessage(input, 'Sua sessão terminou. Entre de novo e escreva outra vez.');
  else showMessage(input, 'A busca falhou. Escreva de novo para repetir.');
});
document.addEventListener('htmx:error', event => {
  const input = comboboxOf(event);
  if (!input) return;
  const state = stateOf(input);
  clearTimeout(state.timer);
  state.pending = false;
  showMessage(input, 'Sem conexão com o Guichê. Escreva de novo para repetir.');
});
document.addEventListener('htmx:finally:request', event => comboboxOf(event)?.removeAttribute('aria-busy'));

document.addEventListener('input', event => {
  const input = event.target;
  if (!isCombobox(input)) return;
  const state = stateOf(input);
  state.pending = input.value.trim() !== '';
  state.wantsFirst = false;
  if (!state.pending) close(input);
});

// Keys, before combobox-nav sees them: Esc closes the list alone, and an Enter that
// comes before the list takes its first line when it arrives.
document.addEventListener('keydown', event => {
  const input = event.target;
  if (!isCombobox(input) || event.ctrlKey) return;
  const state = stateOf(input);
  const isOpen = !state.list.hidden;
  if (event.key === 'Escape' && isOpen) {
    close(input);
    event.preventDefault();
    event.stopPropagation();
  } else if (event.key === 'Enter' && state.pending) {
    state.wantsFirst = true;
    event.preventDefault();
    event.stopPropagation();
  } else if (event.key === 'Enter' && !isOpen) {
    event.preventDefault();
  } else if (event.key === 'ArrowDown' && !isOpen && state.list.children.length) {
    open(input);
    event.preventDefault();
  }
}, true);
// Enter belongs to the list, never to the form around it.
document.addEventListener('keypress', event => { if (isCombobox(event.target) && event.key === 'Enter') event.preventDefault(); }, true);
document.addEventListener('focusout', event => {
  if (!isCombobox(event.target)) return;
  const { pending, wantsFirst } = stateOf(event.target);
  close(event.target);
  states.get(event.target).wantsFirst = pending && wantsFirst; // Enter may be followed by leaving the field before the answer
});

// The credential: its id is hidden, its name stays in the field.
document.addEventListener('combobox:choose', event => {
  if (event.target.id !== 'Busca') return;
  const { value, label, providerCode, biometrics } = event.detail;
  const hidden = document.getElementById('credencialId');
  event.target.value = label;
  if (hidden) hidden.value = value;
  const name = document.createElement('b');
  name.textContent = label;
  const asks = biometrics === undefined ? '' : ' · a operadora pede biometria';
  document.getElementById('credencial-escolhida').replaceChildren(name, ` · código do prestador ${providerCode}${asks}`);
  hidden?.dispatchEvent(new Event('change', { bubbles: true }));
  if (document.activeElement === event.target) document.getElementById('nomeBeneficiario')?.focus();
});
document.addEventListener('input', event => {
  if (event.target.id !== 'Busca') return;
  const hidden = document.getElementById('credencialId');
  if (!hidden || !hidden.value) return;
  hidden.value = '';
  document.getElementById('credencial-escolhida').textContent = '';
  hidden.dispatchEvent(new Event('change', { bubbles: true }));
});
