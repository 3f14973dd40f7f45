// The service's description: the section that an address names unfolds, and the
// sections narrow while one types; without this the form asks the server.
function unfold() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const section = named && named.closest('details.api-section');
  if (!section || section.open) return;
  section.open = true;
  named.scrollIntoView();
}
document.addEventListener('DOMContentLoaded', unfold);
window.addEventListener('hashchange', unfold);
document.addEventListener('click', event => { // the address may be that one already
  const link = event.target.closest('a[href^="#"]');
  if (link && link.hash === location.hash) unfold();
});

const fold = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const texts = new WeakMap(); // section → what it is found by

function holds(section, words) {
  if (!texts.has(section)) texts.set(section, fold(section.textContent));
  return words.every(word => texts.get(section).includes(word));
}

document.addEventListener('input', event => {
  const form = event.target.closest('form[data-filters]');
  if (!form) return;
  const words = fold(event.target.value).split(/\s+/).filter(Boolean);
  const sections = Array.from(document.querySelectorAll(`#${form.dataset.filters} > details`));
  for (const section of sections) {
    section.hidden = !holds(section, words);
    for (const link of document.querySelectorAll(`.toc a[href="#${section.id}"]`)) link.parentElement.hidden = section.hidden;
  }
  const some = sections.some(section => !section.hidden);
  for (const part of [document.getElementById(form.dataset.filters), document.querySelector('.toc')]) part.hidden = !some;
  document.getElementById('nada').hidden = some;
});
