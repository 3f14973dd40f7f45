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

// clearRow leaves a row as a new one has it, also where it was copied in the middle of a search.
function clearRow(row) {
  const { code, name, quantity } = inputsOf(row);
  for (const input of [code, name, quantity]) {
    for (const attribute of ['aria-invalid', 'aria-describedby', 'aria-busy', 'data-searching']) input.removeAttribute(attribute);
  }
  code.value = '';
  code.dispatchEvent(new Event('combobox:written', { bubbles: true }));
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

// rows:ensure adds rows until there are so many.
document.addEventListener('rows:ensure', event => {
  while (rows().length < event.detail) addRow();
});

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

// Enter goes on in the row; in the empty code that stands last it leaves the rows.
document.addEventListener('keydown', event => {
  const row = event.target.closest?.('[data-row]');
  if (!row || event.key !== 'Enter' || event.ctrlKey || event.defaultPrevented || !event.target.matches('input')) return;
  event.preventDefault();
  if (event.repeat) return;
  const { code, name, quantity } = inputsOf(row);
  if (event.target === quantity) goToNextRow(row);
  else if (event.target === name || name.readOnly) quantity.focus();
  else if (code.value.trim() || name.value.trim()) name.focus();
  else document.getElementById('arquivo').focus();
});

// fillName writes the name of a known code, unless a person is writing there.
function fillName(row, text) {
  const { name } = inputsOf(row);
  if (document.activeElement === name) return name.addEventListener('blur', () => fillName(row, text), { once: true });
  if (name.value.trim()) return;
  name.value = text;
  name.readOnly = true;
  name.tabIndex = -1;
  name.dispatchEvent(new Event('change', { bubbles: true }));
}

document.addEventListener('combobox:choose', event => {
  const row = event.target.closest('[data-row]');
  if (!row) return;
  const { code, quantity } = inputsOf(row);
  code.value = event.detail.value;
  code.dispatchEvent(new Event('change', { bubbles: true }));
  fillName(row, event.detail.label);
  if (document.activeElement !== code) return;
  quantity.focus();
  quantity.select();
});

// A code that was not answered yet is taken for a known one: its quantity is next.
document.addEventListener('combobox:leave', event => {
  const row = event.target.closest('[data-row]');
  if (!row) return;
  event.preventDefault();
  const { quantity } = inputsOf(row);
  quantity.focus();
  quantity.select();
});

const problems = {
  several: typed => `“${typed}” serve a mais de um procedimento. Volte e escolha.`,
  none: typed => `“${typed}” não está no cadastro. Escreva o nome, como no pedido médico.`,
  failed: () => 'A busca falhou. Escreva o nome, como no pedido médico.',
};
document.addEventListener('combobox:unsettled', event => {
  const row = event.target.closest('[data-row]');
  if (!row) return;
  const { problem, typed } = event.detail;
  if (problem === 'several' || !inputsOf(row).name.value.trim()) event.detail.text = problems[problem](typed);
});
document.addEventListener('input', event => {
  const row = event.target.closest?.('[data-row]');
  if (!row || event.target !== inputsOf(row).code) return;
  const { name } = inputsOf(row);
  if (name.readOnly) makeEditable(name, '');
});
