import { oneLine, withCapital } from '#contracts/text.js';
import { baseName, folderOf } from '#contracts/source-name.js';
import { FILE_DATE } from '#verbatim/own-lines/names.js';
import { extensionOf } from './languages.js';
import type { SourceKind } from './kind.js';

const LABELS: Record<string, string> = {
  log: 'Log',
  console: 'Shell session',
  json: 'Data',
  csv: 'Data',
  tsv: 'Data',
  diff: 'Changes',
  sql: 'Database script',
  text: 'File',
  yaml: 'Configuration',
  toml: 'Configuration',
  ini: 'Configuration',
  nginx: 'Configuration',
  conf: 'Configuration',
  properties: 'Configuration',
  dotenv: 'Configuration',
  hcl: 'Configuration',
  jsonc: 'Configuration',
  dockerfile: 'Container file',
  bash: 'Script',
  zsh: 'Script',
  fish: 'Script',
  bat: 'Script',
  powershell: 'Script',
  html: 'Page',
  xml: 'Data',
  latex: 'Text',
  rst: 'Text',
  asciidoc: 'Text',
  org: 'Text',
  wiki: 'Text',
  makefile: 'Build file',
  cmake: 'Build file',
  crontab: 'Configuration',
};

/**
 * Returns the chapter heading for a source that does not start with a heading.
 *
 * @param file its name, with the folders that the heading includes
 */
export function titleFor(file: string, kind: SourceKind): string {
  if (kind.kind !== 'markdown' && kind.kind !== 'notes')
    return `${LABELS[kind.language] ?? 'Source code'}: ${asHeadingText(file)}`;
  const folder = folderOf(file).slice(0, -1);
  return folder !== '' ? `${proseTitle(file)} (${asHeadingText(folder)})` : proseTitle(file);
}

/**
 * Derives a title, for example `2024-03-12-notes.txt` → `Notes 2024-03-12` and `02_on_call_notes.txt` → `On
 * call notes`. Preserves the spelling of words, so that the title says only what the file name says.
 */
function proseTitle(file: string): string {
  const extension = extensionOf(file);
  const stem = extension === '' ? baseName(file) : baseName(file).slice(0, -(extension.length + 1));
  const date = FILE_DATE.exec(stem)?.[0];
  const words = (date === undefined ? stem : stem.replace(FILE_DATE, ' '))
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  // A leading number orders files and is not part of their title.
  if (words.length > 1 && /^\d{1,3}$/.test(words[0] ?? '')) words.shift();
  const title = [...words.map(capital), ...(date === undefined ? [] : [date])].join(' ');
  return asHeadingText(title === '' ? baseName(file) : title);
}

function capital(word: string, index: number): string {
  return index === 0 && /^\p{Ll}+$/u.test(word) ? withCapital(word) : word;
}

/** Returns the heading of a folder with prose, for example `on_call_notes` → `On call notes`. */
export function folderTitle(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  const title = /^\p{Ll}[^\p{Lu}/]*$/u.test(words) ? withCapital(words) : words;
  return asHeadingText(title === '' ? name : title);
}

/** Returns text for a heading; text that Markdown might interpret is put into a code span. */
export function asHeadingText(text: string): string {
  const flat = oneLine(text);
  if (/^[\p{L}\p{N}][\p{L}\p{N} .,()'+-]*$/u.test(flat)) return flat;
  // Underscores between word characters are not markup.
  if (
    /^[\p{L}\p{N}][\p{L}\p{N} .,()'+_-]*$/u.test(flat) &&
    !/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u.test(flat)
  )
    return flat;
  const runs = Math.max(0, ...[...flat.matchAll(/`+/g)].map((run) => run[0].length));
  const marks = '`'.repeat(runs + 1);
  const pad = flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return `${marks}${pad}${flat}${pad}${marks}`;
}
