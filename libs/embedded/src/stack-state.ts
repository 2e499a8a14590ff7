import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processIdentity } from './process-info.js';

/** What `<dataDir>/stack.json` tells about the stack that was started last. */
export interface StackState {
  /** The gateway's base URL, without a trailing slash. */
  url: string;
  /** The process that started the stack and stops it. */
  pid: number;
  started_at: string;
}

const HEALTH_TIMEOUT_MS = 2_000;
const fileIn = (dataDir: string) => join(dataDir, 'stack.json');

/** The stack of this data directory, when it runs: its process lives and its gateway answers. */
export async function findRunningStack(dataDir: string): Promise<StackState | undefined> {
  const state = await readState(dataDir);
  if (state === undefined || (await processIdentity(state.pid)) === undefined) return undefined;
  return (await isHealthy(state.url)) ? state : undefined;
}

/** Writes the file at once, readable for its owner only. */
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
