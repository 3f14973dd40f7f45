// Each row of the queue has an id by which it stays the same when the list is renewed: the end of its case's address. Sent
// with the page it would say what is random a second time. It is there before the address may ask for it (page-start.js).
const nameRowsOf = part => {
  for (const row of part.querySelectorAll('.queue-table tbody tr')) row.id = `c${row.querySelector('a').getAttribute('href').slice(-8)}`;
};
document.addEventListener('DOMContentLoaded', () => nameRowsOf(document));
document.addEventListener('htmx:before:swap', event => {
  for (const task of event.detail.tasks) nameRowsOf(task.fragment);
});
