import type { RunnerServices } from '#kit/graph/ports.js';
import type { AgentRunnerSettings } from '#config/settings.js';
import { ArticleDefinition } from '#article/graph/definition.js';
import { BookDefinition } from '#book/graph/definition.js';
import { DocumentDefinition } from '#document/graph/definition.js';
import { PlanDefinition } from '#plan/graph/definition.js';
import type { Database } from '#db/client.js';
import type { GraphDefinition } from '#engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';
import { articleServices } from '#article/ports/services.js';
import type { EmbeddingServices } from '#knowledge/ports/embedding-services.js';
import { bookServices } from '#book/ports/services.js';
import { planServices } from '#plan/ports/services.js';

/** Dependencies of the ports that belong to single kinds. */
export interface PortDependencies {
  db: Database;
  store: ObjectStore;
  settings: AgentRunnerSettings;
  /** Undefined without an embedding endpoint. */
  meaning: EmbeddingServices | undefined;
}

type Define = (services: RunnerServices, outside: PortDependencies) => GraphDefinition;

/** Kinds that this runner serves, one line each. Ports used by only one kind are created here. */
export const definitions: Record<string, Define> = {
  document: (services) => new DocumentDefinition(services),
  book: (services, outside) => new BookDefinition(services, bookServices(outside, services.inThread)),
  plan: (services, { db, store }) => new PlanDefinition(services, planServices(db, store)),
  article: (services, outside) =>
    new ArticleDefinition(services, articleServices(outside, services.inThread)),
};

/** Returns whether this runner serves runs of the kind. */
export const isServed = (kind: string): boolean => kind in definitions;

export function servedKinds(
  services: RunnerServices,
  outside: PortDependencies,
): ReadonlyMap<string, GraphDefinition> {
  return new Map(Object.entries(definitions).map(([kind, define]) => [kind, define(services, outside)]));
}
