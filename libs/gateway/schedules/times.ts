import { Cron } from 'croner';

/** When a schedule starts runs: by an expression of cron with five fields, at an interval, or only when it is asked to. */
export interface Timing {
  cron: string | null;
  everySeconds: number | null;
  /** IANA time zone of the expression. */
  timeZone: string;
  until: Date | null;
}

/** What becomes of planned times that passed while no gateway could start runs. */
export type Missed = 'once' | 'all' | 'none';

/** A run that begins later than this is missed. */
const LATE_MS = 5 * 60_000;
/** Maximum number of planned times that are made up for at once. */
export const MAX_MADE_UP = 100;
/** Number of planned times that are looked for first: searching all of `MAX_MADE_UP` takes 13 ms. */
const FEW = 10;

/**
 * Returns the next planned times after a time, up to the schedule's end. A time in an hour that a clock change skips
 * is planned for the first minute after it; a time in an hour that occurs twice is planned once.
 *
 * @param after for an interval, a planned time of the schedule
 * @throws Error of croner for an expression or a time zone that cannot be read
 */
export function nextTimes(timing: Timing, after: Date, count: number): Date[] {
  const { cron, everySeconds, until } = timing;
  if (cron === null && everySeconds === null) return [];
  const times =
    cron === null
      ? Array.from({ length: count }, (_, at) => new Date(after.getTime() + (at + 1) * everySeconds! * 1_000))
      : expression(cron, timing.timeZone).nextRuns(count, after);
  return until === null ? times : times.filter((time) => time <= until);
}

/**
 * Returns which planned times are due, and the first that is not.
 *
 * @param first the first planned time that has not become due before
 * @param now at least `first`
 */
export function dueTimes(
  timing: Timing,
  { first, now, missed }: { first: Date; now: Date; missed: Missed },
): { due: Date[]; next: Date | null } {
  const passed = passedTimes(timing, first, now);
  const late = passed.filter((time) => now.getTime() - time.getTime() > LATE_MS);
  const kept = { all: late, once: late.slice(-1), none: [] }[missed];
  const [next] = nextTimes(timing, timing.cron === null ? passed.at(-1)! : now, 1);
  return { due: [...kept, ...passed.slice(late.length)], next: next ?? null };
}

/** Returns the last planned times from the first to now, which is the end of the schedule if that is earlier. */
function passedTimes({ cron, everySeconds, timeZone, until }: Timing, first: Date, now: Date): Date[] {
  const end = until !== null && until < now ? until : now;
  if (cron === null) {
    const step = everySeconds! * 1_000;
    const count = Math.floor((end.getTime() - first.getTime()) / step) + 1;
    const skipped = Math.max(0, count - MAX_MADE_UP);
    return Array.from(
      { length: count - skipped },
      (_, at) => new Date(first.getTime() + (skipped + at) * step),
    );
  }
  const planned = expression(cron, timeZone);
  const following = planned.nextRuns(FEW, first);
  if (following.length < FEW || following.at(-1)! > end)
    return [first, ...following].filter((time) => time <= end);
  // Croner searches before a time, so the end itself is found from a millisecond later.
  return planned
    .previousRuns(MAX_MADE_UP, new Date(end.getTime() + 1))
    .filter((time) => time >= first)
    .reverse();
}

const expression = (cron: string, timezone: string) =>
  new Cron(cron, { mode: '5-part', timezone, paused: true });
