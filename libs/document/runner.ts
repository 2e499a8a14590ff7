import type { RunnerFeature } from '#kit/runner/feature.js';
import { documentFacts } from './facts.js';
import { DocumentDefinition } from './graph/definition.js';

/** Runs that write a document. */
export const documentRunner: RunnerFeature = {
  facts: documentFacts,
  define: (services) => new DocumentDefinition(services),
};
