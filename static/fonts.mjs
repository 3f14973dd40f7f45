// Prepares the fonts of the guides for the program to embed: Go's own, cut into
// subsets of one byte per character, without the hints that printers do not use.
// internal/guide/fonts/dist gets the font file of each subset, zlib, and fonts.json:
// its definition, as documents have it, and the character of each of its 256 codes, U+0000
// for none. GOFONTS names the folder of the whole fonts; without it they
// are those of the Go module that go.mod pins.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { Blob, Face, Font, MetricsTag } from 'harfbuzzjs';
import subsetFont from 'subset-font';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'internal/guide/fonts/dist');

// stem is the width of a stem in thousandths of the size.
const typefaces = [
  { name: 'GoRegular', file: 'Go-Regular.ttf', stem: 87 },
  { name: 'GoBold', file: 'Go-Bold.ttf', stem: 135 },
];

const codes = 256;
const space = 0x20;
const replacement = 0x25a1; // □, for what the fonts lack, has a code that is free in Windows-1252
const replacementCode = 127;
const nonsymbolic = 32; // a flag of a font in a PDF
const unusedTables = ['OS/2', 'gasp', 'name']; // by PDF readers (ISO 32000-1, 9.9)

// windows1252 has the character of each code, 0 where there is none.
const windows1252 = Array.from({ length: codes }, (_, code) => {
  if (code < space || code === 127) return 0;
  if (code < 128 || code >= 160) return code;
  return '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'.charCodeAt(code - 128);
});

// usual are the characters of Brazilian guides, with the letters of names from elsewhere that
// are frequent there. A guide embeds them whole, so that fewer are better.
const usual = new Set([...Array.from({ length: 95 }, (_, i) => String.fromCharCode(space + i)),
  ...'ÀÁÂÃÄÇÈÉÊËÍÑÓÔÕÖÚÜàáâãäçèéêëíñóôõöúü', ...'ªº°§²³·–—…‘’“”•'].map(c => c.charCodeAt(0)));

// moduleFonts returns the folder of the fonts in that module.
function moduleFonts() {
  const answer = execFileSync('go', ['mod', 'download', '-json', 'golang.org/x/image'], { cwd: root });
  return join(JSON.parse(answer).Dir, 'font/gofont/ttfs');
}

// split gives the characters of a font their codes: of each subset the character by
// code. The usual ones come first, by their codes in Windows-1252, and are enough for nearly
// every guide; each other subset begins with a space, too.
function split(characters) {
  const first = windows1252.map(c => (usual.has(c) && characters.includes(c) ? c : 0));
  first[replacementCode] = replacement;
  const others = characters.filter(c => !first.includes(c));
  const subsets = [first];
  while (others.length > 0) {
    const chunk = [space, ...others.splice(0, codes - space - 1)];
    subsets.push(Array.from({ length: codes }, (_, code) => chunk[code - space] ?? 0));
  }
  return subsets;
}

// differences names the characters that have another code than in Windows-1252: PDF
// readers find their text by these names.
function differences(subset) {
  const named = subset.map((c, code) => `${code} /uni${c.toString(16).toUpperCase().padStart(4, '0')}`);
  return named.filter((_, code) => subset[code] !== 0 && subset[code] !== windows1252[code]).join(' ');
}

// descriptor returns the measures of a font in thousandths of the size.
function descriptor(font, stem, scaled) {
  const head = font.face.referenceTable('head');
  const box = new DataView(head.buffer, head.byteOffset + 36); // xMin, yMin, xMax, yMax
  return {
    Ascent: Math.round(scaled(font.hExtents().ascender)),
    Descent: Math.round(scaled(font.hExtents().descender)),
    CapHeight: Math.round(scaled(font.getMetricPosition(MetricsTag.CAP_HEIGHT))),
    Flags: nonsymbolic,
    StemV: stem,
    FontBBox: {
      Xmin: Math.floor(scaled(box.getInt16(0))), Ymin: Math.floor(scaled(box.getInt16(2))),
      Xmax: Math.ceil(scaled(box.getInt16(4))), Ymax: Math.ceil(scaled(box.getInt16(6))),
    },
  };
}

// prepare cuts a typeface, writes the font files of its subsets and returns what
// fonts.json says of them.
async function prepare({ name, file, stem }, source) {
  const whole = readFileSync(join(source, file));
  const font = new Font(new Face(new Blob(whole)));
  const scaled = units => units * 1000 / font.face.upem;
  const characters = [...font.face.collectUnicodes()].filter(c => c >= space && c <= 0xffff);
  const result = [];
  for (const [i, subset] of split(characters).entries()) {
    const text = subset.filter(c => c !== 0);
    const program = await subsetFont(whole, String.fromCharCode(...text), { noHinting: true, dropTables: unusedTables });
    // Six letters and a plus sign mark a font that was cut (ISO 32000-1, 9.6.4).
    const cut = `GUICH${String.fromCharCode(65 + i)}+${name}`;
    writeFileSync(join(dist, cut + '.z'), deflateSync(program, { level: 9 }));
    result.push({
      definition: {
        Name: cut, Diff: differences(subset), File: cut + '.z', OriginalSize: program.length,
        Desc: descriptor(font, stem, scaled),
        Cw: subset.map(c => (c === 0 ? 0 : Math.round(scaled(font.glyphHAdvance(font.nominalGlyph(c)))))),
      },
      characters: String.fromCharCode(...subset),
    });
  }
  return result;
}

const source = process.env.GOFONTS ?? moduleFonts();
mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) if (name !== '.keep') rmSync(join(dist, name));
const prepared = {};
for (const typeface of typefaces) prepared[typeface.name] = await prepare(typeface, source);
writeFileSync(join(dist, 'fonts.json'), JSON.stringify(prepared) + '\n');
