// Fields that depend on others: a select whose options follow the value of another
// one, and parts that are shown while a box is ticked.
const allOptions = new WeakMap(); // select → all its options

function filterOptions(select) {
  const parent = document.getElementById(select.dataset.dependsOn);
  if (!parent) return;
  if (!allOptions.has(select)) allOptions.set(select, Array.from(select.querySelectorAll('option')));
  const chosen = select.value;
  const offered = allOptions.get(select).filter(o => !o.dataset.forValue || o.dataset.forValue === parent.value);
  select.replaceChildren(...offered);
  const choices = offered.filter(o => o.value);
  if (offered.some(o => o.value === chosen)) select.value = chosen;
  else select.value = '';
  if (!select.value && parent.value && choices.length === 1) select.value = choices[0].value;
}

function filterAllOptions() {
  document.querySelectorAll('select[data-depends-on]').forEach(filterOptions);
}
document.addEventListener('DOMContentLoaded', filterAllOptions);
document.addEventListener('htmx:after:swap', filterAllOptions);

document.addEventListener('change', event => {
  const { id } = event.target;
  if (!id) return;
  for (const select of document.querySelectorAll(`select[data-depends-on="${id}"]`)) filterOptions(select);
  for (const part of document.querySelectorAll(`[data-shown-by="${id}"]`)) {
    part.hidden = !event.target.checked;
  }
});
