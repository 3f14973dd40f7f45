// Fields that depend on others: a select narrowed by another one's value, and
// what is shown while a box is ticked.
const every = new WeakMap(); // select → all its options

function narrow(select) {
  const parent = document.getElementById(select.dataset.dependsOn);
  if (!parent) return;
  if (!every.has(select)) every.set(select, Array.from(select.querySelectorAll('option')));
  const chosen = select.value;
  const fitting = every.get(select).filter(o => !o.dataset.forValue || o.dataset.forValue === parent.value);
  select.replaceChildren(...fitting);
  const real = fitting.filter(o => o.value);
  if (fitting.some(o => o.value === chosen)) select.value = chosen;
  else select.value = '';
  if (!select.value && parent.value && real.length === 1) select.value = real[0].value;
}

function narrowAll() {
  document.querySelectorAll('select[data-depends-on]').forEach(narrow);
}
document.addEventListener('DOMContentLoaded', narrowAll);
document.addEventListener('htmx:after:swap', narrowAll);

document.addEventListener('change', event => {
  const { id } = event.target;
  if (!id) return;
  for (const select of document.querySelectorAll(`select[data-depends-on="${id}"]`)) narrow(select);
  for (const part of document.querySelectorAll(`[data-shown-by="${id}"]`)) {
    part.hidden = !event.target.checked;
  }
});
