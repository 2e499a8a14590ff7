import type { GraphDefinition } from '#engine/kind.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';

const local = (name: string) => ({ kind: 'local' as const, name });
/** Ten steps that do nothing: the cost of a run itself. */
export const TEN_STEPS = Array.from({ length: 10 }, (_, index) => `step_${index}`);

export const benchGraphs: ReadonlyMap<string, GraphDefinition> = new Map<string, GraphDefinition>([
  ['steps', new TinyGraph(TEN_STEPS.map(local))],
  ['hop', new TinyGraph([local('before'), { kind: 'remote', name: 'hop' }, local('after')])],
  ['ask', new TinyGraph([{ kind: 'human', name: 'ask' }, local('after')])],
]);
