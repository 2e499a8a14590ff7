import { questionNames } from './decisions.js';
import { runEventTypes } from './events.js';
import { tasks } from './tasks.js';
import { productKinds, runKinds } from './registry.js';

describe('the catalogue of kinds', () => {
  it('lists each kind under its own name', () => {
    expect(runKinds().map(({ kind }) => kind)).toEqual(Object.keys(productKinds));
  });

  // A name that two of them use would replace the entry of the other.
  it.each([
    ['tasks', Object.keys(tasks), ['human_input', 'run']],
    ['questions', questionNames(), ['question', 'budget_exceeded', 'model_failed']],
    ['events', runEventTypes, runEventTypes.slice(0, runEventTypes.indexOf('done') + 1)],
  ] as const)('contains the names of %s once, from one kind or from the core', (part, catalogue, core) => {
    const names = runKinds().flatMap((kind) => Object.keys(kind[part]));
    expect([...core, ...names]).toEqual(catalogue);
  });
});
