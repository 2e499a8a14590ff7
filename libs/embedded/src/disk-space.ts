import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const MB = 1024 ** 2;
/** With less, PostgreSQL may find no room for the next file of its log, and ends in the middle of its work. */
const LEAST_BYTES = 64 * MB;
/** From here on a person is told, as long as there is time to make room. */
const NEARLY_FULL = { bytes: 1024 * MB, share: 0.1, least: 2 * LEAST_BYTES };
const POLL_INTERVAL_MS = 1_000;

/** The room on the disk of a folder, in bytes. */
export interface DiskSpace {
  free: number;
  total: number;
}

/** What a folder that may not exist yet has room for, by what an ordinary account may take. */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(placeOf(folder));
  return { free: bavail * bsize, total: blocks * bsize };
}

/** The folder itself, or the one above in which it would be made. */
function placeOf(folder: string): string {
  let place = folder;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  return place;
}

/** One folder for each disk on which any of them lies. */
async function onePerDisk(folders: string[]): Promise<string[]> {
  const disks = await Promise.all(folders.map(async (folder) => (await stat(placeOf(folder))).dev));
  return folders.filter((_, index) => disks.indexOf(disks[index]!) === index);
}

const mb = (bytes: number) => `${Math.floor(bytes / MB)} MB`;

/** The room in bytes below which a disk of this size is nearly full. */
const nearlyFull = ({ total }: DiskSpace) =>
  Math.max(NEARLY_FULL.least, Math.min(NEARLY_FULL.bytes, total * NEARLY_FULL.share));

/** Why a disk with so much room is too full to work on, and what to do; undefined when it is not. */
export function tooFull(folder: string, { free }: DiskSpace): string | undefined {
  if (free >= LEAST_BYTES) return undefined;
  return (
    `the disk of ${folder} is full: ${mb(free)} left, ${mb(LEAST_BYTES)} are the least. ` +
    'Make room there and start again: nothing is lost, runs go on where they were'
  );
}

/** Says how much room there is; `diskSpace` but in tests. */
export type SpaceOf = (folder: string) => Promise<DiskSpace>;

/** @throws Error when the disk of a folder is too full to start */
export async function checkDiskSpace(folders: string[], spaceOf: SpaceOf): Promise<void> {
  for (const folder of await onePerDisk(folders)) {
    const full = tooFull(folder, await spaceOf(folder));
    if (full !== undefined) throw new Error(`It does not start, because ${full}.`);
  }
}

export interface DiskWatch {
  folders: string[];
  spaceOf: SpaceOf;
  signal: AbortSignal;
  /** Told when a disk gets nearly full. */
  warn(message: string): void;
  /** Told once, when a disk is so full that the work has to stop. */
  full(reason: string): void;
}

/** Looks every second at the disks of some folders, until one is full or the signal is aborted. */
export async function watchDisks({ folders, spaceOf, signal, warn, full }: DiskWatch): Promise<void> {
  const warned = new Set<string>();
  const looked = await onePerDisk(folders);
  while (!signal.aborted) {
    for (const folder of looked) {
      const space = await spaceOf(folder).catch(() => undefined);
      if (space === undefined) continue;
      const reason = tooFull(folder, space);
      if (reason !== undefined) return full(reason);
      const isLow = space.free < nearlyFull(space);
      if (isLow && !warned.has(folder))
        warn(
          `the disk of ${folder} is nearly full: ${mb(space.free)} left. Make room: below ${mb(LEAST_BYTES)} everything stops, to lose nothing.`,
        );
      if (isLow) warned.add(folder);
      else warned.delete(folder);
    }
    await delay(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
