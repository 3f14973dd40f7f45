// F2, F4, F7, F8, F9 and Esc press or focus the control with that data-shortcut; Ctrl+Enter
// is F8. In a form of its own, as that of a note, F8 sends that form, an empty one too where the key would do something else. Esc is first of all the browser's,
// and of whatever is open or being typed in.
// While a modal dialog is open only the browser's own Enter and Esc work. The account
// page can leave these keys to the browser (data-shortcuts="off").
// Where they are the browser's, no control says that it has one.
const unsay = () => {
  if (document.body.dataset.shortcuts !== 'off') return;
  for (const control of document.querySelectorAll('[aria-keyshortcuts]')) control.removeAttribute('aria-keyshortcuts');
};
document.addEventListener('DOMContentLoaded', unsay);
document.addEventListener('htmx:after:swap', unsay);

const isTaken = event => event.defaultPrevented || event.target.closest('input,textarea,select,details[open]');

// conclude does in the queue what F8 does on the case of the row in the focus; the next row
// takes the focus then.
function conclude(row) {
  const form = document.getElementById('fila-concluir');
  form.action = `${row.querySelector('a').getAttribute('href')}/concluir`;
  form.situacaoVista.value = row.dataset.conclude;
  form.linha.value = (row.nextElementSibling || row.previousElementSibling || row).id;
  form.grupo.value = new URLSearchParams(location.search).get('grupo') || '';
  form.requestSubmit();
}

document.addEventListener('keydown', event => {
  const key = event.key === 'Enter' && event.ctrlKey ? 'F8' : event.key;
  if (document.body.dataset.shortcuts === 'off') return;
  if (!/^(F\d+|Escape)$/.test(key) || event.altKey || event.metaKey || event.shiftKey) return;
  if (key === 'Escape' && isTaken(event)) return;
  const row = key === 'F8' && document.activeElement.closest('#fila tr[data-conclude]');
  if (row) {
    event.preventDefault();
    if (!event.repeat) conclude(row);
    return;
  }
  const control = document.querySelector(`[data-shortcut="${key}"]`);
  const field = key === 'F8' && event.target.closest('main :is(input,textarea,select)');
  const typed = field && (field.value || control) && field.form !== control?.form && field.form;
  if (!(typed || control) || (key === 'Escape' && document.querySelector('dialog:modal'))) return;
  event.preventDefault();
  if (event.repeat || document.querySelector('dialog:modal')) return;
  if (typed) {
    typed.requestSubmit();
  } else if (control.matches('input')) {
    control.focus();
    control.select();
  } else {
    control.click();
  }
});
