// A typed date becomes DD/MM/AAAA when the field loses the focus: 31122027, 311227,
// 31.12.27 and 2027-12-31 alike, by the server's rule (two digits mean the nearest
// year; 12/2027 is the last day of the month, or the first where a period begins).
// Anything else stays as typed; the server reports it.
function lastDay(month, year) {
  return String(new Date(Number(year), Number(month), 0).getDate());
}

function splitDate(text, start) {
  if (!/^[\d/.\- ]+$/.test(text)) return null;
  let parts = text.match(/\d+/g) || [];
  if (parts.length === 1 && /^(\d{6}|\d{8})$/.test(parts[0])) parts = [parts[0].slice(0, 2), parts[0].slice(2, 4), parts[0].slice(4)];
  if (parts.length === 2 && parts[1].length === 4) parts = [start ? '1' : lastDay(...parts), ...parts];
  if (parts.length === 3 && parts[0].length === 4) parts.reverse();
  const shape = parts.length === 3 && parts[0].length < 3 && parts[1].length < 3 && [2, 4].includes(parts[2].length);
  return shape ? parts : null;
}

function fullYear(digits) {
  if (digits.length === 4) return Number(digits);
  const now = new Date().getFullYear();
  const nearest = now - now % 100 + Number(digits);
  if (nearest > now + 50) return nearest - 100;
  return nearest <= now - 50 ? nearest + 100 : nearest;
}

function formatDate(text, start) {
  const parts = splitDate(text.replace(/\p{Cf}/gu, '').replace(/\s/g, ' ').trim(), start); // what nobody sees is pasted along
  if (!parts) return text;
  const [d, m, y] = [Number(parts[0]), Number(parts[1]), fullYear(parts[2])];
  const date = new Date(y, m - 1, d);
  if (date.getFullYear() !== y || date.getMonth() !== m - 1 || date.getDate() !== d) return text;
  return [d, m].map(n => String(n).padStart(2, '0')).concat(String(y).padStart(4, '0')).join('/');
}

document.addEventListener('focusout', event => {
  const field = event.target;
  if (!field.matches?.('[data-date]')) return;
  const formatted = formatDate(field.value, field.dataset.date === 'start');
  if (formatted === field.value) return;
  field.value = formatted;
  field.dispatchEvent(new Event('input', { bubbles: true }));
});
