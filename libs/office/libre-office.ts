import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** LibreOffice is not installed. */
export class LibreOfficeMissing extends Error {}

/** A conversion: the endings of both formats, and the name of LibreOffice's filter with its options. */
export interface Conversion {
  from: string;
  to: string;
  filter?: string;
  timeLimitMs: number;
  /** Name or path of LibreOffice. Default `soffice`. */
  program?: string;
}

/**
 * Converts a file with LibreOffice. Each call uses a separate profile, so that conversions can run concurrently with
 * independent settings.
 *
 * @throws LibreOfficeMissing, or Error if it fails or exceeds `timeLimitMs`
 */
export async function convertWithLibreOffice(bytes: Uint8Array, conversion: Conversion): Promise<Buffer> {
  const { from, to, filter, timeLimitMs, program = 'soffice' } = conversion;
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-office-'));
  try {
    const input = join(folder, `document.${from}`);
    await writeFile(input, bytes);
    const profile = pathToFileURL(join(folder, 'profile')).href;
    const format = filter === undefined ? to : `${to}:${filter}`;
    const options = [`-env:UserInstallation=${profile}`, '--headless', '--norestore'];
    await run(program, [...options, '--convert-to', format, '--outdir', folder, input], timeLimitMs);
    return await readFile(join(folder, `document.${to}`)).catch(() => {
      throw new Error(`LibreOffice did not write a file of the format ${to}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: string[], timeLimitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Separate process group, since LibreOffice's launcher starts the real program as a child.
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => {
      errors = (errors + data.toString('utf8')).slice(-2000);
    });
    const timer = setTimeout(() => {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
      reject(new Error(`LibreOffice took longer than ${timeLimitMs} ms`));
    }, timeLimitMs);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(error.code === 'ENOENT' ? new LibreOfficeMissing(`${program} is not installed`) : error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`LibreOffice exited with code ${code}: ${errors.trim()}`));
    });
  });
}
