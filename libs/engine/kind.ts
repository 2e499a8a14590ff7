/**
 * Everything that the engine, the gateway and the CLI know about a kind of run. Each kind implements it in
 * its folder; this file is the only part of the engine that kinds import.
 */
import type { DecisionRequest } from '#catalogue/decisions.js';
import type { NeedsModel } from '#contracts/errors.js';
import type { NewRunEvent } from '#catalogue/events.js';
import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import type { Phrase } from '#contracts/phrases/render.js';
import type { RunError, RunProgress, RunStatus } from '#contracts/runs.js';
import type { BaseMessage } from '@langchain/core/messages';
import type { StateGraph } from '@langchain/langgraph';
import type { z } from 'zod';
import type { Fence } from './runs/fence.js';

/** A claimed run, as the graphs see it. */
export interface HeldRun {
  id: string;
  tenantId: string;
  sessionId: string;
  kind: string;
  /** One of its kind's modes; null if the kind has none. */
  mode: string | null;
  inputs: Record<string, unknown>;
  step: number;
  /** Crashes since a step of the run was last committed. */
  crashes: number;
  /** Runners whose event loop the run blocked since its last progress. */
  blocked: number;
  /** True if the run has no graph state yet. */
  isNew: boolean;
  /** True if the run has a place in the express lane. */
  express: boolean;
  /** W3C trace context of the request that started the run; null without tracing. */
  traceparent: string | null;
  /** Version of the graph that the run was started with. */
  graphVersion: string;
  /**
   * The run whose node started this one, and the task that its end completes; null if a client started it.
   */
  parentRunId: string | null;
  parentTaskId: string | null;
  fence: Fence;
}

/** Receiver of a step's events, which are committed with the step. */
export interface RunEvents {
  emit(event: NewRunEvent): void;
  /** Adds streamed text of a model; it is written immediately, but at most every 100 ms. */
  token(text: string, origin: TokenOrigin): void;
}

/** Node and operation that stream a text. */
export interface TokenOrigin {
  /** Node that asks the model. */
  node: string;
  /** Purpose of the model call, such as `draft_chapter`; null if the node has only one. */
  operation: string | null;
}

/** Error that ends the run as failed, without a retry. */
export class RunFailure extends Error {
  override readonly name: string = 'RunFailure';

  readonly phrase: Phrase | undefined;

  /** @param detail what happened, and what to do */
  constructor(
    readonly code: string,
    detail: Detail,
    readonly node?: string,
  ) {
    super(textOf(detail));
    this.phrase = phraseOf(detail);
  }
}

/**
 * The run is not supported by this process. It is released for another runner and fails with this error only
 * if none supports it in time.
 */
export class UnsupportedRunError extends RunFailure {}

/** End of a run, derived from the last state of its graph. */
export interface RunOutcome {
  status: Extract<RunStatus, 'completed' | 'failed' | 'rejected'>;
  error?: RunError;
  /**
   * Data in addition to status and error: the `done` event gives it to clients, a child run to its parent.
   */
  result?: Record<string, unknown>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- graphs of every kind: the engine does not know the state keys
export type AnyGraph = StateGraph<any, any, any, any>;
export type GraphState = Record<string, unknown> & { messages?: BaseMessage[] };

/** Parts of a session that a state needs: a fork copies them even if clocks differ. */
interface NeededContent {
  /** Names of inputs; the fork gets only these. */
  inputs: string[];
  /** Names of assets. */
  assets: string[];
  /** IDs of the named checkpoint and the export that the state refers to, or null. */
  checkpointId: string | null;
  exportId: string | null;
}

/**
 * The part of a kind that lets another run continue from a state: for history, restore, fork, promote and
 * diff.
 */
export interface Continuation {
  /** The state keys that are required to continue; the functions below get the parsed state. */
  state: z.ZodObject;
  /** True if its runs do not contain the state of their session, so that promoting a fork ignores them. */
  isAside?: boolean;
  /** Modes in which a run is a step towards other work, such as a suggestion. Lists of works leave them out. */
  asideModes?: readonly string[];
  /** Names of tasks, apart from decisions, whose results are copied to the new run. */
  carriedTasks: readonly string[];
  /** State keys that contain prose: text in them that looks like an object key is not one. */
  prose: readonly string[];
  /** Returns the keys of the companion objects of an object that the state refers to. */
  companions(objectKey: string): string[];
  needs(state: GraphState): NeededContent;
  /** State keys that `shown` reads. */
  shownKeys: readonly string[];
  /**
   * Returns what the history shows of a state: the number of the chapter in progress and the manuscript's
   * key.
   */
  shown(state: GraphState): { chapter: number | null; manuscript: string | null };
}

/** Data access of an answer resolver, limited to the run's session and tenant. */
export interface AnswerContext {
  tenantId: string;
  /** Returns a file of the session, or null. */
  file(folder: 'inputs' | 'assets', name: string): Promise<SessionObject | null>;
  /** Returns the output of the run's newest completed task of that name, or null. */
  taskOutput(name: string): Promise<unknown>;
  /** Stores the answer about a reference for every source with the same content (X2); null means skip. */
  remember(sourceSha256: string, ref: string, file: SessionObject | null): Promise<void>;
}

/** File of a session, without its folder. */
interface SessionObject {
  name: string;
  objectKey: string;
  size: number;
  sha256: string;
  mediaType: string;
}

/**
 * Handler of the answers to a decision of a kind; the engine has already checked them against their schema.
 */
interface AnswerResolver {
  /**
   * Returns the answer as the run receives it; without this function it stays unchanged. @throws ProblemError
   * `invalid_answer`
   */
  resolve?(
    answer: Record<string, unknown>,
    request: DecisionRequest,
    context: AnswerContext,
  ): Promise<Record<string, unknown>>;
  /** Called once the answer is accepted. */
  remember?(answer: Record<string, unknown>, request: DecisionRequest, context: AnswerContext): Promise<void>;
}

/** The part of a kind that every process needs, without its graph. */
export interface KindFacts {
  kind: string;
  /** Graph version. Increment it if a change affects parked runs. */
  version: string;
  nodes: readonly string[];
  continuation: Continuation;
  /** Returns the run details that clients see; stored at every pause. */
  describe(state: GraphState): RunProgress;
  /**
   * Returns the object keys of the session's current results, by the contract's `results` names; null means
   * none (any more), a missing name that the results of earlier runs stay current.
   */
  results(state: GraphState): Record<string, string | null>;
  /**
   * Returns why a run with these inputs cannot be done without a model; null, as by default, if rules can do it
   * (X21).
   */
  needsModel?(mode: string | null, inputs: Record<string, unknown>): NeedsModel | null;
  /** Resolvers by decision type. */
  answerResolvers: Readonly<Record<string, AnswerResolver>>;
}

export type KnownKinds = ReadonlyMap<string, KindFacts>;

/** The executable part of a kind. The agent-runner has one per kind that it supports. */
export interface GraphDefinition extends Pick<KindFacts, 'version' | 'describe'> {
  build(run: HeldRun, events: RunEvents, signal: AbortSignal): Promise<AnyGraph>;
  initialState(run: HeldRun): Promise<GraphState>;
  outcome(state: GraphState): RunOutcome;
  /**
   * Nodes without side effects other than state updates and events. The checkpoint before such a node is
   * committed together with the one after it, which saves a commit.
   */
  readonly readingNodes?: readonly string[];
  /** Like `KindFacts.results`; omitted by a kind without results. */
  results?: KindFacts['results'];
}
