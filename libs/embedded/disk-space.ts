import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const MB = 1024 ** 2;
/** Minimum free space. With less, PostgreSQL may fail to write its log and crash. */
const LEAST_BYTES = 64 * MB;
/** Free space below which a warning is issued, early enough to free some. */
const NEARLY_FULL = { bytes: 1024 * MB, share: 0.1, least: 2 * LEAST_BYTES };
const PAUSE_MS = { least: 1_000, most: 10_000 };
/** Fastest rate at which a disk is expected to fill, in bytes per ms. */
const FASTEST = MB;

/** Space on the disk of a folder, in bytes. */
interface DiskSpace {
  free: number;
  total: number;
}

/**
 * Returns the space on the disk of a folder, which need not exist, as available to an unprivileged account.
 */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(placeOf(folder));
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Returns the folder itself or its nearest existing ancestor. */
function placeOf(folder: string): string {
  let place = folder;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  return place;
}

/** Returns one folder per disk. */
async function onePerDisk(folders: string[]): Promise<string[]> {
  const disks = await Promise.all(folders.map(async (folder) => (await stat(placeOf(folder))).dev));
  return folders.filter((_, index) => disks.indexOf(disks[index]!) === index);
}

const mb = (bytes: number) => `${Math.floor(bytes / MB)} MB`;

/** Returns the free space in bytes below which a disk of this size counts as nearly full. */
const nearlyFull = ({ total }: DiskSpace) =>
  Math.max(NEARLY_FULL.least, Math.min(NEARLY_FULL.bytes, total * NEARLY_FULL.share));

/** Returns why the disk is too full to work on and what to do; undefined if there is enough space. */
export function tooFull(folder: string, { free }: DiskSpace): string | undefined {
  if (free >= LEAST_BYTES) return undefined;
  return (
    `the disk of ${folder} is full: ${mb(free)} left, at least ${mb(LEAST_BYTES)} required. ` +
    'Free some space and start again: nothing is lost, and runs resume where they stopped'
  );
}

/** Returns the space on a folder's disk; `diskSpace` except in tests. */
export type SpaceOf = (folder: string) => Promise<DiskSpace>;

/** @throws Error if the disk of a folder is too full to start */
export async function checkDiskSpace(folders: string[], spaceOf: SpaceOf): Promise<void> {
  for (const folder of await onePerDisk(folders)) {
    const full = tooFull(folder, await spaceOf(folder));
    if (full !== undefined) throw new Error(`The stack cannot start, because ${full}.`);
  }
}

interface DiskWatch {
  folders: string[];
  spaceOf: SpaceOf;
  signal: AbortSignal;
  /** Called when a disk becomes nearly full. */
  warn(message: string): void;
  /** Called once, when a disk is so full that the work has to stop. */
  full(reason: string): void;
}

/** Returns the time in ms until a disk is checked again: sooner than it could be full, but from 1 to 10 s. */
export function msUntilNextCheck({ free }: DiskSpace): number {
  return Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, (free - LEAST_BYTES) / FASTEST));
}

/** Checks the disks of the folders repeatedly until one is full or the signal is aborted. */
export async function watchDisks({ folders, spaceOf, signal, warn, full }: DiskWatch): Promise<void> {
  const warned = new Set<string>();
  const looked = await onePerDisk(folders);
  while (!signal.aborted) {
    let pauseMs = PAUSE_MS.most;
    for (const folder of looked) {
      const space = await spaceOf(folder).catch(() => undefined);
      if (space === undefined) continue;
      const reason = tooFull(folder, space);
      if (reason !== undefined) return full(reason);
      pauseMs = Math.min(pauseMs, msUntilNextCheck(space));
      const isLow = space.free < nearlyFull(space);
      if (isLow && !warned.has(folder))
        warn(
          `the disk of ${folder} is nearly full: ${mb(space.free)} left. Free some space: below ${mb(LEAST_BYTES)} the stack stops, to prevent data loss.`,
        );
      if (isLow) warned.add(folder);
      else warned.delete(folder);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
