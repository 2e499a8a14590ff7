import type { AgentRunnerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import type { GraphDefinition, KindFacts } from '#engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { RunnerServices } from '../graph/ports.js';

/** Resources of the agent-runner from which features create their own ports. */
export interface RunnerDependencies {
  db: Database;
  store: ObjectStore;
  settings: AgentRunnerSettings;
}

/** Parts that a feature adds to the agent-runner: a kind of run and its graph. */
export interface RunnerFeature<Dependencies extends RunnerDependencies = RunnerDependencies> {
  facts: KindFacts;
  define: (services: RunnerServices, dependencies: Dependencies) => GraphDefinition;
}
