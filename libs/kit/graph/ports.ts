import type { BudgetShortfall } from '#contracts/budgets.js';
import type { ModelFailureReport } from '#contracts/model-facts.js';
import type { OutlineEntry } from '#contracts/manuscript.js';
import { RunFailure, type HeldRun, type RunEvents } from '#engine/kind.js';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { z } from 'zod';

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

/** Thrown by a port if the model's request cannot be fulfilled; the message goes to the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** The inputs of the run's session, read only. */
export interface InputPort {
  list(): Promise<{ name: string; bytes: number }[]>;
  /** @throws ToolError when the file is missing or is not UTF-8 text */
  readPage(name: string, cursor: number): Promise<InputPage>;
}

/** Properties of a manuscript version that are known without reading it. */
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
  /**
   * Replaces the lines `from` to `to`; inserts before `from` if `to` is one less.
   *
   * @throws ToolError when a line is out of range
   */
  replaceLines(pointer: string | null, from: number, to: number, content: string): Promise<ManuscriptVersion>;
  /** @throws ToolError if a line is out of range, or `after` is within the moved lines */
  moveLines(pointer: string | null, from: number, to: number, after: number): Promise<ManuscriptVersion>;
  /** Returns all lines without their line feeds. */
  lines(pointer: string | null): Promise<string[]>;
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
  /** Returns the manuscript pointer of a named checkpoint, or null if no checkpoint has that name. */
  restore(checkpointId: string): Promise<string | null>;
}

/** Thrown by the model port instead of making a call that might exceed a budget (X7). */
export class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError';

  constructor(readonly shortfall: BudgetShortfall) {
    super('The call might exceed a budget.');
  }
}

/**
 * The model cannot answer, after all retries: its call failed, or its answers are unusable. A node that asks a
 * model is wrapped so that a person is asked (X13); if the failure leaves a node, the run fails with its code.
 */
export class ModelFailure extends RunFailure {
  override readonly name = 'ModelFailure';
  /** The failed operation; set where it is known. */
  report: ModelFailureReport | null = null;
}

/** Port for calls of the chat model. It streams tokens to the run's events and stores the usage. */
export interface ModelPort {
  /** @throws BudgetExceededError, ModelFailure, or the signal's reason */
  call(request: {
    messages: BaseMessage[];
    tools: StructuredToolInterface[];
    signal?: AbortSignal;
    /** Identifies the step, so that its usage is counted once. */
    effectKey: string;
    /** `fast` for planning and review (`OPENAI_FAST_MODEL`); `main` by default. */
    tier?: 'main' | 'fast';
    /** Purpose of the call, such as `draft_chapter`; events of streamed text name it. */
    operation?: string;
    /** Schema of an answer in JSON, with the name of what is asked for; such an answer is not streamed. */
    schema?: { name: string; schema: z.ZodType } | undefined;
    /** False for an answer that is not prose: it is not streamed to the run's events. */
    isProse?: boolean;
  }): Promise<AIMessage>;
  /** Sets the run's own budget; setting it twice to the same amount changes nothing. */
  setBudget(unit: BudgetShortfall['unit'], amount: number): Promise<void>;
}

/** The model of a run, with the labels that the run's output names its models by. */
export interface RunModel extends ModelPort {
  readonly label: string;
  /** Label of the model of the tier `fast`; equal to `label` if the installation has only one model. */
  readonly fastLabel: string;
  /** Returns what the run has used so far: tokens, and their cost in millionths of the currency. */
  spent(): Promise<{ tokens: number; cost: number }>;
}

/** Stands in for the model of a kind in installations without one. */
export interface OfflineWriter {
  /** Label wherever the name of a model is shown. */
  label: string;
  model: BaseChatModel;
  /** Whether the run asked for it; else it only replaces a missing model. */
  isChosen: boolean;
}

/** Ports that every kind gets for the session of its run. */
export interface SessionPorts {
  /** Returns null if the session is untitled. */
  title(): Promise<string | null>;
  inputs: InputPort;
  manuscripts: ManuscriptPort;
  checkpoints: CheckpointPort;
}

/** A task in a thread exceeded its time or memory limit. */
export class ThreadLimitError extends Error {
  override readonly name: string = 'ThreadLimitError';
}

/**
 * Calls the default export of a compiled module in a thread, with limits of time and memory. For work whose
 * time depends on the content of sources. An abort ends the thread.
 *
 * @throws ThreadLimitError, the signal's reason, or the module's errors
 */
export type InThread = <T>(module: URL, input: unknown, signal?: AbortSignal) => Promise<T>;

/** Services that an agent-runner gives to kinds. A graph reaches nothing else outside itself. */
export interface RunnerServices {
  settings: {
    /** Seconds until the default answer of a question applies. */
    decisionDeadlineSeconds: number;
    /** Maximum number of model calls of a run, before its inputs add to it. */
    maxAgentSteps: number;
    readPageBytes: number;
  };
  inThread: InThread;
  session(run: HeldRun): SessionPorts;
  /**
   * Returns the model that a run writes with and stores it with the run: the configured model, or the offline
   * writer if no model is configured or the run asked for it.
   *
   * @param promptVersion version of the kind's prompt
   */
  model(run: HeldRun, events: RunEvents, offline: OfflineWriter, promptVersion: string): Promise<RunModel>;
  /**
   * Returns the ports that writing graphs need: the model, or a label for the rules that their nodes apply without one;
   * events and settings.
   *
   * @param offline label of the rules, and whether the run asked for them
   */
  writer(
    run: HeldRun,
    events: RunEvents,
    promptVersion: string,
    offline?: { label: string; isChosen: boolean },
  ): Promise<WriterPorts>;
}

/** Ports of writing graphs. */
interface WriterPorts {
  model: RunModel;
  /** Whether rules write instead of a model. */
  offline: boolean;
  emit: RunEvents['emit'];
  settings: { decisionDeadlineSeconds: number };
}
