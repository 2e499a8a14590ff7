/** Registers the kinds of the engine's benchmark with a gateway; load it first (`node --import`). */
// First: the API's schemas are made once, from the contracts that are there when its modules are loaded.
import './add-contracts.js';
import type { KindFacts } from '#engine/kind.js';
import type { TinyGraph } from '#testing/engine/tiny-graph.js';
import { z } from 'zod';
import { features } from '../../../apps/gateway/src/features.js';
import { benchGraphs } from './graphs.js';

for (const [kind, graph] of benchGraphs) {
  const facts: KindFacts = {
    kind,
    version: graph.version,
    nodes: (graph as TinyGraph).nodeNames,
    continuation: {
      state: z.object({ words: z.array(z.string()) }),
      carriedTasks: [],
      prose: [],
      companions: () => [],
      needs: () => ({ inputs: [], assets: [], checkpointId: null, exportId: null }),
      shownKeys: [],
      shown: () => ({ chapter: null, manuscript: null }),
    },
    describe: (state) => graph.describe(state),
    results: () => ({}),
    answerResolvers: {},
  };
  features.push({ facts, controllers: [], providers: [] });
}
