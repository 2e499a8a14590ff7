import { projectRoot } from '#embedded/project-root.js';
import { COVERED_ELSEWHERE, isPassed, OF_EVERY_RUN, OF_OTHERS, WORKS } from './commit-point-deck.js';
import { findCommitPoints } from './commit-points.js';
import { missed, PASSED_BY_CHANCE } from './coverage.js';
import { commitPointOf, runIdIn } from '#testing/faults/statement-names.js';

describe('X4 commit points', () => {
  it('have names, so that the fault harness can end a process there', async () => {
    const { names, unnamed } = await findCommitPoints(projectRoot());
    expect(unnamed).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['claim run', 'commit step', 'complete task', 'INSERT exports']),
    );
  });

  it('are all reached by the harness or name the test that covers them', async () => {
    const { names } = await findCommitPoints(projectRoot());
    for (const name of [...Object.keys(COVERED_ELSEWHERE), ...Object.keys(PASSED_BY_CHANCE)])
      expect(names).toContain(name);
    expect(names).toEqual(expect.arrayContaining([...OF_OTHERS, ...OF_EVERY_RUN]));
    const isDealt = (name: string) => WORKS.some((work) => isPassed(name, work));
    expect(names.filter((name) => isDealt(name) === name in COVERED_ELSEWHERE)).toEqual([]);
  });

  it('that no process reached are reported if they were active long enough', () => {
    const dealt = new Map([
      ['claim run', 10_000],
      ['pause run', 290_000],
      ['renew request', 10_000],
    ]);
    const unreached = ['claim run', 'pause run', 'finish run', 'renew request'];
    expect(missed(unreached, dealt, 0, 299_000)).toEqual([]);
    expect(missed(unreached, dealt, 0, 300_000)).toEqual([
      { kind: 'not reached', runId: null, what: expect.stringContaining('claim run') },
    ]);
  });

  it.each([
    ['/* claim run */ WITH x AS (SELECT 1)', 'claim run'],
    ['\n    /* renew lease */ UPDATE runs', 'renew lease'],
    ['INSERT INTO "public"."exports" ("id") VALUES ($1)', 'INSERT exports'],
    ['SELECT 1 FROM runs', undefined],
  ])('are recognised by their statement %j', (sql, name) => expect(commitPointOf(sql)).toBe(name));

  it.each([
    [[1, 'ten_a', 'run_7k'], 'run_7k'],
    [['cal_1', 'run_7k/1f0c:agent/call'], 'run_7k'],
    [['ses_a', null], ''],
  ])('find the run of a statement with the values %j', (values, runId) =>
    expect(runIdIn(values)).toBe(runId),
  );
});
