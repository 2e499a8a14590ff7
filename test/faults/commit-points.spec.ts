import { projectRoot } from '#embedded/project-root.js';
import { COVERED_ELSEWHERE } from './commit-point-deck.js';
import { findCommitPoints } from './commit-points.js';
import { commitPointOf } from '#testing/faults/statement-names.js';

describe('X4 commit points', () => {
  it('have a name each, so that the fault harness can end a process there', async () => {
    const { names, unnamed } = await findCommitPoints(projectRoot());
    expect(unnamed).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['claim run', 'commit step', 'complete task', 'INSERT exports']),
    );
  });

  it('are all dealt out, or tell which test covers them', async () => {
    const { names } = await findCommitPoints(projectRoot());
    for (const name of Object.keys(COVERED_ELSEWHERE)) expect(names).toContain(name);
  });

  it.each([
    ['/* claim run */ WITH x AS (SELECT 1)', 'claim run'],
    ['\n    /* renew lease */ UPDATE runs', 'renew lease'],
    ['INSERT INTO "public"."exports" ("id") VALUES ($1)', 'INSERT exports'],
    ['SELECT 1 FROM runs', undefined],
  ])('are known by their statement %j', (sql, name) => expect(commitPointOf(sql)).toBe(name));
});
