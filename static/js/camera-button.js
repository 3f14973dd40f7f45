// A button with data-camera opens the live camera for a file field. What does that comes with the
// first press.
let loading = false;

function load(address, done) {
  if (loading) return;
  loading = true;
  const script = document.createElement('script');
  script.src = address;
  script.onload = done;
  script.onerror = () => {
    loading = false;
    document.getElementById('aviso').textContent = 'Sem rede: a câmera não abriu. Tente de novo.';
    document.dispatchEvent(new CustomEvent('network:lost'));
  };
  document.head.append(script);
}

document.addEventListener('click', event => {
  const button = event.target.closest('[data-camera]');
  if (!button) return;
  const open = () => document.dispatchEvent(new CustomEvent('camera:open', { detail: document.getElementById(button.dataset.camera) }));
  if (document.dispatchEvent(new CustomEvent('camera:there', { cancelable: true }))) load(button.dataset.cameraScript, open);
  else open();
});
