// The part of Bootstrap that our pages use: a rule stays when every class, element
// and attribute of its selector is a word of our views or scripts, a custom property
// when a rule that stays reads it. A class name put together from pieces would not
// be found: the browser's tests refuse a page that wears a class whose rules went.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PurgeCSS } from 'purgecss';

const isView = name => /\.(templ|go)$/.test(name) && !/(_templ|_test)\.go$/.test(name);

// views are the paths of the files that name classes.
export function views(folder) {
  return readdirSync(folder, { recursive: true }).map(String).filter(isView).sort().map(name => join(folder, name));
}

// usedBootstrap is Bootstrap without what neither the views nor the scripts use;
// ours is our style sheet, which may read its custom properties.
export async function usedBootstrap(whole, ours, texts) {
  const content = texts.map(raw => ({ raw, extension: 'html' }));
  const [bootstrap] = await new PurgeCSS().purge({ content, css: [{ raw: whole }, { raw: ours }], variables: true, keyframes: true });
  return bootstrap.css;
}

export const readAll = paths => paths.map(path => readFileSync(path, 'utf8'));
