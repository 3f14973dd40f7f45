// The requester is completed from earlier requests; any other name may be typed.
const isRequester = event => event.target.id === 'nomeSolicitante';
const others = { siglaConselhoSolicitante: 'council', crmSolicitante: 'value', ufSolicitante: 'state' };
const fold = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

document.addEventListener('combobox:choose', event => {
  if (!isRequester(event)) return;
  const { detail, target } = event;
  const typed = fold(target.value);
  const taken = document.getElementById('crmSolicitante').value.trim();
  if (!detail.seen && (taken || ![fold(detail.label), fold(detail.value)].includes(typed))) return event.preventDefault();
  const here = document.activeElement === target;
  target.value = detail.label;
  target.dispatchEvent(new Event('change', { bubbles: true }));
  for (const [id, key] of Object.entries(others)) {
    const field = document.getElementById(id);
    field.value = detail[key];
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
  if (here) document.dispatchEvent(new CustomEvent('request:first-empty'));
});

document.addEventListener('combobox:leave', event => {
  if (!isRequester(event)) return;
  event.preventDefault();
  document.getElementById('siglaConselhoSolicitante').focus();
});
