import type { GraphDefinition } from '#engine/kind.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';

const local = (name: string) => ({ kind: 'local' as const, name });
/** Ten steps that do nothing: the cost of a run itself. */
const TEN_STEPS = Array.from({ length: 10 }, (_, index) => `step_${index}`);
/** The same steps as those of the peers: each adds 200 bytes to the state. */
const words = (name: string) => ({ ...local(name), work: () => `${name} ${'x'.repeat(190)}` });

export const benchGraphs: ReadonlyMap<string, GraphDefinition> = new Map<string, GraphDefinition>([
  ['steps', new TinyGraph(TEN_STEPS.map(local))],
  ['hop', new TinyGraph([local('before'), { kind: 'remote', name: 'hop' }, local('after')])],
  ['ask', new TinyGraph([{ kind: 'human', name: 'ask' }, local('after')])],
  [
    'ten',
    new TinyGraph([
      ...TEN_STEPS.slice(0, 5).map(words),
      { kind: 'human', name: 'ask' },
      ...TEN_STEPS.slice(5).map(words),
    ]),
  ],
]);
