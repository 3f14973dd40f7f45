// Long lists come without what a screen reader needs beyond the plain table: to some
// browsers, rows that are drawn as cards are rows no more, and what a link does is the
// same words in each row.
const roles = { TABLE: 'table', THEAD: 'rowgroup', TBODY: 'rowgroup', TR: 'row', TH: 'columnheader', TD: 'cell' };

const nameRows = () => {
  for (const table of document.querySelectorAll('.lean-table')) {
    for (const part of [table, ...table.querySelectorAll('thead,tbody,tr,th,td')]) part.setAttribute('role', roles[part.tagName]);
    for (const row of table.tBodies[0].rows) {
      const [name, ...others] = row.querySelectorAll('a');
      for (const link of others) link.setAttribute('aria-label', `${link.textContent}: ${name.textContent}`);
    }
  }
};
document.addEventListener('DOMContentLoaded', nameRows);
document.addEventListener('htmx:after:swap', nameRows);
