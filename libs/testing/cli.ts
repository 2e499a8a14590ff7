import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ApiClient } from './api-client.js';

/** Shorter than jest's own time limit of a test, so that the error includes the command's output. */
const TIMEOUT_MS = 150_000;
const MAIN = join(process.cwd(), 'dist/apps/cli/src/main.js');

interface EndedCli {
  /** Null if a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

interface CliOptions {
  cwd: string;
  /** Environment in addition to PATH; the environment of this process is not inherited. */
  env?: NodeJS.ProcessEnv;
  /** Standard input; it is closed if absent. */
  input?: string;
}

/** Starts `scriptorium ARGS…` in a new process, as a person does. */
export const launchCli = (
  args: string[],
  { cwd, env, input }: CliOptions,
): ChildProcessByStdio<Writable | null, Readable, Readable> => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  child.stdin?.end(input);
  return child;
};

/** Runs `scriptorium ARGS…` until it ends. @throws Error with its output if it has to be killed */
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

/** Runs `scriptorium ARGS…`. @throws Error with its standard error if it fails */
export async function succeedCli(args: string[], options: CliOptions): Promise<EndedCli> {
  const ended = await runCli(args, options);
  if (ended.code !== 0) throw new Error(`It ended with ${ended.code}:\n${ended.stderr}`);
  return ended;
}

/** Returns the environment for CLI commands that use this gateway as this tenant. */
export const cliEnv = ({ baseUrl, key }: Pick<ApiClient, 'baseUrl' | 'key'>): NodeJS.ProcessEnv => ({
  SCRIPTORIUM_URL: baseUrl,
  SCRIPTORIUM_API_KEY: key ?? undefined,
});
