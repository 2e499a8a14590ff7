import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { extractText } from '#extraction/extract.js';
import { isExtractedName } from '#contracts/file-kinds.js';
import { takeInventory } from '#inventory/take-inventory.js';
import { collect } from '../corpus/collect.js';
import { FoundWords } from '../corpus/found-words.js';
import { readByOffice, readByOthers } from '../corpus/other-readers.js';

/**
 * `npm run eval:conversions -- DIR… [--count 40] [--with NAME=COMMAND]… [--json FILE]`: converts files with the product and
 * with other converters, and counts the words that LibreOffice, pdftotext and Chromium read in them: carried by the text;
 * named, because the converter refuses the file or its report says that they are left out; or lost without a word. A COMMAND
 * gets the path of a file as its last argument and prints Markdown. Files that none of the readers opens are left out.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '40' },
    with: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
  },
});

/** Text of a conversion, and what its report says about words that are not in the text; null if the file was refused. */
type Conversion = { text: string; report: string } | null;
type Converter = (path: string) => Promise<Conversion>;

const run = promisify(execFile);
const LIMIT_MS = 300_000;

const byProduct: Converter = async (path) => {
  const bytes = await readFile(path);
  if (!isExtractedName(basename(path))) return { text: bytes.toString('utf8'), report: '' };
  const { text, encoding = null } = await extractText(bytes, basename(path));
  const { entries } = await takeInventory(bytes, basename(path), { text, encoding });
  return {
    text,
    report: entries.map(({ outcome, words }) => (outcome === 'left_out' ? words : '')).join('\n'),
  };
};

const byCommand =
  (command: string): Converter =>
  async (path) => {
    const [program = '', ...args] = command.split(' ');
    const { stdout } = await run(program, [...args, path], {
      timeout: LIMIT_MS,
      maxBuffer: 256 * 1024 * 1024,
    });
    return { text: stdout, report: '' };
  };

const converters = new Map<string, Converter>([
  ['scriptorium', byProduct],
  ...values.with.map((option): [string, Converter] => {
    const at = option.indexOf('=');
    return [option.slice(0, at), byCommand(option.slice(at + 1))];
  }),
]);

/** Distinct words of one file: how many were carried, named and lost. */
interface Count {
  carried: number;
  named: number;
  lost: number;
}

function countWords(conversion: Conversion, read: readonly string[]): Count & { words: string[] } {
  const isLost = (found: FoundWords, words: string[]) =>
    words.filter((word) => found.missingOf(word).length > 0);
  const missing = conversion ? isLost(new FoundWords(conversion.text), [...read]) : [];
  const lost = conversion ? isLost(new FoundWords(`${conversion.text}\n${conversion.report}`), missing) : [];
  const carried = conversion ? read.length - missing.length : 0;
  return { carried, named: read.length - carried - lost.length, lost: lost.length, words: lost.slice(0, 40) };
}

const paths = await collect(positionals, Number(values.count));
const office = await readByOffice(paths);
const rows: (Count & { file: string; converter: string; words: string[] })[] = [];
for (const path of paths) {
  const readings = [...(await readByOthers(path)), ...(office.has(path) ? [office.get(path)!] : [])];
  const read = [...new Set(readings.flatMap(({ text }) => text.match(/\p{L}+|\p{N}+/gu) ?? []))];
  if (read.length === 0) continue;
  for (const [converter, convert] of converters) {
    const conversion = await convert(path).catch(() => null);
    rows.push({ file: basename(path), converter, ...countWords(conversion, read) });
  }
}

const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
const kinds = [...new Set(rows.map(({ file }) => extname(file).toLowerCase()))].sort();
for (const converter of converters.keys())
  for (const kind of [...kinds, '']) {
    const own = rows.filter(
      (row) => row.converter === converter && (kind === '' || row.file.toLowerCase().endsWith(kind)),
    );
    const sum = (key: keyof Count) => own.reduce((total, row) => total + row[key], 0);
    const all = sum('carried') + sum('named') + sum('lost');
    const whole = own.filter(({ lost, named }) => lost + named === 0).length;
    const cells = [percent(sum('carried'), all), percent(sum('named'), all), percent(sum('lost'), all)];
    process.stdout.write(
      `${converter.padEnd(14)}${(kind || 'all').padEnd(8)}${String(own.length).padStart(4)}${cells.map((cell) => cell.padStart(10)).join('')}${String(whole).padStart(8)}\n`,
    );
  }
if (values.json !== undefined)
  await writeFile(join(process.cwd(), values.json), `${JSON.stringify(rows, null, 2)}\n`);
