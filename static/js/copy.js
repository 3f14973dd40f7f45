// Copy buttons: the icon and the name of the button say "Copiado" for a while.
const confirmationTime = 4000; // ms

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  if (button.dataset.copied) return;
  const icon = button.querySelector('.icon').classList, name = button.getAttribute('aria-label');
  button.dataset.copied = 'true';
  icon.replace('i-copy', 'i-check-lg');
  button.setAttribute('aria-label', 'Copiado');
  document.getElementById('aviso').textContent = 'Copiado';
  setTimeout(() => {
    icon.replace('i-check-lg', 'i-copy');
    button.setAttribute('aria-label', name);
    delete button.dataset.copied;
    document.getElementById('aviso').textContent = '';
  }, confirmationTime);
}

document.addEventListener('click', event => {
  const button = event.target.closest('[data-copy]');
  if (button) copy(button).catch(() => { document.getElementById('aviso').textContent = 'O navegador não deixou copiar'; });
});
