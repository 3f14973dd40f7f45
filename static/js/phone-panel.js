// What a phone sent appears among the attachments: of the rows that came, those that are
// not there yet. A row that a person removed is not among them.
const came = event => event.detail?.ctx?.sourceElement?.id === 'celular-estado';

function takeRows() {
  const list = document.getElementById('anexos'), waiting = document.getElementById('celular-chegou');
  if (!list || !waiting) return [];
  const shown = new Set(Array.from(list.querySelectorAll('[data-attachment]'), row => row.dataset.attachment));
  const added = Array.from(waiting.children).filter(row => !shown.has(row.dataset.attachment));
  list.append(...added);
  waiting.replaceChildren();
  return added;
}

document.addEventListener('htmx:after:swap', event => {
  if (!came(event)) return;
  const focused = document.activeElement;
  document.getElementById('celular-outro').hidden = document.getElementById('celular-codigo').childElementCount > 0;
  if (takeRows().length) document.dispatchEvent(new CustomEvent('draft:changed'));
  if (!focused.isConnected) document.getElementById('celular-encerrar').focus();
});
