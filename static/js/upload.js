// Attachments are uploaded as soon as they are chosen or dropped, one after the
// other, each with a row and a progress bar that the answer's row replaces. XHR,
// because fetch does not report progress. A file that did not get through waits for
// the network with those behind it; nothing has to be chosen again.
const dropZone = () => document.getElementById('soltar');
const queue = [];
const failed = new WeakMap(); // file of a row that somebody may send again
const pauseOffline = 4000; // ms
let running = false, timer = 0;

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

// progressRow shows that a file is on its way, or waits for those before it.
function progressRow(item) {
  const row = element('li'), text = element('div'), bar = element('progress'), note = element('small', 'small', 'na vez…');
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute('aria-label', `Enviando ${item.file.name}`);
  text.append(element('span', 'text-truncate d-block', item.file.name), bar, note);
  row.append(text);
  item.row.replaceWith(row);
  return { row, bar, note };
}

// rowFrom fills one of the page's templates for rows.
function rowFrom(template, reason, name) {
  const row = document.getElementById(template).content.querySelector('li').cloneNode(true);
  row.querySelector('.text-truncate').textContent = name;
  row.querySelector('.error').textContent = reason;
  row.querySelector('[data-dismiss]').setAttribute('aria-label', `Tirar ${name}`);
  row.querySelector('[data-retry]')?.setAttribute('aria-label', `Tentar de novo: ${name}`);
  return row;
}

// show puts a row in the place of the one before, and the focus where it was.
function show(item, row) {
  const button = item.row.contains(document.activeElement) && row.querySelector('button');
  item.row.replaceWith(row);
  item.row = row;
  if (button) button.focus();
}

function showRefusal(item, reason) {
  show(item, rowFrom('anexo-recusado', reason, item.file.name));
  announce(`${item.file.name}: ${reason}`);
}

// showFailure keeps the file with its row, for "Tentar de novo".
function showFailure(item, reason) {
  const waits = item.row.querySelector('.error')?.textContent === reason;
  if (!waits) {
    show(item, rowFrom('anexo-parado', reason, item.file.name));
    announce(`${item.file.name}: ${reason}`);
  }
  failed.set(item.row, item);
}

function showAnswer(item, html) {
  const row = new DOMParser().parseFromString(html, 'text/html').querySelector('li');
  if (!row) return showFailure(item, 'O Guichê não conseguiu guardar agora.');
  const twin = row.dataset.attachment && document.querySelector(`#anexos [data-attachment="${row.dataset.attachment}"]`);
  if (twin) item.row.remove(); // it had arrived, and only the answer was lost
  else show(item, row);
  const problem = row.querySelector('.error');
  announce(problem ? `${item.file.name}: ${problem.textContent}` : `${item.file.name} guardado`);
  if (!problem) document.dispatchEvent(new CustomEvent('draft:changed'));
}

// upload tells whether the file was answered, or cannot be read; otherwise the network is gone.
function upload(item) {
  Object.assign(item, progressRow(item));
  return new Promise(done => {
    const request = new XMLHttpRequest(), body = new FormData();
    body.set('unico', '1'); // it may arrive twice: browsers repeat by themselves what had no answer
    body.set('arquivo', item.file);
    request.open('POST', item.address);
    request.setRequestHeader('HX-Request', 'true');
    request.upload.onprogress = event => {
      if (!event.lengthComputable) return;
      item.bar.value = event.loaded / event.total;
      item.note.textContent = `${formatSize(event.loaded)} de ${formatSize(event.total)}`;
    };
    request.onload = () => {
      if (request.status === 401) {
        document.dispatchEvent(new CustomEvent('session:ended'));
        showFailure(item, 'Não foi guardado: sua sessão terminou. Entre de novo e tente outra vez.');
      } else showAnswer(item, request.responseText);
      done(true);
    };
    // a folder, or a file that is gone or was changed since, is no matter of the network
    request.onerror = () => item.file.slice(0, 1).arrayBuffer().then(() => {
      document.dispatchEvent(new CustomEvent('network:lost'));
      done(false);
    }, () => {
      showRefusal(item, 'Não deu para ler. Escolha de novo; de uma pasta, os arquivos dela.');
      done(true);
    });
    request.send(body);
  });
}

async function uploadQueued() {
  if (running) return;
  clearTimeout(timer);
  running = true;
  while (queue.length) {
    if (!await upload(queue[0])) break;
    queue.shift();
  }
  running = false;
  for (const item of queue) showFailure(item, 'Sem rede. Vai sozinho quando ela voltar.');
  if (queue.length) timer = setTimeout(uploadQueued, pauseOffline);
  else document.dispatchEvent(new CustomEvent('request:ready'));
}
window.addEventListener('online', () => { if (queue.length) uploadQueued(); });

function enqueue(files) {
  const { uploadUrl: address, maxBytes } = dropZone().dataset;
  for (const file of files) {
    const item = { file, address, row: element('li') };
    document.getElementById('anexos').append(item.row);
    const tooLarge = Number(maxBytes) && file.size > Number(maxBytes);
    if (tooLarge) showRefusal(item, `${formatSize(file.size)}; o arquivo deve ter menos de ${formatSize(Number(maxBytes))}`);
    else queue.push(Object.assign(item, progressRow(item)));
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

// notRemoved says at the file that it is still there.
function notRemoved(row, error) {
  const reason = 'O arquivo não foi removido. Tente de novo.';
  row.querySelector('.error')?.remove();
  row.querySelector(':scope > div').append(element('small', 'error tone-error d-block', reason));
  announce(reason);
  if (error instanceof TypeError) document.dispatchEvent(new CustomEvent('network:lost'));
}
document.addEventListener('click', event => {
  const item = failed.get(event.target.closest('#anexos li'));
  if (item && event.target.closest('[data-retry]')) {
    if (!queue.includes(item)) queue.push(item);
    uploadQueued();
  }
  if (event.target.closest('[data-dismiss]')) {
    if (queue.includes(item)) queue.splice(queue.indexOf(item), 1);
    event.target.closest('li').remove();
    document.getElementById('arquivo').focus();
    if (!running && !queue.length) document.dispatchEvent(new CustomEvent('request:ready'));
  }
  const button = event.target.closest('[data-remove-attachment]');
  if (!button) return;
  event.preventDefault();
  removeAttachment(button).catch(error => notRemoved(button.closest('li'), error));
});

document.addEventListener('request:leaving', event => {
  if (!running && !queue.length) return;
  event.preventDefault();
  announce(running ? 'Terminando de enviar os anexos; já seguimos.' : 'Um anexo espera a rede; o pedido segue depois dele.');
});
