import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processIdentity } from './process-info.js';

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
