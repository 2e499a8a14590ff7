import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
const MAX_BUFFER = 256 * 1024 * 1024;

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

/** Endings that LibreOffice reads, and the format that it writes them in. */
const OFFICE: Record<string, string> = {
  ...{
    '.docx': 'txt:Text (encoded):UTF8',
    '.odt': 'txt:Text (encoded):UTF8',
    '.rtf': 'txt:Text (encoded):UTF8',
  },
  ...{ '.xlsx': 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1' },
};

/** Reads a file with the programs of this machine that read its kind: LibreOffice, pdftotext, Chromium. */
export async function readByOthers(path: string): Promise<OtherReading[]> {
  const ending = extname(path).toLowerCase();
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-corpus-'));
  try {
    if (ending === '.pdf') return await pdfReadings(path);
    if (ending in OFFICE) return await officeReadings(path, OFFICE[ending]!, folder);
    return ending === '.html' || ending === '.htm' ? await pageReadings(path, folder) : [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pdfReadings(path: string): Promise<OtherReading[]> {
  const program = programPath('pdftotext');
  if (program === null) return [];
  const { stdout } = await run(program, ['-q', path, '-'], { maxBuffer: MAX_BUFFER, timeout: LIMIT_MS });
  return [{ program: 'pdftotext', text: stdout }];
}

async function officeReadings(path: string, format: string, folder: string): Promise<OtherReading[]> {
  const program = programPath('soffice');
  if (program === null) return [];
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  const options = ['--headless', '--convert-to', format, '--outdir', folder, path];
  await run(program, [profile, ...options], { timeout: LIMIT_MS });
  const made = join(folder, `${basename(path, extname(path))}.${format.slice(0, 3)}`);
  return existsSync(made) ? [{ program: 'LibreOffice', text: await readFile(made, 'utf8') }] : [];
}

async function pageReadings(path: string, folder: string): Promise<OtherReading[]> {
  const [browser, reader] = [programPath('chromium'), programPath('pdftotext')];
  if (browser === null || reader === null) return [];
  const printed = join(folder, 'page.pdf');
  const options = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--no-pdf-header-footer',
  ];
  await run(
    browser,
    [...options, `--user-data-dir=${folder}`, `--print-to-pdf=${printed}`, pathToFileURL(path).href],
    {
      timeout: LIMIT_MS,
    },
  );
  const { stdout } = await run(reader, ['-q', printed, '-'], { maxBuffer: MAX_BUFFER, timeout: LIMIT_MS });
  return [{ program: 'Chromium', text: stdout }];
}
