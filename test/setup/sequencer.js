/**
 * The order of specs where jest does not know yet how long each takes, as in a fresh checkout: those that wait for processes to die and
 * come back first, so that none of them is left to run alone at the end, and pure ones, which end in a second, last. Within a folder, and
 * where durations are known, jest's own order holds.
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
