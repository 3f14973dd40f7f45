// A typed date is set as DD/MM/AAAA when the field is left: 31122027, 311227 and
// 31.12.27 alike, by the server's rule (a year of two digits is the nearest one).
// What is no date stays as typed; the server says so.
function parts(text) {
  if (!/^[\d/.\- ]+$/.test(text)) return null;
  let found = text.match(/\d+/g) || [];
  if (found.length === 1 && /^(\d{6}|\d{8})$/.test(found[0])) found = [found[0].slice(0, 2), found[0].slice(2, 4), found[0].slice(4)];
  const shape = found.length === 3 && found[0].length < 3 && found[1].length < 3 && [2, 4].includes(found[2].length);
  return shape ? found : null;
}

function year(digits) {
  if (digits.length === 4) return Number(digits);
  const now = new Date().getFullYear();
  const near = now - now % 100 + Number(digits);
  if (near > now + 50) return near - 100;
  return near <= now - 50 ? near + 100 : near;
}

function format(text) {
  const found = parts(text.trim());
  if (!found) return text;
  const [d, m, y] = [Number(found[0]), Number(found[1]), year(found[2])];
  const date = new Date(y, m - 1, d);
  if (date.getFullYear() !== y || date.getMonth() !== m - 1 || date.getDate() !== d) return text;
  return [d, m].map(n => String(n).padStart(2, '0')).concat(String(y).padStart(4, '0')).join('/');
}

document.addEventListener('focusout', event => {
  const field = event.target;
  if (!field.matches?.('[data-date]')) return;
  const set = format(field.value);
  if (set === field.value) return;
  field.value = set;
  field.dispatchEvent(new Event('input', { bubbles: true }));
});
