// The tour: a panel that points at one control after the other, on the page of each. It
// holds nobody up: the page goes on working beside it, and Esc ends it at any time.
const tour = () => document.getElementById('apresentacao');
const stepsOf = panel => Array.from(panel.querySelectorAll('[data-target]'));
const current = panel => Number(panel.dataset.step) - 1;
const pathOf = step => step.dataset.href.split('?')[0];
const part = (panel, name) => panel.querySelector(`[data-tour=${name}]`);

function overlap(a, b) {
  const one = a.getBoundingClientRect(), other = b.getBoundingClientRect();
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function pointAt(panel, control) {
  document.querySelector('.pointed-at')?.classList.remove('pointed-at');
  panel.classList.remove('at-top');
  if (!control) return;
  control.classList.add('pointed-at');
  control.scrollIntoView({ block: 'center' });
  panel.classList.toggle('at-top', overlap(panel, control));
}

function showStep(panel, at) {
  const all = stepsOf(panel), first = at === 0, last = at === all.length - 1;
  panel.dataset.step = at + 1;
  all.forEach((step, i) => { step.hidden = i !== at; });
  part(panel, 'back').hidden = first;
  part(panel, 'next').hidden = last;
  part(panel, 'end').hidden = !last;
  pointAt(panel, document.querySelector(all[at].dataset.target));
  part(panel, last ? 'end' : 'next').focus({ preventScroll: true });
}

// goTo shows a step here, or on the page that has its control.
function goTo(panel, at) {
  const step = stepsOf(panel)[at];
  if (document.querySelector(step.dataset.target)) showStep(panel, at);
  else location.assign(step.dataset.href);
}

// leave takes the tour out of the page and of its address, and the focus to where the
// page has it without a tour.
function leaveTour(panel) {
  pointAt(panel, null);
  panel.remove();
  if (location.search.includes('apresentacao')) history.replaceState(null, '', location.pathname);
  (document.querySelector('[autofocus]') || document.getElementById('conteudo')).focus();
}

document.addEventListener('DOMContentLoaded', () => {
  const panel = tour();
  if (!panel) return;
  panel.hidden = false;
  showStep(panel, current(panel));
});

document.addEventListener('click', event => {
  const panel = tour(), name = event.target.closest('[data-tour]')?.dataset.tour;
  if (!panel || !name) return;
  if (name === 'next') goTo(panel, current(panel) + 1);
  else if (name === 'back') goTo(panel, current(panel) - 1);
  else leaveTour(panel);
});
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape' || !tour()) return;
  event.preventDefault();
  leaveTour(tour());
}, true);

// Who goes by themselves where a later step is, takes the tour along.
document.addEventListener('click', event => {
  const panel = tour(), link = event.target.closest('a[href]');
  if (!panel || !link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = stepsOf(panel).slice(current(panel) + 1).find(s => pathOf(s) === link.pathname);
  if (!step || link.pathname === location.pathname) return;
  event.preventDefault();
  location.assign(step.dataset.href);
});

// A list that renews itself drops the ring around it.
document.addEventListener('htmx:after:swap', () => {
  const panel = tour();
  if (panel) document.querySelector(stepsOf(panel)[current(panel)].dataset.target)?.classList.add('pointed-at');
});
