/**
 * Order of specs. If jest knows the duration of each, its own order applies. Otherwise, as in a fresh checkout, specs
 * that wait for processes come first, so that none of them is left to run alone at the end, and pure ones, which need a
 * second, last. Specs that lease one shared stack are spread out, so that only one of jest's workers waits for it.
 */
import TestSequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

const FIRST = ['test/faults', 'test/e2e', 'test/security', 'test', 'libs/engine', 'libs/embedded'];
/** Number of specs between two that lease a stack. */
const APART = 8;

export default class FolderSequencer extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isKnown = sorted.some(({ duration }) => duration);
    const ranked = isKnown
      ? sorted
      : sorted
          .map((test) => ({ test, rank: rankOf(test) }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ test }) => test);
    return withLeasesApart(ranked);
  }
}

function withLeasesApart(tests) {
  const isLeasing = ({ path }) => /\b(leasedStack|startBookStack)\(/.test(readFileSync(path, 'utf8'));
  const others = tests.filter((test) => !isLeasing(test));
  for (const [index, test] of tests.filter(isLeasing).entries()) others.splice(index * APART, 0, test);
  return others;
}

function rankOf({ path, context }) {
  const name = relative(context.config.rootDir, path).split(sep).join('/');
  const rank = FIRST.findIndex((folder) => name.startsWith(`${folder}/`));
  return rank === -1 ? FIRST.length : rank;
}
