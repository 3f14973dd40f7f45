// The page of a phone: its code stands in the fragment, which no server sees, and is
// posted once for a cookie. From then on upload.js sends the files.
const message = () => document.querySelector('[data-phone-message]');
const again = () => document.querySelector('[data-phone-retry]');
const offline = 'Sem conexão com o Guichê. Confira se o celular está na rede da clínica.';
let code = '';

function say(text) {
  const shown = message() || document.getElementById('envio-fim');
  shown.textContent = text;
  shown.hidden = false;
  shown.className = 'notice tone-attention';
}

async function open() {
  again().hidden = true;
  try {
    const response = await fetch('/celular', { method: 'POST', body: new URLSearchParams({ codigo: code }) });
    if (response.ok) return location.reload();
    say(await response.text());
  } catch {
    say(offline);
    again().hidden = false;
  }
}

function takeCode() {
  if (location.hash.length < 2) return;
  code = location.hash.slice(1);
  history.replaceState(null, '', location.pathname); // it is good once, and stays nowhere
  open();
}
document.addEventListener('DOMContentLoaded', takeCode);
window.addEventListener('hashchange', takeCode);
document.addEventListener('click', event => { if (event.target.closest('[data-phone-retry]')) open(); });

document.addEventListener('countdown:over', () => {
  document.getElementById('envio').hidden = true;
  document.getElementById('envio-fim').hidden = false;
});
