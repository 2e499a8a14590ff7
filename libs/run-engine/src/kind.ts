/**
 * What the engine, the gateway and the CLI know of a kind of run, and nothing else. A kind implements it in `libs/kinds`; this
 * file is all that a kind sees of the engine.
 */
import type { DecisionRequest } from '#contracts/decisions.js';
import type { NewRunEvent } from '#contracts/events.js';
import type { RunError, RunProgress, RunStatus } from '#contracts/runs.js';
import type { BaseMessage } from '@langchain/core/messages';
import type { StateGraph } from '@langchain/langgraph';
import type { z } from 'zod';
import type { Fence } from './fence.js';

/** A claimed run, as the graphs see it. */
export interface HeldRun {
  id: string;
  tenantId: string;
  sessionId: string;
  kind: string;
  /** One of the modes of its kind; null when that has none. */
  mode: string | null;
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
  /** Of the graph that it was started with. */
  graphVersion: string;
  /** The run whose node asked for it, and the task that its end completes; null for a run that a client started. */
  parentRunId: string | null;
  parentTaskId: string | null;
  fence: Fence;
}

/** Events of a step on their way into the log; they are committed with the step. */
export interface RunEvents {
  emit(event: NewRunEvent): void;
  /** Text that a model streams; written at once, at most every 100 ms. */
  token(text: string): void;
}

/** An end that a node or a port asks for: the run fails with this error, without a retry. */
export class RunFailure extends Error {
  override readonly name: string = 'RunFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly node?: string,
  ) {
    super(message);
  }
}

/** This process cannot serve the run, another may: it is given back, and ends with this error only when no runner comes. */
export class UnsupportedRunError extends RunFailure {}

/** How a run ends: from the last state of its graph. */
export interface RunOutcome {
  status: Extract<RunStatus, 'completed' | 'failed' | 'rejected'>;
  error?: RunError;
  /** What the `done` event tells a client besides status and error, and a parent run of its child. */
  result?: Record<string, unknown>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- graphs of every kind: the engine knows no state key
export type AnyGraph = StateGraph<any, any, any, any>;
/** The state of a graph of any kind. */
export type GraphState = Record<string, unknown> & { messages?: BaseMessage[] };

/** The parts of a session that a state needs, so that a fork has them whatever the clocks say. */
export interface NeededContent {
  /** Names of inputs; the fork has no others. */
  inputs: string[];
  /** Names of assets. */
  assets: string[];
  /** Of the named checkpoint and the export that the state names, or null. */
  checkpointId: string | null;
  exportId: string | null;
}

/** How another run goes on from a state: for history, restore, fork, promote and diff. */
export interface Continuation {
  /** The keys without which nobody can go on from a state; what it parses is handed to the functions below. */
  state: z.ZodObject;
  /** Tasks whose results go along with the new run, besides the answers of people. */
  carriedTasks: readonly string[];
  /** State keys that hold prose: a text in them that looks like an object key is none. */
  prose: readonly string[];
  /** Objects that lie beside one that the state names. */
  companions(objectKey: string): string[];
  needs(state: GraphState): NeededContent;
  /** The keys that `shown` reads. */
  shownKeys: readonly string[];
  /** What the history shows of a state: the number of the part being written, and the pointer of the manuscript. */
  shown(state: GraphState): { chapter: number | null; manuscript: string | null };
}

/** What an answer resolver may use; everything is of the run's session and tenant. */
export interface AnswerContext {
  /** A file of the session, or null. */
  file(folder: 'inputs' | 'assets', name: string): Promise<SessionObject | null>;
  /** What the newest completed task of that name of the run gave, or null. */
  taskOutput(name: string): Promise<unknown>;
  /** Keeps the answer about a reference for every source of the same content (X2); null means: skip it. */
  remember(sourceSha256: string, ref: string, file: SessionObject | null): Promise<void>;
}

/** A file of a session without its place in it. */
export interface SessionObject {
  name: string;
  objectKey: string;
  size: number;
  sha256: string;
  mediaType: string;
}

/** What a kind does with the answers to one of its questions; the engine has checked them against their schema. */
export interface AnswerResolver {
  /** The answer as the run takes it; as it was given when left out. @throws ProblemError `invalid_answer` */
  resolve?(
    answer: Record<string, unknown>,
    request: DecisionRequest,
    context: AnswerContext,
  ): Promise<Record<string, unknown>>;
  /** Called once the answer counts. */
  remember?(answer: Record<string, unknown>, request: DecisionRequest, context: AnswerContext): Promise<void>;
}

/** What every process asks of a kind, without building its graph. */
export interface KindFacts {
  kind: string;
  /** Of the graph; rises with every change that a parked run could notice. */
  version: string;
  nodes: readonly string[];
  continuation: Continuation;
  /** What a client may know of a run; stored with it at every pause. */
  describe(state: GraphState): RunProgress;
  /** Object keys of what the session has now, by the names of the contract's `results`; null: nothing (any more). */
  results(state: GraphState): Record<string, string | null>;
  /** By the name of the question. */
  answerResolvers: Readonly<Record<string, AnswerResolver>>;
}

/** The kinds that this release knows, by name. */
export type KnownKinds = ReadonlyMap<string, KindFacts>;

/** The running half of a kind. The agent-runner has one for each kind that it serves. */
export interface GraphDefinition extends Pick<KindFacts, 'version' | 'describe'> {
  build(run: HeldRun, events: RunEvents, signal: AbortSignal): Promise<AnyGraph>;
  initialState(run: HeldRun): Promise<GraphState>;
  outcome(state: GraphState): RunOutcome;
  /**
   * Nodes that only read: besides what they add to the state, and events of their step, they leave nothing. The checkpoint before one is
   * committed together with the one after it, which saves a commit.
   */
  readonly readingNodes?: readonly string[];
  /** As in `KindFacts`; a kind without results leaves it out. */
  results?: KindFacts['results'];
  /** Goes through a first leg on nothing, so that the first run need not wait for code and threads. */
  warmUp?(signal: AbortSignal): Promise<unknown>;
}
