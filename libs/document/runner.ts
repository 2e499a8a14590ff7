import type { RunnerFeature } from '#kit/runner/feature.js';
import { documentFacts } from './facts.js';
import { DocumentDefinition } from './graph/definition.js';
import { beforeRun } from './store/written-run.js';

/** Runs that write a document. */
export const documentRunner: RunnerFeature = {
  facts: documentFacts,
  define: (services, dependencies) => new DocumentDefinition(services, beforeRun(dependencies)),
};
