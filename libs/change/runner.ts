import type { RunnerFeature } from '#kit/runner/feature.js';
import { changeFacts } from './facts.js';
import { ChangeDefinition } from './graph/definition.js';
import { changeServices } from './ports/services.js';

/** Runs that propose a change of a selection. */
export const changeRunner: RunnerFeature = {
  facts: changeFacts,
  define: (services, dependencies) => new ChangeDefinition(services, changeServices(dependencies)),
};
