// Attachments are uploaded as soon as they are chosen or dropped, one after the
// other, each with a row and a progress bar that the answer's row replaces. XHR,
// because fetch does not report progress.
const dropZone = () => document.getElementById('soltar');
const queue = [];
let running = false;

const announce = text => { document.getElementById('aviso').textContent = text; };
function formatSize(bytes) {
  const mega = bytes / 2 ** 20;
  if (mega < 1) return `${Math.ceil(bytes / 1024)} KB`;
  return `${mega < 9.95 ? mega.toFixed(1).replace(/\.0$/, '').replace('.', ',') : Math.round(mega)} MB`;
}

function element(tag, className, text) {
  const created = document.createElement(tag);
  if (className) created.className = className;
  if (text) created.textContent = text;
  return created;
}

// addProgressRow adds the row that is shown until the server's row arrives.
function addProgressRow(file) {
  const row = element('li'), text = element('div'), bar = element('progress'), note = element('small', 'small', 'na vez…');
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute('aria-label', `Enviando ${file.name}`);
  text.append(element('span', 'text-truncate d-block', file.name), bar, note);
  row.append(text);
  document.getElementById('anexos').append(row);
  return { row, bar, note };
}

// showRefusal replaces the row by the page's template for a refused file.
function showRefusal(progress, reason, name) {
  const row = document.getElementById('anexo-recusado').content.querySelector('li').cloneNode(true);
  row.querySelector('.text-truncate').textContent = name;
  row.querySelector('.error').textContent = reason;
  row.querySelector('button').setAttribute('aria-label', `Tirar o aviso sobre ${name}`);
  progress.row.replaceWith(row);
  announce(`${name}: ${reason}`);
}

function showAnswer(progress, html, name) {
  const row = new DOMParser().parseFromString(html, 'text/html').querySelector('li');
  if (!row) return showRefusal(progress, 'Não foi possível guardar. Tente de novo.', name);
  progress.row.replaceWith(row);
  const problem = row.querySelector('.error');
  announce(problem ? `${name}: ${problem.textContent}` : `${name} guardado`);
  if (!problem) document.dispatchEvent(new CustomEvent('draft:changed'));
}

function upload({ file, progress, address }) {
  return new Promise(done => {
    const request = new XMLHttpRequest(), body = new FormData();
    body.set('arquivo', file);
    request.open('POST', address);
    request.setRequestHeader('HX-Request', 'true');
    request.upload.onprogress = event => {
      if (!event.lengthComputable) return;
      progress.bar.value = event.loaded / event.total;
      progress.note.textContent = `${formatSize(event.loaded)} de ${formatSize(event.total)}`;
    };
    request.onload = () => {
      if (request.status !== 401) return showAnswer(progress, request.responseText, file.name);
      document.dispatchEvent(new CustomEvent('session:ended'));
      showRefusal(progress, 'Não foi guardado: sua sessão terminou. Entre de novo e escolha o arquivo outra vez.', file.name);
    };
    request.onerror = () => showRefusal(progress, 'Sem conexão com o Guichê. Escolha o arquivo de novo.', file.name);
    request.onloadend = done;
    request.send(body);
  });
}

async function uploadQueued() {
  if (running) return;
  running = true;
  while (queue.length) await upload(queue.shift());
  running = false;
  document.dispatchEvent(new CustomEvent('request:ready'));
}

function enqueue(files) {
  const { uploadUrl: address, maxBytes } = dropZone().dataset;
  for (const file of files) {
    const progress = addProgressRow(file);
    const tooLarge = Number(maxBytes) && file.size > Number(maxBytes);
    if (tooLarge) showRefusal(progress, `${formatSize(file.size)}; o arquivo deve ter menos de ${formatSize(Number(maxBytes))}`, file.name);
    else queue.push({ file, progress, address });
  }
  uploadQueued();
}

document.addEventListener('change', event => {
  if (!['arquivo', 'camera'].includes(event.target.id)) return;
  enqueue(Array.from(event.target.files));
  event.target.value = '';
});

// What is pasted as a file goes up from wherever the focus is; a picture has no name of its own.
const pastedName = file => (/^image\.\w+$/.test(file.name) ? `colado-${new Date().toTimeString().slice(0, 8).replaceAll(':', '')}.${file.name.split('.')[1]}` : file.name);
document.addEventListener('paste', event => {
  const files = Array.from(event.clipboardData?.files ?? []);
  if (!dropZone() || !files.length || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  enqueue(files.map(file => new File([file], pastedName(file), { type: file.type })));
});

// Several photos can become one PDF.
function offerJoining() {
  const button = document.getElementById('juntar-fotos');
  if (button) button.hidden = document.querySelectorAll('#anexos .thumbnail img').length < 2;
}
document.addEventListener('draft:changed', offerJoining);

// A file dropped outside the drop zone must not replace the page.
const hasFiles = event => event.dataTransfer?.types.includes('Files');
document.addEventListener('dragover', event => {
  if (!dropZone() || !hasFiles(event)) return;
  event.preventDefault();
  dropZone().classList.add('drag-over');
});
document.addEventListener('dragleave', event => { if (!event.relatedTarget) dropZone()?.classList.remove('drag-over'); });
document.addEventListener('drop', event => {
  if (!dropZone() || !hasFiles(event)) return;
  event.preventDefault();
  dropZone().classList.remove('drag-over');
  enqueue(Array.from(event.dataTransfer.files));
});

async function removeAttachment(button) {
  const row = button.closest('li');
  const response = await fetch(button.formAction, { method: 'POST', headers: { 'HX-Request': 'true' } });
  if (response.status === 401) document.dispatchEvent(new CustomEvent('session:ended'));
  if (!response.ok) throw new Error(String(response.status));
  row.remove();
  document.dispatchEvent(new CustomEvent('draft:changed'));
  document.getElementById('arquivo').focus();
}
document.addEventListener('click', event => {
  if (event.target.closest('[data-dismiss]')) {
    event.target.closest('li').remove();
    document.getElementById('arquivo').focus();
  }
  const button = event.target.closest('[data-remove-attachment]');
  if (!button) return;
  event.preventDefault();
  removeAttachment(button).catch(() => announce('Não foi possível remover o anexo. Tente de novo.'));
});

document.addEventListener('request:leaving', event => {
  if (!running) return;
  event.preventDefault();
  announce('Terminando de enviar os anexos; já seguimos.');
});
