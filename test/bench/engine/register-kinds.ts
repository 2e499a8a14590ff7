/** Registers the kinds of the engine's benchmark with a gateway; load it first (`node --import`). */
import { productKinds } from '#contracts/registry.js';
import { defineRunKind } from '#contracts/run-kind.js';
import type { KindFacts } from '#engine/kind.js';
import type { TinyGraph } from '#testing/engine/tiny-graph.js';
import { z } from 'zod';
import { features } from '../../../apps/gateway/src/features.js';
import { benchGraphs } from './graphs.js';

for (const [kind, graph] of benchGraphs) {
  const contract = defineRunKind({
    kind,
    modes: [],
    inputs: z.object({}),
    needsFiles: false,
    tasks: {},
    questions: {},
    events: {},
    progress: z.object({ words: z.array(z.string()) }),
    results: {},
  });
  Object.assign(productKinds, { [kind]: contract });
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
