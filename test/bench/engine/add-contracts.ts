/** Adds the contracts of the engine's benchmark. Load it before the catalogues, which are assembled once from the contracts. */
import { productKinds } from '#catalogue/registry.js';
import { defineRunKind } from '#contracts/run-kind.js';
import { z } from 'zod';
import { benchGraphs } from './graphs.js';

for (const kind of benchGraphs.keys()) {
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
}
