/**
 * The fast-check of every spec: jest.config.js leads `import fc from 'fast-check'` here. Its random cases are the same in each run, so that
 * what was green stays green until something changes. `npm run test:explore` tries others, as many times as many, and says how to write
 * down one that fails.
 */
import fc from '../../node_modules/fast-check/lib/fast-check.js';

const SEED = 20_261_123;
/** What a property is tried on where it says nothing. */
const USUAL_RUNS = 100;

fc.configureGlobal({ seed: SEED });

/** So many times the cases of each property are tried, from a random seed; 0 tries the same ones as ever. */
const times = () => Number(process.env.SCRIPTORIUM_TEST_EXPLORE ?? 0);

/** As fast-check's own. @throws Error that tells the case that failed, when it was found by exploring: as an example of the property */
export function assert(property, parameters = {}) {
  if (times() === 0) return fc.assert(property, parameters);
  const numRuns = (parameters.numRuns ?? USUAL_RUNS) * times();
  const found = fc.check(property, { ...parameters, numRuns, seed: undefined });
  return property.isAsync() ? found.then(report) : report(found);
}

function report(found) {
  if (!found.failed) return;
  const example =
    found.counterexample === null
      ? ''
      : `\n\nAs the first example of this property it fails in every run:\n  examples: [${fc.stringify(found.counterexample)}]`;
  throw new Error(`${fc.defaultReportMessage(found)}${example}`, { cause: found.errorInstance });
}

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default { ...fc, assert };
