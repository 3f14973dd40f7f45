// Search while typing: htmx asks the server and fills the list, combobox-nav moves
// in it. Only the text of the field is sent, as "Busca". Enter and Tab move on at
// once; the answer fills in behind. Of a list that nobody saw only an exact code or
// a single hit is taken; otherwise the field keeps what was typed and is flagged.
const busyAfter = 400; // ms until "Buscando…" is shown
const seenAfter = 250; // ms that a list must stand before a person can have read it
const patience = 15000; // ms until a search counts as failed
const states = new WeakMap(); // input → state

const listOf = input => document.getElementById(input.getAttribute('aria-controls'));
const isCombobox = element => element instanceof HTMLInputElement && element.getAttribute('role') === 'combobox';
const tell = (input, name, detail) => input.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, detail }));

// phase: "settled" (nothing to choose), "pending" (typed, not answered), "answered"
// (a list to choose from), "failed".
function stateOf(input) {
  if (states.has(input)) return states.get(input);
  const list = listOf(input);
  const nav = new Combobox(input, list, { firstOptionSelectionMode: 'active' });
  const state = { list, nav, phase: 'settled', timer: 0, shownAt: 0 };
  states.set(input, state);
  list.addEventListener('combobox-commit', event => choose(input, event.target));
  list.addEventListener('mousedown', event => event.preventDefault());
  return state;
}

function setPhase(input, phase) {
  stateOf(input).phase = phase;
  input.toggleAttribute('data-searching', phase === 'pending');
  if (phase !== 'pending') document.dispatchEvent(new CustomEvent('request:ready'));
}

function close(input) {
  const state = states.get(input);
  if (!state) return;
  clearTimeout(state.timer);
  state.list.hidden = true;
  state.nav.stop();
}

function open(input) {
  const state = stateOf(input);
  state.list.hidden = false;
  state.shownAt = performance.now();
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

const messageOf = input => document.getElementById(`${input.id}-search`);

function unflag(input) {
  const message = messageOf(input);
  if (!message) return;
  message.remove();
  input.removeAttribute('aria-invalid');
  input.removeAttribute('aria-describedby');
}

// flag says beside the field what is left to do there.
function flag(input, text) {
  unflag(input);
  const message = document.createElement('span');
  message.id = `${input.id}-search`;
  message.className = 'error tone-error';
  message.textContent = text;
  input.closest('[data-row],[data-search]').append(message);
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-describedby', message.id);
  document.getElementById('aviso').textContent = text;
}

// choose tells of a choice; what was not seen may be declined, with a text that flags the field.
function choose(input, option, seen = true) {
  if (!option.dataset.value) return;
  close(input);
  unflag(input);
  const detail = { ...option.dataset, seen, text: '' };
  stateOf(input).phase = 'settled'; // the choice may move the focus
  if (!tell(input, 'combobox:choose', detail) && detail.text) flag(input, detail.text);
  setPhase(input, 'settled');
}

const optionsOf = input => Array.from(stateOf(input).list.querySelectorAll('[role=option][data-value]'));
const compact = text => text.replace(/[\s.\-/]/g, '');
const codeOf = option => option.dataset.card || option.dataset.providerCode || option.dataset.value;

// settle chooses unseen what leaves no doubt, or flags the field.
function settle(input) {
  const options = optionsOf(input), typed = compact(input.value);
  const exact = options.filter(option => compact(codeOf(option)) === typed);
  const sure = exact.length ? exact : options;
  if (sure.length === 1) return choose(input, sure[0], false);
  const problem = stateOf(input).phase === 'failed' ? 'failed' : options.length ? 'several' : 'none';
  const detail = { problem, typed: input.value.trim(), text: '' };
  stateOf(input).phase = 'settled';
  tell(input, 'combobox:unsettled', detail);
  if (detail.text) flag(input, detail.text);
  setPhase(input, 'settled');
}

const comboboxOf = event => (isCombobox(event.detail?.ctx?.sourceElement) ? event.detail.ctx.sourceElement : null);

document.addEventListener('htmx:config:request', event => {
  const input = comboboxOf(event);
  if (!input) return;
  const { request } = event.detail.ctx;
  request.body = new FormData();
  request.body.set('Busca', input.value.trim());
  request.timeout = patience;
  if (!input.value.trim() || stateOf(input).phase !== 'pending') event.preventDefault();
});
document.addEventListener('htmx:before:request', event => {
  const input = comboboxOf(event);
  if (!input) return;
  const state = stateOf(input);
  input.setAttribute('aria-busy', 'true');
  clearTimeout(state.timer);
  state.timer = setTimeout(() => showMessage(input, 'Buscando…'), busyAfter);
});

// The browser settles a new list for a while before htmx:after:swap.
document.addEventListener('htmx:before:swap', event => {
  const input = comboboxOf(event);
  if (input) clearTimeout(stateOf(input).timer);
});

// answered opens the list for the person who waits in the field, and settles it
// behind the one who has moved on.
function answered(input, phase) {
  clearTimeout(stateOf(input).timer);
  setPhase(input, phase);
  if (document.activeElement !== input) settle(input);
}
function failed(input, text) {
  showMessage(input, text);
  answered(input, 'failed');
}

document.addEventListener('htmx:after:swap', event => {
  const input = comboboxOf(event);
  if (!input || event.detail.ctx.request.body.get('Busca') !== input.value.trim()) return; // a newer search is on its way
  const { status } = event.detail.ctx.response;
  if (status === 401) return failed(input, 'Sua sessão terminou. Entre de novo e escreva outra vez.');
  if (status === 429) return failed(input, 'Muitas buscas em pouco tempo. Espere alguns segundos e escreva de novo.');
  if (status >= 400) return failed(input, 'A busca falhou. Escreva de novo para repetir.');
  if (document.activeElement === input && stateOf(input).list.children.length) open(input);
  else close(input);
  answered(input, stateOf(input).list.querySelector('[data-failed]') ? 'failed' : 'answered');
});
document.addEventListener('htmx:error', event => {
  const input = comboboxOf(event);
  if (input) failed(input, 'Sem conexão com o Guichê. Escreva de novo para repetir.');
});
document.addEventListener('htmx:finally:request', event => comboboxOf(event)?.removeAttribute('aria-busy'));

document.addEventListener('input', event => {
  const input = event.target;
  if (!isCombobox(input)) return;
  unflag(input);
  setPhase(input, input.value.trim() ? 'pending' : 'settled');
  if (!input.value.trim()) close(input);
});
// What a script writes into a field ends the search for what was typed there: its answer is of no use any more.
document.addEventListener('combobox:written', event => {
  if (!isCombobox(event.target)) return;
  close(event.target);
  unflag(event.target);
  setPhase(event.target, 'settled');
});

// canCommit reports whether Enter means an option of the list: one that was
// reached with the arrows, or the first of a list that can have been read. Where the
// field takes other texts too (data-free), Tab leaves it as it was typed.
const takesOther = (input, key) => key === 'Tab' && optionsOf(input)[0]?.hasAttribute('data-free')
  && !optionsOf(input).some(option => compact(codeOf(option)) === compact(input.value));

function canCommit(input, key) {
  const { list, phase, shownAt } = stateOf(input);
  if (list.hidden) return false;
  if (list.querySelector('[aria-selected=true][data-value]')) return true;
  if (takesOther(input, key)) return false;
  return phase !== 'pending' && performance.now() - shownAt >= seenAfter && optionsOf(input).length > 0;
}

function leaveAsTyped(input) {
  stateOf(input).phase = 'settled';
  tell(input, 'combobox:unsettled', { problem: 'none', typed: input.value.trim(), text: '' });
  setPhase(input, 'settled');
}

const wordsOf = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split(/\s+/).filter(Boolean);
function fits(option, typed) {
  const words = wordsOf(option.dataset.label);
  return compact(codeOf(option)).startsWith(compact(typed)) || wordsOf(typed).every(part => words.some(word => word.startsWith(part)));
}

// readAlready is the one option of a list that can have been read which still fits, while what
// was typed since is searched for.
function readAlready(input) {
  const { list, phase, shownAt } = stateOf(input);
  if (phase !== 'pending' || list.hidden || performance.now() - shownAt < seenAfter) return null;
  const fitting = optionsOf(input).filter(option => fits(option, input.value));
  return fitting.length === 1 ? fitting[0] : null;
}

function moveOn(event) {
  const input = event.target, state = stateOf(input);
  const known = takesOther(input, event.key) ? null : readAlready(input);
  if (known) {
    event.preventDefault();
    event.stopPropagation();
    return choose(input, known);
  }
  const unseen = state.phase === 'pending' || (state.phase === 'answered' && performance.now() - state.shownAt < seenAfter);
  close(input);
  if (state.phase === 'answered' && !unseen && takesOther(input, event.key)) leaveAsTyped(input);
  else if (state.phase === 'answered') settle(input);
  if (document.activeElement !== input) { // the choice led elsewhere
    event.preventDefault();
    return event.stopPropagation();
  }
  if (!unseen || tell(input, 'combobox:leave')) return;
  event.preventDefault();
  event.stopPropagation();
}

// Keys, before combobox-nav sees them: Esc closes the list alone, Enter and Tab
// that mean no option move on.
document.addEventListener('keydown', event => {
  const input = event.target;
  if (!isCombobox(input) || event.ctrlKey || event.isComposing) return;
  const { list } = stateOf(input);
  if (event.key === 'Escape' && !list.hidden) {
    close(input);
    event.preventDefault();
    event.stopPropagation();
  } else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) {
    if (event.repeat || !canCommit(input, event.key)) moveOn(event);
  } else if (event.key === 'ArrowDown' && list.hidden && list.children.length) {
    open(input);
    event.preventDefault();
  }
}, true);

document.addEventListener('focusout', event => {
  if (!isCombobox(event.target) || document.activeElement === event.target) return;
  close(event.target);
  const { phase } = stateOf(event.target);
  if (phase === 'answered' || phase === 'failed') settle(event.target);
});
// Who comes back to a flagged field finds its list.
document.addEventListener('focusin', event => {
  if (isCombobox(event.target) && messageOf(event.target) && optionsOf(event.target).length) open(event.target);
});

// Leaving the form waits for searches; a review asks first for what is flagged.
document.addEventListener('request:leaving', event => {
  const inputs = Array.from(document.querySelectorAll('#pedido [role=combobox]'));
  if (inputs.some(input => stateOf(input).phase === 'pending')) return event.preventDefault();
  const undecided = event.detail.review && inputs.find(input => messageOf(input) && optionsOf(input).length > 1);
  if (!undecided) return;
  event.detail.ask = undecided;
  event.preventDefault();
});
