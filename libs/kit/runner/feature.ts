import type { AgentRunnerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import type { GraphDefinition, KindFacts } from '#engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { RunnerServices } from '../graph/ports.js';

/** What the agent-runner has for the ports of single features. */
export interface RunnerDependencies {
  db: Database;
  store: ObjectStore;
  settings: AgentRunnerSettings;
}

/** What a feature adds to the agent-runner: a kind of run and its graph. */
export interface RunnerFeature<Dependencies extends RunnerDependencies = RunnerDependencies> {
  facts: KindFacts;
  define: (services: RunnerServices, dependencies: Dependencies) => GraphDefinition;
}
