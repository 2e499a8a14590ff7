import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
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
