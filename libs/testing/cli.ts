import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ApiClient } from './api-client.js';

/** Below jest's own limit of a test, so that the error has the output of the command. */
const TIMEOUT_MS = 150_000;
const MAIN = join(process.cwd(), 'dist/apps/cli/src/main.js');

export interface EndedCli {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd: string;
  /** Besides PATH; nothing else of this process is handed on. */
  env?: NodeJS.ProcessEnv;
}

/** Starts `scriptorium ARGS…` as a process of its own, as a person does. */
export const launchCli = (
  args: string[],
  { cwd, env }: CliOptions,
): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Runs `scriptorium ARGS…` to its end. @throws Error with what it said when it does not end by itself */
export async function runCli(args: string[], options: CliOptions): Promise<EndedCli> {
  const child = launchCli(args, options);
  let isLate = false;
  const kill = () => {
    isLate = true;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(kill, TIMEOUT_MS);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  clearTimeout(timer);
  if (isLate) {
    const command = `scriptorium ${args.join(' ')}`;
    throw new Error(`${command}: not ended within ${TIMEOUT_MS / 1_000} s. Last seen:\n${stdout}${stderr}`);
  }
  return { code: child.exitCode, stdout, stderr };
}

/** Runs `scriptorium ARGS…`, which has to succeed. @throws Error with what it said when it does not */
export async function succeedCli(args: string[], options: CliOptions): Promise<EndedCli> {
  const ended = await runCli(args, options);
  if (ended.code !== 0) throw new Error(`It ended with ${ended.code}:\n${ended.stderr}`);
  return ended;
}

/** The environment in which the command line works with this service, as this tenant. */
export const cliEnv = ({ baseUrl, key }: Pick<ApiClient, 'baseUrl' | 'key'>): NodeJS.ProcessEnv => ({
  SCRIPTORIUM_URL: baseUrl,
  SCRIPTORIUM_API_KEY: key ?? undefined,
});
