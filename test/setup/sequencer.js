/**
 * The order of specs. Where jest knows how long each takes its own order holds, else, as in a fresh checkout, those that wait for
 * processes to die and come back are first, so that none of them is left to run alone at the end, and pure ones, which end in a second,
 * last.
 */
import TestSequencer from '@jest/test-sequencer';
import { relative, sep } from 'node:path';

const FIRST = ['test/faults', 'test/e2e', 'test/security', 'test', 'libs/run-engine', 'libs/embedded'];

export default class FolderSequencer extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration)) return sorted;
    return sorted
      .map((test) => ({ test, rank: rankOf(test) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ test }) => test);
  }
}

function rankOf({ path, context }) {
  const name = relative(context.config.rootDir, path).split(sep).join('/');
  const rank = FIRST.findIndex((folder) => name.startsWith(`${folder}/`));
  return rank === -1 ? FIRST.length : rank;
}
