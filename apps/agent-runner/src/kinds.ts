import type { RunnerServices } from '#agent/ports.js';
import type { AgentRunnerSettings } from '#config/settings.js';
import { ArticleDefinition } from '#kinds/article/definition.js';
import { BookDefinition } from '#kinds/book/definition.js';
import { DocumentDefinition } from '#kinds/document/definition.js';
import { PlanDefinition } from '#kinds/plan/definition.js';
import type { Database } from '#db/client.js';
import type { GraphDefinition } from '#run-engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';
import { articleServices } from './ports/article-services.js';
import type { EmbeddingServices } from './ports/embedding-services.js';
import { bookServices } from './ports/book-services.js';
import { planServices } from './ports/plan-services.js';

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
