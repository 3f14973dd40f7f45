// Time that runs out: [data-countdown] holds how many seconds were left when it came, and
// countdown:over is heard once at its end.
const ends = new WeakMap();

function tick() {
  for (const shown of document.querySelectorAll('[data-countdown]')) {
    if (!ends.has(shown)) ends.set(shown, Date.now() + Number(shown.dataset.countdown) * 1000);
    const left = Math.max(0, Math.round((ends.get(shown) - Date.now()) / 1000));
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    if (shown.textContent !== text) shown.textContent = text;
    if (left > 0 || shown.dataset.over) continue;
    shown.dataset.over = 'true';
    shown.dispatchEvent(new CustomEvent('countdown:over', { bubbles: true }));
  }
}
setInterval(tick, 1000);
