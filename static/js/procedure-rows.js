// Rows of procedures are added and removed here; without this script the same
// buttons ask the server.
const rows = () => Array.from(document.querySelectorAll('#procedimentos > [data-row]'));
const inputsOf = row => ({
  code: row.querySelector('[role=combobox]'),
  name: row.querySelector('.procedure-name input'),
  quantity: row.querySelector('input.text-end'),
});

// renumber writes a row's index into the names, ids and labels inside it.
function renumber(row, index) {
  const set = (element, attribute, change) => {
    const value = element.getAttribute(attribute);
    if (value !== null) element.setAttribute(attribute, change(value));
  };
  for (const element of row.querySelectorAll('*')) {
    for (const attribute of ['name', 'id', 'aria-controls', 'aria-describedby', 'hx-target']) {
      set(element, attribute, v => v
        .replace(/procedimentos\[\d+\]/g, `procedimentos[${index}]`)
        .replace(/procedimentos-\d+/g, `procedimentos-${index}`));
    }
    set(element, 'aria-label', v => v.replace(/\d+$/, index + 1));
    if (element.matches('[data-remove-row]')) element.value = `remover-${index}`;
  }
}

function makeEditable(name, value) {
  name.value = value;
  name.readOnly = false;
  name.removeAttribute('tabindex');
}

function clearRow(row) {
  const { code, name, quantity } = inputsOf(row);
  for (const input of [code, name, quantity]) {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
  code.value = '';
  quantity.value = '1';
  makeEditable(name, '');
  row.querySelectorAll('.error').forEach(message => message.remove());
  row.querySelector('[role=listbox]').replaceChildren();
}

function addRow() {
  const last = rows()[rows().length - 1];
  const row = last.cloneNode(true);
  row.querySelector('[role=listbox]').hidden = true;
  clearRow(row);
  renumber(row, rows().length);
  last.after(row);
  window.htmx.process(row);
  inputsOf(row).code.focus();
}

function removeRow(row) {
  const all = rows();
  const at = all.indexOf(row);
  if (all.length === 1) {
    clearRow(row);
  } else {
    row.remove();
    // Names and lists have moved: htmx reads its attributes again.
    rows().forEach((left, index) => { renumber(left, index); window.htmx.process(left, true); });
  }
  const next = rows()[Math.min(at, rows().length - 1)];
  inputsOf(next).code.focus();
  next.dispatchEvent(new Event('change', { bubbles: true }));
}

// goToNextRow focuses the next row's code; after a filled last row it adds one.
function goToNextRow(row) {
  const all = rows();
  const next = all[all.indexOf(row) + 1];
  if (next) inputsOf(next).code.focus();
  else if (inputsOf(row).code.value.trim()) addRow();
}

document.addEventListener('click', event => {
  if (event.target.closest('#procedimentos-mais')) {
    event.preventDefault();
    addRow();
  }
  const button = event.target.closest('[data-remove-row]');
  if (button) {
    event.preventDefault();
    removeRow(button.closest('[data-row]'));
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
  else goToNextRow(row);
});

document.addEventListener('keypress', event => {
  if (event.key === 'Enter' && event.target.closest?.('[data-row] input')) event.preventDefault();
});

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
  if (name.readOnly) makeEditable(name, '');
});
