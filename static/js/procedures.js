// Rows of procedures, added and removed here; without a script the same buttons
// ask the server.
const rows = () => Array.from(document.querySelectorAll('#procedimentos > [data-row]'));
const inputsOf = row => ({
  code: row.querySelector('[role=combobox]'),
  name: row.querySelector('.procedure-name input'),
  quantity: row.querySelector('input.text-end'),
});

// renumber writes the place of a row into every name, id and label of it.
function renumber(row, index) {
  const set = (element, attribute, change) => {
    const value = element.getAttribute(attribute);
    if (value !== null) element.setAttribute(attribute, change(value));
  };
  for (const element of row.querySelectorAll('*')) {
    for (const attribute of ['name', 'id', 'aria-controls', 'aria-describedby', 'hx-target']) {
      set(element, attribute, v => v.replace(/procedimentos\[\d+\]/g, `procedimentos[${index}]`).replace(/procedimentos-\d+/g, `procedimentos-${index}`));
    }
    set(element, 'aria-label', v => v.replace(/\d+$/, index + 1));
    if (element.matches('[data-remove-row]')) element.value = `remover-${index}`;
  }
}

function unlock(name, value) {
  name.value = value;
  name.readOnly = false;
  name.removeAttribute('tabindex');
}

function emptyRow(row) {
  const { code, name, quantity } = inputsOf(row);
  for (const input of [code, name, quantity]) {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
  code.value = '';
  quantity.value = '1';
  unlock(name, '');
  row.querySelectorAll('.error').forEach(message => message.remove());
  row.querySelector('[role=listbox]').replaceChildren();
}

function add() {
  const last = rows()[rows().length - 1];
  const row = last.cloneNode(true);
  row.querySelector('[role=listbox]').hidden = true;
  emptyRow(row);
  renumber(row, rows().length);
  last.after(row);
  window.htmx.process(row);
  inputsOf(row).code.focus();
}

function remove(row) {
  const all = rows();
  const at = all.indexOf(row);
  if (all.length === 1) {
    emptyRow(row);
  } else {
    row.remove();
    // Names and lists moved: htmx reads its attributes anew.
    rows().forEach((left, index) => { renumber(left, index); window.htmx.process(left, true); });
  }
  const next = rows()[Math.min(at, rows().length - 1)];
  inputsOf(next).code.focus();
  next.dispatchEvent(new Event('change', { bubbles: true }));
}

// onward goes to the next row's code, opening a row after a filled last one.
function onward(row) {
  const all = rows();
  const next = all[all.indexOf(row) + 1];
  if (next) inputsOf(next).code.focus();
  else if (inputsOf(row).code.value.trim()) add();
}

document.addEventListener('click', event => {
  if (event.target.closest('#procedimentos-mais')) {
    event.preventDefault();
    add();
  }
  const button = event.target.closest('[data-remove-row]');
  if (button) {
    event.preventDefault();
    remove(button.closest('[data-row]'));
  }
});

document.addEventListener('keydown', event => {
  const row = event.target.closest?.('[data-row]');
  if (!row || event.key !== 'Enter' || event.ctrlKey || !event.target.matches('input')) return;
  const { code, name, quantity } = inputsOf(row);
  if (event.target === code && (event.defaultPrevented && !code.value.trim() || !row.querySelector('[role=listbox]').hidden)) return;
  event.preventDefault();
  if (event.target === code) (name.readOnly ? quantity : name).focus();
  else if (event.target === name) quantity.focus();
  else onward(row);
});

document.addEventListener('keypress', event => { if (event.key === 'Enter' && event.target.closest?.('[data-row] input')) event.preventDefault(); });

document.addEventListener('combobox:choose', event => {
  const row = event.target.closest('[data-row]');
  if (!row) return;
  const { code, name, quantity } = inputsOf(row);
  code.value = event.detail.value;
  name.value = event.detail.label;
  name.readOnly = true;
  name.tabIndex = -1;
  code.dispatchEvent(new Event('change', { bubbles: true }));
  if (document.activeElement === code) {
    quantity.focus();
    quantity.select();
  }
});
document.addEventListener('input', event => {
  const row = event.target.closest?.('[data-row]');
  if (!row || event.target !== inputsOf(row).code) return;
  const { name } = inputsOf(row);
  if (name.readOnly) unlock(name, '');
});
