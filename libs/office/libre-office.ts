import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
  /** Name of the filter that reads the file. By default LibreOffice determines the format from the content. */
  inputFilter?: string;
  /** Limit of the elapsed time. */
  timeLimitMs: number;
  /** Limit of the address space in MiB; if it is set, `timeLimitMs` limits the CPU time, too. */
  memoryMb?: number;
  /** Name or path of LibreOffice. Default `soffice`. */
  program?: string;
}

/** Exit status of a shell whose command does not exist. */
const NOT_FOUND = 127;

/** Settings that keep a file from loading others, from running macros, and from reaching the network. */
const SETTINGS: readonly (readonly [path: string, name: string, value: boolean | number | string])[] = [
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', true],
  ['Office.Common/Security/Scripting', 'DisableActiveContent', true],
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', true],
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', 3],
  // A proxy that does not exist.
  ['Inet/Settings', 'ooInetProxyType', 2],
  ['Inet/Settings', 'ooInetNoProxy', ''],
  ['Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'],
  ['Inet/Settings', 'ooInetHTTPProxyPort', 9],
  ['Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'],
  ['Inet/Settings', 'ooInetHTTPSProxyPort', 9],
  ['Inet/Settings', 'ooInetFTPProxyName', '127.0.0.1'],
  ['Inet/Settings', 'ooInetFTPProxyPort', 9],
];

const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">${SETTINGS.map(
  ([path, name, value]) =>
    `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
).join('')}</oor:items>`;

/**
 * Converts a file with LibreOffice, which loads no other file and no address. Each call uses a separate profile, so
 * that conversions can run concurrently with independent settings.
 *
 * @throws LibreOfficeMissing, or Error if it fails or exceeds a limit
 */
export async function convertWithLibreOffice(bytes: Uint8Array, conversion: Conversion): Promise<Buffer> {
  const { from, to, filter, inputFilter } = conversion;
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-office-'));
  try {
    const input = join(folder, `document.${from}`);
    await writeFile(input, bytes);
    const user = join(folder, 'profile', 'user');
    await mkdir(user, { recursive: true });
    await writeFile(join(user, 'registrymodifications.xcu'), PROFILE);
    const profile = pathToFileURL(join(folder, 'profile')).href;
    const options = [`-env:UserInstallation=${profile}`, '--headless', '--norestore'];
    if (inputFilter !== undefined) options.push(`--infilter=${inputFilter}`);
    const format = filter === undefined ? to : `${to}:${filter}`;
    await run([...options, '--convert-to', format, '--outdir', folder, input], conversion, folder);
    return await readFile(join(folder, `document.${to}`)).catch(() => {
      throw new Error(`LibreOffice did not write a file of the format ${to}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(args: string[], conversion: Conversion, folder: string): Promise<void> {
  const { timeLimitMs, memoryMb, program = 'soffice' } = conversion;
  const limits =
    memoryMb === undefined
      ? ''
      : `ulimit -t ${Math.ceil(timeLimitMs / 1_000)} && ulimit -v ${memoryMb * 1_024} && `;
  return new Promise((resolve, reject) => {
    // Separate process group, since LibreOffice's launcher starts the real program as a child.
    const child = spawn('sh', ['-c', `${limits}exec "$@"`, 'sh', program, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    const guard = child.pid === undefined ? null : guardOf(child.pid, folder);
    let errors = '';
    child.stderr.on('data', (data: Buffer) => {
      errors = (errors + data.toString('utf8')).slice(-2000);
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    }, timeLimitMs);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      guard?.kill('SIGKILL');
      if (isLate) reject(new Error(`LibreOffice took longer than ${timeLimitMs} ms`));
      else if (code === NOT_FOUND) reject(new LibreOfficeMissing(`${program} is not installed`));
      else if (code === 0) resolve();
      else reject(new Error(`LibreOffice exited with code ${code}: ${errors.trim()}`));
    });
  });
}

/**
 * Starts a process that waits for the end of this one, which closes its input, and then ends a process group and
 * removes a folder: this process may be killed during a conversion.
 */
function guardOf(group: number, folder: string): ChildProcess {
  const script = 'read -r line; kill -s KILL -- "-$1"; rm -rf -- "$2"';
  return spawn('sh', ['-c', script, 'sh', String(group), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
}
