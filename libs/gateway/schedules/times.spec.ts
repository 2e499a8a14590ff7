import fc from 'fast-check';
import { CronExpressionParser } from 'cron-parser';
import { atDepth } from '#testing/depth.js';
import { dueTimes, nextTimes, type Timing } from './times.js';

const timing = (cron: string, timeZone: string): Timing => ({
  cron,
  everySeconds: null,
  timeZone,
  until: null,
});
const iso = (times: Date[]) => times.map((time) => time.toISOString().replace(':00.000Z', 'Z'));
const ZONES = ['Europe/Warsaw', 'America/New_York', 'Australia/Sydney'];

describe('planned times', () => {
  it.each([
    // Europe: 29 March 2026 at 1:00 UTC, 02:00 becomes 03:00; 25 October 2026 at 1:00 UTC, 03:00 becomes 02:00.
    ['30 2 * * *', 'Europe/Warsaw', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:30Z']],
    ['30 2 * * *', 'Europe/Warsaw', '2026-10-24T12:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
    ['0 3 * * *', 'Europe/Warsaw', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T01:00Z']],
    ['0 9 * * *', 'Europe/Warsaw', '2026-03-28T07:00Z', ['2026-03-28T08:00Z', '2026-03-29T07:00Z']],
    // New York: 8 March 2026 at 7:00 UTC; 1 November 2026 at 6:00 UTC.
    ['15 2 * * *', 'America/New_York', '2026-03-07T12:00Z', ['2026-03-08T07:00Z', '2026-03-09T06:15Z']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['2026-11-01T05:30Z', '2026-11-02T06:30Z']],
    // Lord Howe changes by half an hour: 4 October 2026 at 15:30 UTC on the 3rd, 02:00 becomes 02:30.
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['2026-10-03T15:30Z', '2026-10-04T15:15Z']],
    ['0 0 31 * *', 'UTC', '2026-01-30T12:00Z', ['2026-01-31T00:00Z', '2026-03-31T00:00Z']],
  ])('%s in %s after %s', (cron, zone, after, expected) => {
    expect(iso(nextTimes(timing(cron, zone), new Date(after), 2))).toEqual(expected);
  });

  it.each(ZONES)(
    'of a year equal those of another library, except in the hours of clock changes: %s',
    (zone) => {
      const fields = fc.record({
        minute: fc.oneof(
          fc.integer({ min: 0, max: 59 }).map(String),
          fc.constantFrom('*/15', '0,30', '5-20/5'),
        ),
        hour: fc.oneof(fc.integer({ min: 4, max: 23 }).map(String), fc.constantFrom('4-20/2', '9,17')),
        day: fc.constantFrom('*', '1', '15', '*/2', '28-31'),
        month: fc.constantFrom('*', '*', '1-6', '2,10'),
      });
      fc.assert(
        fc.property(fields, ({ minute, hour, day, month }) => {
          const cron = `${minute} ${hour} ${day} ${month} *`;
          const from = new Date('2026-01-01T00:00:00Z');
          const other = CronExpressionParser.parse(cron, { currentDate: from, tz: zone });
          const own = nextTimes(timing(cron, zone), from, 200);
          expect(iso(own)).toEqual(iso(other.take(own.length).map((time) => time.toDate())));
        }),
        { numRuns: atDepth({ quick: 3, full: 100 }) },
      );
    },
  );

  it('end with the schedule', () => {
    const until = new Date('2026-01-02T09:00Z');
    const daily = { ...timing('0 9 * * *', 'UTC'), until };
    expect(iso(nextTimes(daily, new Date('2026-01-01T00:00Z'), 10))).toEqual([
      '2026-01-01T09:00Z',
      '2026-01-02T09:00Z',
    ]);
    expect(dueTimes(daily, { first: until, now: new Date('2026-01-02T09:00:30Z'), missed: 'once' })).toEqual({
      due: [until],
      next: null,
    });
  });

  it('become due once each, however often and late a gateway looks', () => {
    const schedule = fc.oneof(
      fc
        .constantFrom('* * * * *', '*/7 2-4 * * *', '30 2 * * *')
        .map((cron) => timing(cron, 'Europe/Warsaw')),
      fc
        .integer({ min: 60, max: 90_000 })
        .map((everySeconds) => ({ ...timing('', 'UTC'), cron: null, everySeconds })),
    );
    const looks = fc.array(fc.integer({ min: 1, max: 90 * 60 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        schedule,
        looks,
        fc.constantFrom('2026-03-28T20:00Z', '2026-10-24T20:00Z'),
        (given, waits, day) => {
          const start = new Date(day);
          const all: string[] = [];
          let [next]: (Date | null)[] = nextTimes(given, start, 1);
          let now = start.getTime();
          for (const seconds of waits) {
            now += seconds * 1_000;
            if (!next || next.getTime() > now) continue;
            const found = dueTimes(given, { first: next, now: new Date(now), missed: 'all' });
            all.push(...iso(found.due));
            next = found.next;
            expect(next!.getTime()).toBeGreaterThan(now);
          }
          const planned = nextTimes(given, start, all.length + 1).filter((time) => time.getTime() <= now);
          expect(all).toEqual(iso(planned));
        },
      ),
      { numRuns: atDepth({ quick: 10, full: 300 }) },
    );
  });

  it.each([
    ['once', 1],
    ['all', 47],
    ['none', 0],
  ] as const)('that were missed for two days start %s', (missed, count) => {
    const [first, now] = [new Date('2026-01-01T00:30Z'), new Date('2026-01-02T23:00Z')];
    const { due, next } = dueTimes(timing('30 * * * *', 'UTC'), { first, now, missed });
    expect(due).toHaveLength(count);
    expect(next).toEqual(new Date('2026-01-02T23:30Z'));
  });
});
