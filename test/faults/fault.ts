import type { StubFault } from '#testing/model-stub.js';
import type { TestStack } from '#testing/test-stack.js';
import type { Database } from '#db/client.js';
import type { CommitPointDeck } from './commit-point-deck.js';
import type { CommitSignals } from '#testing/faults/commit-signals.js';
import type { Chance } from './random.js';
import type { OwnServers } from './servers.js';

/** What faults act on. */
export interface Target {
  stack: TestStack;
  db: Database;
  servers: OwnServers;
  deck: CommitPointDeck;
  commits: CommitSignals;
  /** Faults of the model by number of the request. */
  modelFaults: Record<number, StubFault>;
  modelRequests: () => number;
  /** Counter for the summary. */
  count(what: Counted): void;
}

/** Counts of the summary; stops are pauses longer than the lease. */
export type Counted = 'kills' | 'stops' | 'flushes' | 'postgresRestarts' | 'redisRestarts';

export interface Fault {
  name: string;
  /** Weight of the fault in the random choice. */
  weight: number;
  /** Whether this stack supports the fault; true by default. */
  isPossible?(servers: OwnServers): boolean;
  /** Resolves when the fault is over. */
  apply(target: Target, chance: Chance): Promise<void>;
}
