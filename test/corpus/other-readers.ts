import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
const MAX_BUFFER = 256 * 1024 * 1024;
/**
 * Number of files that one start of LibreOffice converts: a start takes longer than most files, and a file that crashes
 * it prevents the later ones.
 */
const BATCH = 25;

/** Returns the path of a program; null if this machine does not have it. */
function programPath(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** Text of a file as another program reads it. */
export interface OtherReading {
  program: string;
  text: string;
}

const TEXT = 'txt:Text (encoded):UTF8';
/** Comma-separated values of all sheets, as the program shows them. */
const SHEETS = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';
/** Endings that LibreOffice reads, and the format that it writes them in. */
const OFFICE: Record<string, string> = {
  ...{ '.docx': TEXT, '.odt': TEXT, '.rtf': TEXT },
  ...{ '.xlsx': SHEETS, '.ods': SHEETS },
};

/** Reads a file with the programs of this machine that read its kind alone: pdftotext and Chromium. */
export async function readByOthers(path: string): Promise<OtherReading[]> {
  const ending = extname(path).toLowerCase();
  if (ending === '.pdf') return pdfReadings(path);
  return ending === '.html' || ending === '.htm' ? pageReadings(path) : [];
}

/** Reads the Office files among some files with LibreOffice, many with each start. Files that it does not read are missing. */
export async function readByOffice(paths: readonly string[]): Promise<Map<string, OtherReading>> {
  const found = new Map<string, OtherReading>();
  const program = programPath('soffice');
  if (program === null) return found;
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-corpus-'));
  try {
    for (const format of new Set(Object.values(OFFICE))) {
      const own = paths.filter((path) => OFFICE[extname(path).toLowerCase()] === format);
      for (let at = 0; at < own.length; at += BATCH) {
        const batch = own.slice(at, at + BATCH);
        const texts = await convert(program, batch, format, folder);
        // A file may have crashed the program, so convert the missing ones one by one.
        for (const path of batch.filter((each) => batch.length > 1 && !texts.has(each)))
          for (const [name, text] of await convert(program, [path], format, folder)) texts.set(name, text);
        for (const [path, text] of texts) found.set(path, { program: 'LibreOffice', text });
      }
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the text of each file that LibreOffice converts in one start. */
async function convert(
  program: string,
  paths: readonly string[],
  format: string,
  folder: string,
): Promise<Map<string, string>> {
  const [sources, made] = [join(folder, 'in'), join(folder, 'out')];
  await Promise.all([mkdir(sources), mkdir(made)]);
  // Files of different folders may have the same name.
  const copies = paths.map((path, index) => join(sources, `${index}${extname(path).toLowerCase()}`));
  await Promise.all(paths.map((path, index) => copyFile(path, copies[index]!)));
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  const options = ['--headless', '--convert-to', format, '--outdir', made, ...copies];
  await run(program, [profile, ...options], { timeout: LIMIT_MS, maxBuffer: MAX_BUFFER }).catch(() => null);
  const texts = new Map<string, string>();
  // A workbook becomes one file for each sheet: 3-Sales.csv.
  for (const name of (await readdir(made)).sort()) {
    const path = paths[Number.parseInt(name)]!;
    texts.set(path, `${texts.get(path) ?? ''}${await readFile(join(made, name), 'utf8')}\n`);
  }
  await Promise.all([sources, made].map((each) => rm(each, { recursive: true })));
  return texts;
}

/** Without `-layout`, pdftotext joins the last word of a hyphenated line to the next word, whatever it is. */
async function pdfReadings(path: string): Promise<OtherReading[]> {
  const program = programPath('pdftotext');
  if (program === null) return [];
  const { stdout } = await run(program, ['-q', '-layout', path, '-'], {
    maxBuffer: MAX_BUFFER,
    timeout: LIMIT_MS,
  });
  return [{ program: 'pdftotext', text: stdout }];
}

async function pageReadings(path: string): Promise<OtherReading[]> {
  const [browser, reader] = [programPath('chromium'), programPath('pdftotext')];
  if (browser === null || reader === null) return [];
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-corpus-'));
  const printed = join(folder, 'page.pdf');
  const options = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--no-pdf-header-footer',
  ];
  try {
    await run(
      browser,
      [...options, `--user-data-dir=${folder}`, `--print-to-pdf=${printed}`, pathToFileURL(path).href],
      { timeout: LIMIT_MS },
    );
    const { stdout } = await run(reader, ['-q', '-layout', printed, '-'], {
      maxBuffer: MAX_BUFFER,
      timeout: LIMIT_MS,
    });
    return [{ program: 'Chromium', text: stdout }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
