// The service's description: the section of the address opens, and typing filters
// the sections; without this script the form asks the server.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const section = target && target.closest('details.api-section');
  if (!section || section.open) return;
  section.open = true;
  target.scrollIntoView();
}
document.addEventListener('DOMContentLoaded', openTarget);
window.addEventListener('hashchange', openTarget);
document.addEventListener('click', event => { // the address may be the current one already
  const link = event.target.closest('a[href^="#"]');
  if (link && link.hash === location.hash) openTarget();
});

const normalize = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const searchTexts = new WeakMap(); // section → its text, for searching

function matches(section, words) {
  if (!searchTexts.has(section)) searchTexts.set(section, normalize(section.textContent));
  return words.every(word => searchTexts.get(section).includes(word));
}

document.addEventListener('input', event => {
  const form = event.target.closest('form[data-filters]');
  if (!form) return;
  const words = normalize(event.target.value).split(/\s+/).filter(Boolean);
  const sections = Array.from(document.querySelectorAll(`#${form.dataset.filters} > details`));
  for (const section of sections) {
    section.hidden = !matches(section, words);
    for (const link of document.querySelectorAll(`.toc a[href="#${section.id}"]`)) link.parentElement.hidden = section.hidden;
  }
  const found = sections.some(section => !section.hidden);
  for (const part of [document.getElementById(form.dataset.filters), document.querySelector('.toc')]) part.hidden = !found;
  document.getElementById('nada').hidden = found;
});
