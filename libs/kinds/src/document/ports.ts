import type { BudgetShortfall } from '#contracts/budgets.js';
import type { OutlineEntry } from '#contracts/document-state.js';
import type { NewRunEvent } from '#contracts/events.js';
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

/** Immutable versions of the manuscript; every change makes a new pointer (design: manuscripts). */
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

/** One call of the chat model. The port streams tokens to the run's events and keeps the usage. */
export interface ModelPort {
  /** @throws BudgetExceededError */
  call(request: {
    messages: BaseMessage[];
    tools: StructuredToolInterface[];
    signal?: AbortSignal;
    /** Names the step, so that its usage is counted once. */
    effectKey: string;
  }): Promise<AIMessage>;
  /** Sets the run's own budget; setting it twice to the same amount changes nothing. */
  setBudget(unit: BudgetShortfall['unit'], amount: number): Promise<void>;
}

/** Limits and policies of a document run; who sets them is the operator, or the run's own inputs. */
export interface DocumentSettings {
  policy: 'verbatim' | 'narrative';
  title: string | null;
  language: string | null;
  author: string;
  sourceAppendix: boolean;
  decisionDeadlineSeconds: number;
  /** Model calls a run may make before it ends with `step_limit` (D25). */
  maxAgentSteps: number;
  systemPrompt: string;
}

/** Everything the document graph needs from outside (graphs are pure: I/O comes in here). */
export interface DocumentPorts {
  inputs: InputPort;
  manuscripts: ManuscriptPort;
  checkpoints: CheckpointPort;
  model: ModelPort;
  emit(event: NewRunEvent): void;
  settings: DocumentSettings;
}
