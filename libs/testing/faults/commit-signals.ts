import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export type When = 'before' | 'after';

/** Record of a process that sent itself a signal at a commit point. */
interface Fired {
  when: When;
  point: string;
  pid: number;
  /** Run that the statement names; empty for statements about many runs. */
  runId: string;
}

const POLL_MS = 25;

export const firedName = ({ when, point, pid, runId }: Fired): string =>
  [when, point, pid, runId, process.hrtime.bigint()].join('~');

/** Returns the time of firing, by the clock that all processes of a machine share. */
const momentOf = (name: string): bigint => BigInt(name.slice(name.lastIndexOf('~') + 1));

function parseFired(name: string): Fired {
  const [when, point, pid, runId] = name.split('~');
  return { when: when as When, point: point!, pid: Number(pid), runId: runId! };
}

/** Sets the commit points at which processes with `commit-hook.ts` end or stop themselves. */
export class CommitSignals {
  private constructor(readonly dir: string) {}

  static async open(): Promise<CommitSignals> {
    const dir = await mkdtemp(join(tmpdir(), 'scriptorium-commits-'));
    for (const name of ['armed', 'fired']) await mkdir(join(dir, name));
    return new CommitSignals(dir);
  }

  /** Makes the next process that reaches the commit point send itself the signal. */
  async arm(when: When, point: string, signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    await writeFile(join(this.dir, 'armed', `${when} ${point}`), signal);
  }

  async disarm(when: When, point: string): Promise<void> {
    await rm(join(this.dir, 'armed', `${when} ${point}`), { force: true });
  }

  /** Returns the commit points that no process has reached yet, each after `before` or `after`. */
  armed(): Promise<string[]> {
    return readdir(join(this.dir, 'armed'));
  }

  async disarmAll(): Promise<void> {
    for (const name of await this.armed()) await rm(join(this.dir, 'armed', name));
  }

  /** Returns all fired signals, newest last. */
  async fired(): Promise<Fired[]> {
    const names = await readdir(join(this.dir, 'fired'));
    return names.sort((a, b) => (momentOf(a) < momentOf(b) ? -1 : 1)).map(parseFired);
  }

  /** Waits until more than `before` processes have fired at the point and returns the latest; null after `ms` milliseconds. */
  async next(when: When, point: string, before: number, ms: number): Promise<Fired | null> {
    const end = Date.now() + ms;
    for (;;) {
      const there = (await this.fired()).filter((fired) => fired.when === when && fired.point === point);
      if (there.length > before) return there.at(-1)!;
      if (Date.now() > end) return null;
      await delay(POLL_MS);
    }
  }

  async close(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }
}
