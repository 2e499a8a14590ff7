import type { RunnerFeature } from '#kit/runner/feature.js';
import { reviewFacts } from './facts.js';
import { ReviewDefinition } from './graph/definition.js';

/** Runs that read returned Word files. */
export const reviewRunner: RunnerFeature = { facts: reviewFacts, define: () => new ReviewDefinition() };
