// The credential: its id is hidden, its name stays in the field.
const isSearch = event => event.target.id === 'Busca';
const problems = {
  several: typed => `“${typed}” serve a mais de uma operadora. Volte a este campo e escolha.`,
  none: typed => `Nenhuma operadora com “${typed}”. Volte a este campo e corrija.`,
  failed: () => 'A busca falhou. Escreva de novo.',
};

// put shows a credential as chosen, also for "Quem é?" (credential:put).
function put({ value, label, providerCode, biometrics, parties }) {
  const hidden = document.getElementById('credencialId');
  const field = document.getElementById('Busca');
  field.value = label;
  field.dispatchEvent(new Event('combobox:written', { bubbles: true }));
  if (hidden) hidden.value = value;
  const name = document.createElement('b');
  name.textContent = label;
  const asks = biometrics === undefined ? '' : ' · a operadora pede biometria';
  document.getElementById('credencial-escolhida').replaceChildren(name, ` · código do prestador ${providerCode}${asks}`);
  hidden?.dispatchEvent(new Event('change', { bubbles: true }));
  if (parties) document.dispatchEvent(new CustomEvent('parties:put', { detail: JSON.parse(parties) }));
}
document.addEventListener('credential:put', event => put(event.detail));
document.addEventListener('combobox:choose', event => {
  if (!isSearch(event)) return;
  put(event.detail);
  if (document.activeElement === event.target) document.getElementById('nomeBeneficiario').focus();
});
document.addEventListener('combobox:leave', event => {
  if (!isSearch(event)) return;
  event.preventDefault();
  document.getElementById('nomeBeneficiario').focus();
});
document.addEventListener('combobox:unsettled', event => {
  if (isSearch(event)) event.detail.text = problems[event.detail.problem](event.detail.typed);
});

document.addEventListener('input', event => {
  if (!isSearch(event)) return;
  const hidden = document.getElementById('credencialId');
  if (!hidden || !hidden.value) return;
  hidden.value = '';
  document.getElementById('credencial-escolhida').textContent = '';
  hidden.dispatchEvent(new Event('change', { bubbles: true }));
});
