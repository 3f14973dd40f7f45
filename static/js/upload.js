// Attachments go up as soon as they are chosen or dropped, one after the other,
// each with a row and a bar; the answer is the row. XHR, because fetch tells no
// progress.
const zone = () => document.getElementById('soltar');
const queue = [];
let running = false, waitingSubmit = null;

const tell = words => { document.getElementById('aviso').textContent = words; };
function sizeOf(bytes) {
  const mega = bytes / 2 ** 20;
  if (mega < 1) return `${Math.ceil(bytes / 1024)} KB`;
  return `${mega < 9.95 ? mega.toFixed(1).replace(/\.0$/, '').replace('.', ',') : Math.round(mega)} MB`;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

// rowFor is what stands in the list until the server's row comes.
function rowFor(file) {
  const row = element('li'), words = element('div'), bar = element('progress'), note = element('small', 'small', 'na vez…');
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute('aria-label', `Enviando ${file.name}`);
  words.append(element('span', 'text-truncate d-block', file.name), bar, note);
  row.append(words);
  document.getElementById('anexos').append(row);
  return { row, bar, note };
}

// refuse puts the page's own row for a refused file in the place of the row.
function refuse(shown, reason, name) {
  const row = document.getElementById('anexo-recusado').content.querySelector('li').cloneNode(true);
  row.querySelector('.text-truncate').textContent = name;
  row.querySelector('.error').textContent = reason;
  row.querySelector('button').setAttribute('aria-label', `Tirar o aviso sobre ${name}`);
  shown.row.replaceWith(row);
  tell(`${name}: ${reason}`);
}

function replaceWith(shown, html, name) {
  const row = new DOMParser().parseFromString(html, 'text/html').querySelector('li');
  if (!row) return refuse(shown, 'Não foi possível guardar. Tente de novo.', name);
  shown.row.replaceWith(row);
  const problem = row.querySelector('.error');
  tell(problem ? `${name}: ${problem.textContent}` : `${name} guardado`);
}

function send({ file, shown, address }) {
  return new Promise(done => {
    const request = new XMLHttpRequest(), body = new FormData();
    body.set('arquivo', file);
    request.open('POST', address);
    request.setRequestHeader('HX-Request', 'true');
    request.upload.onprogress = event => {
      if (!event.lengthComputable) return;
      shown.bar.value = event.loaded / event.total;
      shown.note.textContent = `${sizeOf(event.loaded)} de ${sizeOf(event.total)}`;
    };
    request.onload = () => {
      if (request.status !== 401) return replaceWith(shown, request.responseText, file.name);
      document.dispatchEvent(new CustomEvent('session:ended'));
      refuse(shown, 'Não foi guardado: sua sessão terminou. Entre de novo e escolha o arquivo outra vez.', file.name);
    };
    request.onerror = () => refuse(shown, 'Sem conexão com o Guichê. Escolha o arquivo de novo.', file.name);
    request.onloadend = done;
    request.send(body);
  });
}

async function run() {
  if (running) return;
  running = true;
  while (queue.length) await send(queue.shift());
  running = false;
  const waiting = waitingSubmit;
  waitingSubmit = null;
  if (waiting) waiting.form.requestSubmit(waiting.submitter);
}

function take(files) {
  const { uploadUrl: address, maxBytes } = zone().dataset;
  for (const file of files) {
    const shown = rowFor(file);
    if (Number(maxBytes) && file.size > Number(maxBytes)) refuse(shown, `${sizeOf(file.size)}; o arquivo deve ter menos de ${sizeOf(Number(maxBytes))}`, file.name);
    else queue.push({ file, shown, address });
  }
  run();
}

document.addEventListener('change', event => {
  if (event.target.id !== 'arquivo') return;
  take(Array.from(event.target.files));
  event.target.value = '';
});

// A file dropped beside the zone must not replace the page.
const hasFiles = event => event.dataTransfer?.types.includes('Files');
document.addEventListener('dragover', event => {
  if (!zone() || !hasFiles(event)) return;
  event.preventDefault();
  zone().classList.add('drag-over');
});
document.addEventListener('dragleave', event => { if (!event.relatedTarget) zone()?.classList.remove('drag-over'); });
document.addEventListener('drop', event => {
  if (!zone() || !hasFiles(event)) return;
  event.preventDefault();
  zone().classList.remove('drag-over');
  take(Array.from(event.dataTransfer.files));
});

async function discard(button) {
  const row = button.closest('li');
  const answer = await fetch(button.formAction, { method: 'POST', headers: { 'HX-Request': 'true' } });
  if (answer.status === 401) document.dispatchEvent(new CustomEvent('session:ended'));
  if (!answer.ok) throw new Error(String(answer.status));
  row.remove();
  document.getElementById('arquivo').focus();
}
document.addEventListener('click', event => {
  if (event.target.closest('[data-dismiss]')) event.target.closest('li').remove();
  const button = event.target.closest('[data-remove-attachment]');
  if (!button) return;
  event.preventDefault();
  discard(button).catch(() => tell('Não foi possível remover o anexo. Tente de novo.'));
});

document.addEventListener('submit', event => {
  if (!running || event.target.id !== 'pedido') return;
  event.preventDefault();
  waitingSubmit = { form: event.target, submitter: event.submitter };
  tell('Terminando de enviar os anexos; já seguimos.');
}, true);
