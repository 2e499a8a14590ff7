import type { RunError, RunStatus } from '#contracts/runs.js';
import type { Database } from '#db/client.js';
import type { JobQueues } from '#queue/job-queues.js';
import type { BaseMessage } from '@langchain/core/messages';
import type { StateGraph } from '@langchain/langgraph';
import type { EventBuffer } from './event-buffer.js';
import type { Fence } from './fence.js';

/** The part of a logger that the engine uses. */
export interface EngineLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What every part of the engine works with. */
export interface Engine {
  db: Database;
  queues: JobQueues;
  log: EngineLogger;
}

/** A claimed run, as the graphs see it. */
export interface HeldRun {
  id: string;
  tenantId: string;
  sessionId: string;
  kind: string;
  inputs: Record<string, unknown>;
  step: number;
  /** Take-overs since a step of the run was last committed. */
  crashes: number;
  /** It has no graph state yet. */
  isNew: boolean;
  /** It has a place in the express lane. */
  express: boolean;
  /** W3C trace context of the request that started it; null without tracing. */
  traceparent: string | null;
  fence: Fence;
}

/** How a run ends: from the last state of its graph. */
export interface RunOutcome {
  status: Extract<RunStatus, 'completed' | 'failed' | 'rejected'>;
  error?: RunError;
  /** Kept with the run. */
  summary: Record<string, unknown>;
  /** What the `done` event tells a client besides status and error. */
  result?: Record<string, unknown>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- graphs of every kind: the engine knows no state key
export type AnyGraph = StateGraph<any, any, any, any>;
/** The state of a graph of any kind. */
export type GraphState = Record<string, unknown> & { messages?: BaseMessage[] };

/** One kind of run: how its graph is built and read. The agent-runner registers one for each kind it serves. */
export interface GraphDefinition {
  version: string;
  build(run: HeldRun, events: EventBuffer, signal: AbortSignal): Promise<AnyGraph>;
  initialState(run: HeldRun): Promise<GraphState>;
  outcome(state: GraphState): RunOutcome;
  /** What a client may know of a run that goes on; stored with the run at every pause. */
  summary(state: GraphState): Record<string, unknown>;
}

/** Seconds a runner holds a run without a sign of life; renewed three times as often. */
export const LEASE_SECONDS = 10;
/** Times a run may be taken over without progress before it fails: its step kills every runner. */
export const MAX_CRASHES = 8;

/** An end that a node asks for: the run fails with this error, without a retry. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly node?: string,
  ) {
    super(message);
  }
}
