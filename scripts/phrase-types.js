/**
 * Writes the type of libs/locales/en.json with its texts into libs/locales/generated/, for the compiler to check the
 * placeholders of phrases: of a JSON file, it only knows that the texts are strings. Does nothing if it is up to date.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const locales = join(import.meta.dirname, '../libs/locales');
const english = join(locales, 'en.json');
const target = join(locales, 'generated/texts.ts');

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changedAt(target) < changedAt(english)) {
  mkdirSync(join(locales, 'generated'), { recursive: true });
  writeFileSync(target, `export type Texts = ${readFileSync(english, 'utf8').trim()};\n`);
}
