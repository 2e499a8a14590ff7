/**
 * The order of specs. Where jest knows how long each takes its own order holds, else, as in a fresh checkout, those that wait for
 * processes to die and come back are first, so that none of them is left to run alone at the end, and pure ones, which end in a second,
 * last. At full depth what only full depth has is first in either case: of that, jest knows the moment in which it was skipped.
 */
import TestSequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

const FIRST = ['test/faults', 'test/e2e', 'test/security', 'test', 'libs/run-engine', 'libs/embedded'];
const AT_FULL_DEPTH_ONLY = /\bdescribeAtFullDepth\(/;

export default class FolderSequencer extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const areKnown = sorted.some(({ duration }) => duration);
    return sorted
      .map((test) => ({ test, rank: isSkippedElsewhere(test) ? -1 : areKnown ? 0 : rankOf(test) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ test }) => test);
  }
}

function isSkippedElsewhere({ path }) {
  return process.env.SCRIPTORIUM_TEST_DEPTH === 'full' && AT_FULL_DEPTH_ONLY.test(readFileSync(path, 'utf8'));
}

function rankOf({ path, context }) {
  const name = relative(context.config.rootDir, path).split(sep).join('/');
  const rank = FIRST.findIndex((folder) => name.startsWith(`${folder}/`));
  return rank === -1 ? FIRST.length : rank;
}
