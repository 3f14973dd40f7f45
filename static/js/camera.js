// The live camera: a dialog shows what it sees, takes a picture, and gives it to a file field as if it had been chosen
// there, with what was chosen before where the field takes several. Then the focus is on what data-camera-then names. It
// films only while the dialog is open.
const reasons = {
  NotAllowedError: 'O navegador não deixou usar a câmera. Permita-a nas opções do site, ao lado do endereço, e tente de novo, ou escolha um arquivo.',
  NotFoundError: 'Nenhuma câmera foi encontrada neste computador. Ligue uma e tente de novo, ou escolha um arquivo.',
  NotReadableError: 'A câmera está em uso por outro programa. Feche-o e tente de novo, ou escolha um arquivo.',
};
const otherReason = 'Não deu para abrir a câmera. Tente de novo, ou escolha um arquivo.';
const size = { width: { ideal: 2560 }, height: { ideal: 1440 } }; // a page of paper stays readable
const quality = 0.9;
const dialog = () => document.getElementById('camera-ao-vivo');
const find = css => dialog().querySelector(css);
let stream = null, field = null, opening = 0;

// show leads to a step: its parts of the dialog, and its main button in the focus.
function show(step) {
  for (const part of dialog().querySelectorAll('[data-at]')) part.hidden = part.dataset.at !== step;
  (find(`.btn-primary[data-at=${step}]`) || find('h2')).focus();
}

function stop() {
  opening++;
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  find('video').srcObject = null;
}

function fail(error) {
  stop();
  find('[role=alert]').textContent = reasons[error.name] ?? otherReason;
  show('failed');
}

// offerOthers lets a desk with several cameras choose one.
async function offerOthers() {
  const all = (await navigator.mediaDevices.enumerateDevices()).filter(device => device.kind === 'videoinput');
  const current = stream?.getVideoTracks()[0].getSettings().deviceId;
  const option = (device, i) => new Option(device.label || `Câmera ${i + 1}`, device.deviceId, false, device.deviceId === current);
  find('select').replaceChildren(...all.map(option));
  for (const part of dialog().querySelectorAll('[data-camera-which]')) part.hidden = all.length < 2;
}

async function open(chosen) {
  stop();
  show('opening');
  const mine = opening;
  const video = { ...size, ...(chosen ? { deviceId: { exact: chosen } } : { facingMode: field.getAttribute('capture') || 'environment' }) };
  try {
    const got = await navigator.mediaDevices.getUserMedia({ video });
    if (mine !== opening) return got.getTracks().forEach(track => track.stop()); // closed meanwhile
    stream = got;
    got.getVideoTracks()[0].addEventListener('ended', () => { if (stream === got) fail({}); });
    find('video').srcObject = got;
    await find('video').play();
    await offerOthers();
    if (mine === opening) show('live');
  } catch (error) {
    if (mine === opening) fail(error);
  }
}

function take() {
  const video = find('video'), canvas = find('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d').drawImage(video, 0, 0);
  show('taken');
}

function keep() {
  find('canvas').toBlob(blob => {
    const files = new DataTransfer(), at = new Date().toTimeString().slice(0, 8).replaceAll(':', '');
    if (field.multiple) for (const before of field.files) files.items.add(before);
    files.items.add(new File([blob], `foto-${at}.jpg`, { type: blob.type }));
    dialog().close();
    field.files = files.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    document.getElementById(field.dataset.cameraThen)?.focus();
  }, 'image/jpeg', quality);
}

function choose() {
  dialog().close();
  field.click();
}

const acts = { open: () => open(), take, keep, again: () => show('live'), choose, close: () => dialog().close() };
// The second of two quick clicks falls on the button of the next step: nobody has looked at the picture yet.
document.addEventListener('click', event => {
  const button = event.target.closest('[data-camera-do]');
  if (button && event.detail < 2) acts[button.dataset.cameraDo]();
});
document.addEventListener('change', event => { if (event.target.id === 'camera-qual') open(event.target.value); });
document.addEventListener('camera:there', event => event.preventDefault());
document.addEventListener('camera:open', event => {
  field = event.detail;
  dialog().onclose = () => {
    stop();
    find('canvas').width = 0; // what was not kept is gone
  };
  dialog().showModal();
  for (const part of dialog().querySelectorAll('[data-camera-which]')) part.hidden = true;
  open();
});
