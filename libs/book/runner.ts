import type { RunnerFeature } from '#kit/runner/feature.js';
import type { SearchDependencies } from '#knowledge/runner.js';
import { bookFacts } from './facts.js';
import { BookDefinition } from './graph/definition.js';
import { bookServices } from './ports/services.js';

/** Runs that write a book. */
export const bookRunner: RunnerFeature<SearchDependencies> = {
  facts: bookFacts,
  define: (services, dependencies) =>
    new BookDefinition(services, bookServices(dependencies, services.inThread)),
};
