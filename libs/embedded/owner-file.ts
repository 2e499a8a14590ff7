import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Returns the identity of a running process: its ID and start time. It differs if the ID was reused (after a
 * reboot or in a new container).
 *
 * @returns `<pid>@<start>`; undefined if no such process runs (a zombie does not count)
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may contain blanks; after it, the state is the first field, the start time the
    // twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const start = fields[19];
    return start === undefined || fields[0] === 'Z' ? undefined : `${pid}@${start}`;
  }
  const start = await output(
    ...(process.platform === 'win32'
      ? powershell(`(Get-Process -Id ${pid}).StartTime.Ticks`)
      : (['ps', ['-o', 'lstart=', '-p', String(pid)]] as const)),
  );
  return start === '' ? undefined : `${pid}@${start}`;
}

/** Returns true if the process with this `identity` still runs. */
export async function isRunning(identity: string): Promise<boolean> {
  return identity !== '' && (await processIdentity(Number(identity.split('@')[0]))) === identity;
}

/** Returns program and arguments of a process, separated by blanks; '' if they cannot be determined. */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.replaceAll('\0', ' ').trim();
  }
  return output(
    ...(process.platform === 'win32'
      ? powershell(`(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`)
      : (['ps', ['-o', 'command=', '-ww', '-p', String(pid)]] as const)),
  );
}

function powershell(command: string): readonly [string, readonly string[]] {
  return ['powershell', ['-NoProfile', '-Command', command]];
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const result = await promisify(execFile)(program, args).catch(() => ({ stdout: '' }));
  return result.stdout.trim();
}

/**
 * Makes this process the owner named in `file`. If several processes try concurrently, only one succeeds. The
 * file of an owner that has ended is replaced.
 *
 * @returns undefined if this process is now the owner, else the ID of the owning process
 */
export async function claimFile(file: string): Promise<number | undefined> {
  const self = (await processIdentity(process.pid)) ?? String(process.pid);
  const claim = `${file}.${randomUUID()}`;
  await writeFile(claim, self, { mode: 0o600 });
  try {
    for (;;) {
      if (await linked(claim, file)) return undefined;
      const owner = await readFile(file, 'utf8').catch(() => undefined);
      if (owner !== undefined && (await isRunning(owner))) return Number(owner.split('@')[0]);
      if (owner !== undefined) await removeStale(file, owner);
    }
  } finally {
    await rm(claim, { force: true });
  }
}

/** Ends the ownership acquired by `claimFile`. */
export async function releaseFile(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Links a complete file to the name `to`; returns false if that name exists. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the file of a dead owner, but restores a file that another process has put there in the meantime.
 */
async function removeStale(file: string, owner: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== owner) await linked(aside, file);
  await rm(aside, { force: true });
}

/** Content of `<dataDir>/stack.json`: the stack that was started last. */
interface StackState {
  /** Base URL of the gateway, without a trailing slash. */
  url: string;
  /** ID of the process that started the stack and stops it. */
  pid: number;
  started_at: string;
}

const HEALTH_TIMEOUT_MS = 2_000;
const fileIn = (dataDir: string) => join(dataDir, 'stack.json');

/** Returns the stack of this data directory if its process runs and its gateway answers; else undefined. */
export async function findRunningStack(dataDir: string): Promise<StackState | undefined> {
  const state = await readState(dataDir);
  if (state === undefined || (await processIdentity(state.pid)) === undefined) return undefined;
  return (await isHealthy(state.url)) ? state : undefined;
}

/** Writes the file atomically, readable only by its owner. */
export async function writeStackState(dataDir: string, state: StackState): Promise<void> {
  const temporary = `${fileIn(dataDir)}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await rename(temporary, fileIn(dataDir));
}

export async function removeStackState(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

async function readState(dataDir: string): Promise<StackState | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as StackState;
  } catch {
    return undefined;
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health/`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
