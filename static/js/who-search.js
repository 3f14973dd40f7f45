// "Quem é?": a beneficiary fills the form as the last request tells of them, an operator
// begins an empty one, and what is nobody known becomes the name or the card.
const who = () => document.getElementById('Quem');
const isWho = event => event.target.id === 'Quem';
const byName = name => document.getElementById(name);
const typedName = () => byName('nomeBeneficiario').value.trim() || byName('numeroCarteira').value.trim();
const problems = {
  several: typed => `“${typed}” serve a mais de um. Volte com F4 e escolha.`,
  none: typed => `Ninguém conhecido com “${typed}”. O formulário ficou como estava.`,
  failed: () => 'A busca falhou. Volte com F4 e escreva de novo.',
};

const putOperator = detail => document.dispatchEvent(new CustomEvent('credential:put', { detail }));

function put(name, value) {
  const field = byName(name);
  if (!field || name === 'credencialId') return;
  field.value = value;
  for (const told of ['combobox:written', 'change']) field.dispatchEvent(new Event(told, { bubbles: true }));
}

// firstEmpty is the first field that every request needs and that is still empty, or the
// first procedure.
const needed = ['nomeSolicitante', 'crmSolicitante', 'ufSolicitante', 'profissionalExecutanteId', 'especialidadeExecutanteId',
  'unidadeId', 'pontoAtendimentoId'];
function firstEmpty() {
  const field = needed.map(byName).find(f => f && !f.value);
  return field || document.querySelector('#procedimentos [role=combobox]');
}
document.addEventListener('request:first-empty', () => firstEmpty().focus());

// Who attends where is taken of the last request, of the beneficiary or with the operator, only
// where nothing is chosen.
const parties = ['profissionalExecutanteId', 'especialidadeExecutanteId', 'unidadeId', 'pontoAtendimentoId'];
function putParties(fields) {
  for (const name of parties) if (!byName(name).value) put(name, fields[name]);
}
document.addEventListener('parties:put', event => putParties(event.detail));

// What an earlier choice filled in is the beneficiary's: it goes, unless it was changed since, once name and card
// are no longer theirs.
// Of that the browser keeps the names of the fields with the page, and no more: a reload brings their values back.
const whose = ['nomeBeneficiario', 'numeroCarteira'];
let filled = {};
const untouched = () => Object.keys(filled).filter(name => byName(name)?.value === filled[name]);
const remember = () => history.replaceState(untouched(), '');
function fillIn(names) {
  filled = Object.fromEntries(names.map(name => [name, byName(name).value]));
  remember();
}
document.addEventListener('DOMContentLoaded', () => fillIn(history.state || []));
function forget() {
  const names = untouched();
  filled = {};
  for (const name of names) put(name, '');
}
document.addEventListener('change', event => {
  if (whose.includes(event.target.id) && whose.every(name => byName(name).value !== filled[name])) forget();
  remember();
});

function fill(detail) {
  const fields = JSON.parse(detail.fields);
  const own = Object.keys(fields).filter(name => !parties.includes(name) && byName(name) && name !== 'credencialId');
  filled = {};
  for (const name of own) put(name, fields[name]);
  fillIn(own);
  putParties(fields);
  const { operator: label, operatorCode: providerCode, biometrics } = detail;
  putOperator({ value: fields.credencialId, label, providerCode, biometrics });
  who().value = detail.label;
}

document.addEventListener('combobox:choose', event => {
  if (!isWho(event)) return;
  const { detail } = event;
  const here = document.activeElement;
  const waits = here === who() || (here === byName('nomeBeneficiario') && !here.value);
  if (!detail.fields) {
    putOperator(detail);
    who().value = '';
    if (here === who()) byName('nomeBeneficiario').focus();
  } else if (!detail.seen && typedName()) {
    detail.text = `“${who().value.trim()}” é conhecido aqui. Volte com F4 e escolha.`;
    event.preventDefault();
  } else {
    fill(detail);
    if (waits) firstEmpty().focus();
  }
});

document.addEventListener('combobox:leave', event => {
  if (!isWho(event)) return;
  event.preventDefault();
  byName(typedName() ? 'Busca' : 'nomeBeneficiario').focus();
});

// Nobody known: typed once, it stands in the field where it belongs, whatever was typed in the
// others meanwhile.
document.addEventListener('combobox:unsettled', event => {
  if (!isWho(event)) return;
  const { detail } = event;
  if (detail.problem === 'none' && whose.every(name => byName(name).value === filled[name])) forget();
  const seen = detail.typed.replace(/\p{Cf}/gu, ''); // a number pasted from a message has marks around it
  const field = byName(/^[\d\s.\-/]+$/.test(seen) ? 'numeroCarteira' : 'nomeBeneficiario');
  if (detail.problem !== 'none' || field.value.trim()) {
    detail.text = problems[detail.problem](detail.typed);
    return;
  }
  const begun = byName('nomeBeneficiario').value;
  put(field.id, detail.typed);
  who().value = '';
  if (!begun && document.activeElement === byName('nomeBeneficiario')) byName('Busca').focus();
});
