// Screen readers are told what a page changed by itself: how many requests of the queue wait
// for somebody, and what a case came back with.
const say = text => { document.getElementById('aviso').textContent = text; };
const isQueue = event => event.detail?.ctx?.sourceElement?.id === 'fila';
const ownText = element => Array.from(element.childNodes, node => (node.nodeType === Node.TEXT_NODE ? node.data.trim() : '')).join('');
const counters = () => Array.from(document.querySelectorAll('.status-counts a'),
  group => `${ownText(group.querySelector('span'))}: ${group.querySelector('b').textContent}`);
let before = [];

document.addEventListener('htmx:before:swap', event => { if (isQueue(event)) before = counters(); });
document.addEventListener('htmx:after:swap', event => {
  if (!isQueue(event)) return;
  const changed = counters().filter((text, i) => text !== before[i]);
  if (changed.length) say(`Fila atualizada. ${changed.join(', ')}`);
});

// The page of a case is loaded anew when the case has moved.
const moved = 'caso-mudou';
document.addEventListener('htmx:before:response', event => {
  if (event.detail.ctx.hx?.refresh) sessionStorage.setItem(moved, location.pathname);
});
window.addEventListener('load', () => {
  const here = sessionStorage.getItem(moved) === location.pathname;
  sessionStorage.removeItem(moved);
  const verdict = document.querySelector('#veredito .verdict');
  if (here && verdict) say(`O pedido mudou: ${verdict.textContent}`);
});
