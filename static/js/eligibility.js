// What the operator said of the card goes into fields that are empty. It holds for the card and
// the operator that it was asked about, and goes with them.
const answer = () => document.querySelector('#elegibilidade [data-card]');
const isAnswer = event => event.detail?.ctx?.sourceElement?.id === 'perguntar-elegibilidade';
const value = id => document.getElementById(id)?.value ?? '';
const holds = shown => shown.dataset.card === value('numeroCarteira') && shown.dataset.credential === value('credencialId');

function drop() {
  if (answer() && !holds(answer())) document.getElementById('elegibilidade').replaceChildren();
}

function fill() {
  drop();
  if (!answer()) return;
  for (const [name, said] of Object.entries(JSON.parse(answer().dataset.fill) ?? {})) {
    const field = document.getElementById(name);
    if (!field || field.value.trim() || field === document.activeElement) continue;
    field.value = said;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

document.addEventListener('htmx:after:swap', event => { if (isAnswer(event)) fill(); });
document.addEventListener('input', event => { if (event.target.id === 'numeroCarteira') drop(); });
document.addEventListener('change', event => { if (['numeroCarteira', 'credencialId'].includes(event.target.id)) drop(); });

function failed(event) {
  if (!isAnswer(event)) return;
  document.getElementById('elegibilidade').textContent = 'Não foi possível perguntar agora. O pedido pode seguir sem a resposta.';
}
document.addEventListener('htmx:error', failed);
document.addEventListener('htmx:response:error', failed);
