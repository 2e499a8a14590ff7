import type { RunnerServices } from '#agent/ports.js';
import { DocumentDefinition } from '#kinds/document/definition.js';
import type { GraphDefinition } from '#run-engine/kind.js';

/** The kinds that this runner serves: one line each. A port that only one kind needs is made here, too. */
const definitions: Record<string, (services: RunnerServices) => GraphDefinition> = {
  document: (services) => new DocumentDefinition(services),
};

/** Adds a kind to those that this process serves; before it starts (`node --import`). */
export function serveKind(kind: string, define: (services: RunnerServices) => GraphDefinition): void {
  definitions[kind] = define;
}

export function servedKinds(services: RunnerServices): ReadonlyMap<string, GraphDefinition> {
  return new Map(Object.entries(definitions).map(([kind, define]) => [kind, define(services)]));
}
