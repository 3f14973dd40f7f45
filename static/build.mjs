// Builds the browser's files into dist: Bootstrap's rules that we use and our style
// sheets joined, our scripts joined and minified, htmx copied, the icons we use
// gathered in sprites, all for the request's form and for the other pages apart;
// each under a name with a hash of its content, with .br and .gz beside it, and
// manifest.json from logical to built name. A second run with nothing changed does nothing.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { minify } from 'terser';
import { readAll, usedBootstrap, views } from './bootstrap.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const stampFile = join(dist, '.stamp');
const web = join(root, '..', 'web');
const read = name => readFileSync(join(root, name), 'utf8');
const hash = content => createHash('sha256').update(content).digest('hex');

// The order of the style sheets is the order of the cascade.
const styles = [
  'tokens', 'bootstrap-theme', 'base', 'page-frame', 'tones', 'sheets', 'tables', 'form', 'phone', 'case', 'history', 'login', 'lists',
  'connection', 'api-description', 'tour', 'manual', 'small-screens', 'user-preferences', 'print',
];
// Pages inside a session have the first, and the form of a request the second in its place. What stands on one page, or in
// a demonstration, has a script of its own, which the others do not fetch; so do the pages outside a session.
const scripts = {
  'app.js': [
    'row-ids', 'page-start', 'shortcuts', 'dialogs-and-menus', 'copy', 'date-fields', 'dependent-fields', 'held-enter', 'next-field',
    'camera-button', 'keep-typed', 'unsent-text', 'session-expiry', 'submit-once', 'keep-place', 'announce', 'network', 'table-roles',
  ],
  'form.js': [
    'page-start', 'shortcuts', 'dialogs-and-menus', 'copy', 'date-fields', 'dependent-fields', 'combobox', 'credential-search',
    'who-search', 'requester-search', 'eligibility', 'procedure-rows', 'held-enter', 'next-field', 'autosave', 'countdown', 'upload', 'camera-button',
    'phone-panel', 'submit-form', 'keep-typed', 'session-expiry', 'submit-once', 'keep-place', 'network',
  ],
  'api-description.js': ['api-description'],
  'tour.js': ['tour'],
  'camera.js': ['camera'],
  'login.js': ['forget-typed', 'held-enter', 'submit-once'],
  'phone.js': ['page-start', 'countdown', 'upload', 'phone-page'],
};
// The form of a request is the heaviest page: form.css and its sprite hold what these files of web/page, the frame inside a
// session, the components and the scripts there name, and no more. A test holds that the form wears nothing else.
const formViews = new RegExp('^component/|^layout/(?!outside|tour.go)|^page/(attachments|draftstate|eligibility|facts|failure|fields|' +
  'filewarning|form|phone\\.|procedures|review|search|who)');
const scriptsOnForm = [...scripts['form.js'], 'tour', 'camera'];
const alsoOnForm = ['mark', 'question-lg']; // the logo, and what the answer about eligibility shows
const allScripts = [...new Set(Object.values(scripts).flat())];

// The pictures of the manual are compressed as they are.
const pictures = readdirSync(join(root, 'manual')).filter(name => name.endsWith('.webp')).sort();
const forms = name => (name.endsWith('.webp') ? [''] : ['', '.br', '.gz']);

function inputs() {
  const own = ['css', 'js'].flatMap(dir => readdirSync(join(root, dir)).sort().map(name => join(dir, name)));
  return [...own, ...pictures.map(name => join('manual', name)), 'icons.txt', 'mark.svg', 'mark-plain.svg', 'package-lock.json', 'build.mjs', 'bootstrap.mjs'];
}

function stamp() {
  const own = inputs().map(name => name + '\0' + hash(readFileSync(join(root, name))));
  return hash([...own, ...readAll(views(web)).map(hash)].join('\n'));
}

function upToDate(wanted) {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== wanted) return false;
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
  return Object.values(manifest).every(name => forms(name).every(end => existsSync(join(dist, name + end))));
}

// listedFiles reads the files of a folder in the order of their list, which must name
// every file there.
function listedFiles(dir, listed, extension) {
  const present = readdirSync(join(root, dir)).sort().join();
  const wanted = listed.map(name => name + extension).sort().join();
  if (present !== wanted) throw new Error(`${dir}: has ${present}, build.mjs lists ${wanted}`);
  return listed.map(name => read(join(dir, name + extension)));
}

// ownStyles are our style sheets without what only people read; no text in them has such blanks.
function ownStyles() {
  return listedFiles('css', styles, '.css').join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s*([{};,])\s*/g, '$1').replace(/:\s+/g, ':').replaceAll(';}', '}').trim() + '\n';
}

// styleSheet is Bootstrap's part and ours, for the pages of these views and scripts, with the icons of a sprite.
async function styleSheet(paths, names, sprite, icons) {
  const texts = [...readAll(paths).map(withoutValues), ...names.map(name => read(join('js', `${name}.js`)))];
  const own = withoutOthers(ownStyles(), texts);
  const whole = withoutPrefixes(withoutMap(read('node_modules/bootstrap/dist/css/bootstrap.min.css')));
  const bootstrap = withoutEmpty(withoutOverridden(await usedBootstrap(withoutOthers(whole, texts), own, texts), own));
  return inLetters(bootstrap + '\n' + withIcons(own, sprite, icons));
}

// selectorsOf splits a list of selectors at its commas, but for those in parentheses.
function selectorsOf(list) {
  let depth = 0;
  const marked = Array.from(list, c => {
    depth += { '(': 1, ')': -1 }[c] ?? 0;
    return c === ',' && depth === 0 ? '\0' : c;
  });
  return marked.join('').split('\0');
}

// withoutOverridden drops what of Bootstrap never counts: our sheet comes later and says the same property for the same selector.
function withoutOverridden(css, own) {
  const ours = new Set();
  const always = own.replace(/@[^{};]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  for (const [, selectors, body] of always.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    for (const one of sameFor(selectors)) for (const said of declarations(body)) ours.add(`${one}{${said.split(':')[0]}`);
  }
  return css.replace(/([^{}]+)\{([^{}]*)\}/g, (_, selectors, body) => {
    const counts = said => said.endsWith('!important') || !sameFor(selectors).every(one => ours.has(`${one}{${said.split(':')[0]}`));
    return `${selectors}{${declarations(body).filter(counts).join(';')}}`;
  });
}

const declarations = body => body.split(/;(?![^()]*\))/).filter(Boolean);

// sameFor are selectors without what they say of one theme, for ours hold for each, and without the remark before them.
const sameFor = selectors => selectorsOf(selectors.replace(/.*\*\//s, '').trim())
  .map(one => one.replace(/^\[data-bs-theme=\w+\] /, '').replace(/^\[data-bs-theme=\w+\]$/, '[data-bs-theme]'));

// inLetters measures windows by the size of letters: who has them enlarged gets the layout for as few of them as there is room for.
const inLetters = css => css.replace(/@media[^{]*/g, query => query.replace(/([\d.]+)px/g, (_, pixels) => `${pixels / 16}em`));

// withoutPrefixes drops what Bootstrap says twice, for browsers older than ours.
const withoutPrefixes = css => css.replace(/(?<=[{}])[^{}@]*::-webkit-file-upload-button\{[^{}]*\}/g, '')
  .replace(/-webkit-transition:[^;{}]*;(?=transition:)/g, '').replace(/(-(webkit|moz)-appearance:none;)+(?=appearance:none)/g, '');

// withoutOthers drops the selectors that ask for a class or an id which no string of the texts names, unless in parentheses,
// and the rules that have no other.
function withoutOthers(css, texts) {
  const known = new Set([...words(texts)].filter(word => !neverWorn.includes(word)));
  const outside = selector => selector.replace(/\([^()]*\)/g, '').replace(/\([^()]*\)/g, '');
  const asked = selector => outside(selector).match(/(?<=[.#])[a-z][\w-]*/g) ?? [];
  const kept = selector => asked(selector).every(name => known.has(name) || name.startsWith('htmx-'));
  return css.replace(/([^{}]+)\{([^{}]*)\}/g, (_, selectors, body) => {
    const left = selectorsOf(selectors).filter(kept);
    return left.length ? `${left.join(',')}{${body}}` : '';
  }).replace(/@media[^{}]*\{\s*\}/g, '');
}

const withoutEmpty = css => css.replace(/[^{};]*\{\}/g, '');

// withoutValues leaves the attributes of a view out that hold neither classes nor an id: role="alert" wears no class.
const withoutValues = view => view.replace(/\s(?!class=|id=)[a-z][\w:-]*="[^"]*"/g, '');

// words are those that stand in strings; as names of attributes and elements do some that Bootstrap has rules for, and nothing wears.
const neverWorn = ['active', 'alert', 'h2', 'mark', 'modal', 'placeholder', 'progress', 'table'];
const strings = text => text.match(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g) ?? [];
const words = texts => new Set(texts.flatMap(strings).flatMap(string => string.match(/[\w-]+/g) ?? []));

// formScript joins our files, each in a block of its own, after the one library
// that they use: one request, no loader.
function formScript() {
  const combobox = read('node_modules/@github/combobox-nav/dist/index.js');
  const own = combobox.replace('export default class Combobox', 'class Combobox');
  if (own === combobox || /^\s*(im|ex)port\b/m.test(own)) throw new Error('combobox-nav is not the single class it was');
  return minified(own, ...files('form.js'));
}

const script = bundle => () => minified(...files(bundle));

const files = bundle => {
  listedFiles('js', allScripts, '.js');
  return scripts[bundle].map(name => `{\n${read(join('js', `${name}.js`))}}`);
};

async function minified(...parts) {
  const { code } = await minify(`(() => {\n'use strict';\n${parts.join('\n')}\n})();\n`, { ecma: 2020, compress: { passes: 2 } });
  return code + '\n';
}

const iconNames = read('icons.txt').split(/\s+/).filter(Boolean);
const onForm = views(web).filter(path => formViews.test(relative(web, path)));
const namedOnForm = words(readAll(onForm));
const formIcons = iconNames.filter(name => namedOnForm.has(name) || alsoOnForm.includes(name));

// sprite has the icons below each other, a gap of their own size between them, so that
// each begins at a whole pixel where the text's size is one.
function sprite(icons) {
  if (iconNames.join() !== [...new Set(iconNames)].sort().join()) throw new Error('icons.txt: one icon a line, in order, none twice');
  const drawn = icons.map((name, i) => {
    const svg = read(name === 'mark' ? 'mark-plain.svg' : `node_modules/bootstrap-icons/icons/${name}.svg`);
    const body = svg.replace(/^[\s\S]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '').replace(/\s*\n\s*/g, '')
      .replace(/(\.\d\d)\d+/g, '$1'); // a hundredth of a sixteenth of a letter is seen by nobody
    const scale = 16 / Number(/viewBox="0 0 (\d+)/.exec(svg)[1]);
    return `<g transform="translate(0 ${i * 32})${scale === 1 ? '' : ` scale(${scale})`}">${body}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 ${icons.length * 32}">${drawn.join('')}</svg>\n`;
}

// withIcons puts a sprite's address and the places of its icons into a style sheet: a
// rule for each, and icon(name) where a rule names one.
function withIcons(text, file, icons) {
  const place = name => {
    if (!icons.includes(name)) throw new Error(`${name} is not in ${file}`);
    return icons.indexOf(name);
  };
  return text.replaceAll('icons.svg', builtName(file, sprite(icons))).replace(/icon\(([a-z0-9-]+)\)/g, (_, name) => place(name)) +
    icons.map((name, i) => `.i-${name}{--icon:${i}}`).join('') + '\n';
}

const withoutMap = text => text.replace(/\n?\/[/*]# sourceMappingURL=.*$/gm, '').trim() + '\n';

const assets = {
  'app.css': () => styleSheet(views(web), allScripts, 'icons.svg', iconNames),
  'form.css': () => styleSheet(onForm, scriptsOnForm, 'form-icons.svg', formIcons),
  'htmx.js': () => withoutMap(read('node_modules/htmx.org/dist/htmx.min.js')),
  ...Object.fromEntries(Object.keys(scripts).map(name => [name, script(name)])),
  'form.js': formScript,
  'icons.svg': () => sprite(iconNames),
  'form-icons.svg': () => sprite(formIcons),
  'mark.svg': () => read('mark.svg'),
  ...Object.fromEntries(pictures.map(name => [`manual-${name}`, () => readFileSync(join(root, 'manual', name))])),
};

function clean() {
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) if (name !== '.keep') rmSync(join(dist, name));
}

function builtName(name, content) {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}.${hash(content).slice(0, 12)}${name.slice(dot)}`;
}

function write(name, content) {
  const built = builtName(name, content);
  const bytes = Buffer.from(content);
  writeFileSync(join(dist, built), bytes);
  if (forms(name).length === 1) return built;
  writeFileSync(join(dist, built + '.gz'), gzipSync(bytes, { level: 9 }));
  writeFileSync(join(dist, built + '.br'), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
  return built;
}

async function build() {
  const wanted = stamp();
  if (upToDate(wanted)) return;
  const contents = await Promise.all(Object.entries(assets).map(async ([name, make]) => [name, await make()]));
  clean();
  const manifest = Object.fromEntries(contents.map(([name, content]) => [name, write(name, content)]));
  writeFileSync(join(dist, 'manifest.json'), JSON.stringify(manifest, null, 2) + '\n');
  writeFileSync(stampFile, wanted);
}

await build();
