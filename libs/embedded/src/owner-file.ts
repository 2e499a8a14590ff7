import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isRunning, processIdentity } from './process-info.js';

/**
 * Makes this process the owner that `file` names. Only one process can be it, also when several try at once; the
 * file of an owner that no longer runs is taken over.
 *
 * @returns undefined when this process is the owner now, else the id of the process that is
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

/** Ends the ownership that `claimFile` gave. */
export async function releaseFile(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Gives a complete file its name unless the name is taken. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the file of a dead owner, but not the one that another process has put in its place meanwhile. */
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
