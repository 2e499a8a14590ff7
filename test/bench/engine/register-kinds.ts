/** Makes the kinds of the engine's benchmark known to a gateway: `node --import` it before anything else is loaded. */
import { registerRunKind } from '#contracts/kinds/registry.js';
import { defineRunKind } from '#contracts/kinds/run-kind.js';
import { registerKindFacts } from '#kinds/registry.js';
import type { TinyGraph } from '#testing/engine/tiny-graph.js';
import { z } from 'zod';
import { benchGraphs } from './graphs.js';

for (const [kind, graph] of benchGraphs) {
  registerRunKind(
    defineRunKind({
      kind,
      modes: [],
      inputs: z.object({}),
      needsFiles: false,
      tasks: {},
      questions: {},
      events: {},
      progress: z.object({ words: z.array(z.string()) }),
      results: {},
    }),
  );
  registerKindFacts({
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
  });
}
