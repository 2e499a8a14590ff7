import type { BudgetShortfall } from '#contracts/budgets.js';
import type { OutlineEntry } from '#contracts/manuscript.js';
import { RunFailure, type HeldRun, type RunEvents } from '#run-engine/kind.js';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';

/** One page of a text input. `next_cursor` is null on the last page. */
export interface InputPage {
  text: string;
  first_line: number;
  last_line: number;
  start: number;
  end: number;
  size: number;
  next_cursor: number | null;
}

/** Raised by a port when the model's request cannot be met; the message goes to the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** The inputs of the run's session, read only. */
export interface InputPort {
  list(): Promise<{ name: string; bytes: number }[]>;
  /** @throws ToolError when the file is missing or is not UTF-8 text */
  readPage(name: string, cursor: number): Promise<InputPage>;
}

/** What is known of a version of the manuscript without reading it. */
export interface ManuscriptVersion {
  pointer: string;
  lines: number;
  outline: OutlineEntry[];
}

/** Immutable versions of the manuscript; every change makes a new pointer. */
export interface ManuscriptPort {
  append(pointer: string | null, content: string): Promise<ManuscriptVersion & { added: number }>;
  /** @throws ToolError when the line is out of range */
  editLine(pointer: string | null, lineNumber: number, content: string): Promise<ManuscriptVersion>;
  tail(pointer: string | null, lines: number): Promise<string>;
  describe(pointer: string): Promise<ManuscriptVersion>;
}

/** Named checkpoints of the session (D11, D12, D30–D32). */
export interface CheckpointPort {
  /** Writes `{timestamp}_{label}.md`, once per effect key; returns its id. */
  create(checkpoint: {
    label: string;
    manuscript: string;
    effectKey: string;
    validated: boolean;
  }): Promise<string>;
  /** The manuscript pointer that a checkpoint holds, or null when there is none of that name. */
  restore(checkpointId: string): Promise<string | null>;
}

/** Raised by the model port when a call might exceed a budget; the call was not made (X7). */
export class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError';

  constructor(readonly shortfall: BudgetShortfall) {
    super('The call might exceed a budget.');
  }
}

/** Raised by the model port when the model gave no answer, retries included. A node that does not catch it fails the run with its code. */
export class ModelFailure extends RunFailure {
  override readonly name = 'ModelFailure';
}

/** One call of the chat model. The port streams tokens to the run's events and keeps the usage. */
export interface ModelPort {
  /** @throws BudgetExceededError; ModelFailure; the signal's reason */
  call(request: {
    messages: BaseMessage[];
    tools: StructuredToolInterface[];
    signal?: AbortSignal;
    /** Names the step, so that its usage is counted once. */
    effectKey: string;
    /** `fast` for planning and review (`OPENAI_FAST_MODEL`); `main` by default. */
    tier?: 'main' | 'fast';
  }): Promise<AIMessage>;
  /** Sets the run's own budget; setting it twice to the same amount changes nothing. */
  setBudget(unit: BudgetShortfall['unit'], amount: number): Promise<void>;
}

/** The model of a run, and how it is named in what the run writes. */
export interface RunModel extends ModelPort {
  readonly label: string;
}

/** A writer that needs no model: it does the work of its kind by rules, through the same tool calls. */
export interface OfflineWriter {
  /** How it is named wherever a model is named. */
  label: string;
  model: BaseChatModel;
}

/** What every kind finds in the session of its run. */
export interface SessionPorts {
  /** Null for a session without a title. */
  title(): Promise<string | null>;
  inputs: InputPort;
  manuscripts: ManuscriptPort;
  checkpoints: CheckpointPort;
}

/** A task in a thread took longer, or more memory, than it may. */
export class ThreadLimitError extends Error {
  override readonly name = 'ThreadLimitError';
}

/**
 * Calls the default export of a compiled module in a thread, within limits of time and memory; for work whose time depends on what sources
 * hold. An abort ends the thread.
 *
 * @throws ThreadLimitError; the signal's reason; what the module throws
 */
export type InThread = <T>(module: URL, input: unknown, signal?: AbortSignal) => Promise<T>;

/** What an agent-runner gives to the kinds that it serves; nothing else of the outside reaches a graph. */
export interface RunnerServices {
  settings: {
    /** Seconds until the default answer of a question applies. */
    decisionDeadlineSeconds: number;
    /** Model calls of a run, before its inputs are counted. */
    maxAgentSteps: number;
    readPageBytes: number;
  };
  inThread: InThread;
  session(run: HeldRun): SessionPorts;
  /**
   * The model that a run writes with, which is noted with the run: the installation's, or the offline writer when there is none.
   *
   * @param promptVersion of the kind's prompt
   */
  model(run: HeldRun, events: RunEvents, offline: OfflineWriter, promptVersion: string): Promise<RunModel>;
}
