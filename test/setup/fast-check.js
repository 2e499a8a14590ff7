/**
 * The fast-check of every spec: jest.config.js maps `import fc from 'fast-check'` to this file. Its random cases are
 * the same in each run, so that a passing test keeps passing until something changes. `npm run test:explore` tries
 * other and more cases, and explains how to record one that fails.
 */
import fc from '../../node_modules/fast-check/lib/fast-check.js';

const SEED = 20_261_123;
/** Default parameters of a property. */
const USUAL_RUNS = 100;

fc.configureGlobal({ seed: SEED });

/** Factor by which the number of cases of each property is multiplied, with a random seed; 0 uses the fixed cases. */
const times = () => Number(process.env.SCRIPTORIUM_TEST_EXPLORE ?? 0);

/**
 * Like fast-check's `assert`.
 *
 * @throws Error with the failing case of an exploration, in the form of an example for the property
 */
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
