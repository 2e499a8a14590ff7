import type { RunnerFeature } from '#kit/runner/feature.js';
import type { SearchDependencies } from '#knowledge/runner.js';
import { articleFacts } from './facts.js';
import { ArticleDefinition } from './graph/definition.js';
import { articleServices } from './ports/services.js';

/** Runs that write an article. */
export const articleRunner: RunnerFeature<SearchDependencies> = {
  facts: articleFacts,
  define: (services, dependencies) =>
    new ArticleDefinition(services, articleServices(dependencies, services.inThread)),
};
