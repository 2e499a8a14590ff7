import type { RunnerFeature } from '#kit/runner/feature.js';
import { textEmbedderOf } from '#knowledge/vectors/text-embedder.js';
import { planFacts } from './facts.js';
import { PlanDefinition } from './graph/definition.js';
import { planServices } from './ports/services.js';

/** Runs that execute a plan of tools. */
export const planRunner: RunnerFeature = {
  facts: planFacts,
  define: (services, { db, store, settings }) =>
    new PlanDefinition(services, planServices(db, store, textEmbedderOf(db, settings))),
};
