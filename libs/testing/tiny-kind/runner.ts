import type { RunnerFeature } from '#kit/runner/feature.js';
import { TinyDefinition } from './definition.js';
import { tinyFacts } from './facts.js';

export const tinyRunner: RunnerFeature = {
  facts: tinyFacts,
  define: (_services, { store }) => new TinyDefinition(store),
};
