import type { Phrase } from './phrases/phrase.js';
import { z } from 'zod';
import { type DecisionRequest, decisionOptionsSchema } from './decision-request.js';
import type { QueueName } from './queues.js';

/**
 * Task that a graph node can delegate to a worker. The input contains IDs, names and object keys, never
 * content.
 */
export interface TaskDefinition {
  queue: QueueName;
  input: z.ZodType;
  output: z.ZodType;
  /**
   * Time limit of an attempt in ms of elapsed time. Must be longer than the limits of its computations on a
   * busy machine (`BUSY_STRETCH`).
   */
  timeoutMs: number;
  /** Number of attempts before the task fails permanently. */
  attempts: number;
  /**
   * Returns the names of the session's input files that an attempt reads; null for all. Their size counts when tenants
   * share a worker. Absent if the task reads none.
   */
  inputFiles?(input: Record<string, unknown>): readonly string[] | null;
}

/** A question that a run can put to a person. */
export interface QuestionDefinition {
  /** Schema of the request's `details`; by default they are empty. */
  details?: z.ZodObject;
  /** Returns the schema of an answer, which may depend on the request. */
  answer: (request: DecisionRequest) => z.ZodObject;
  /** Whether an early answer may be about a single reference. */
  byReference?: boolean;
}

/** File that a run stores in its session under a name, for download. */
export interface ResultDefinition {
  mediaType: string;
  fileName: string;
  description: string;
}

export const DEFAULT_WAIT_SECONDS = 480;

/** The contract of a kind of run: everything that crosses a process or reaches a client. */
export interface RunKind {
  /** Name in the API, in snake_case. */
  kind: string;
  /** Modes of a run; the first is the default. If empty, runs have no mode. */
  modes: readonly string[];
  /** Inputs of a run; strict. `decisions` is added automatically. */
  inputs: z.ZodObject;
  /** Whether its runs need input files in their session. */
  needsFiles: boolean;
  /**
   * Returns whether a run writes the session's text again. It is then refused if that would lose changes that a person
   * accepted since the text was written. Absent if runs of the kind never do.
   */
  replacesText?: (inputs: Record<string, unknown>) => boolean;
  /**
   * Returns the style collections in which a run needs texts (by default all of the tenant), with advice in case
   * they contain none. Returns null if the run needs no style.
   */
  needsStyle?: (
    mode: string | null,
    inputs: Record<string, unknown>,
  ) => { collections?: string[]; advice: Phrase } | null;
  /** Whether its runs belong to projects; it is then the default kind of a run that names a project. */
  ofProjects?: boolean;
  /** Returns how many seconds clients wait for the result of a run; by default `DEFAULT_WAIT_SECONDS`. */
  waitSeconds?: (mode: string | null) => number;
  tasks: Record<string, TaskDefinition>;
  questions: Record<string, QuestionDefinition>;
  /** Additional events by name, each with a sentence for the API's reference. */
  events: Record<string, string>;
  /** `progress.details` of its runs. */
  progress: z.ZodObject;
  results: Record<string, ResultDefinition>;
}

const commonInputs = { decisions: decisionOptionsSchema.optional() };
type WithDecisions<I extends z.ZodObject> = z.ZodObject<I['shape'] & typeof commonInputs, z.core.$strict>;

/** Defines a kind of run and adds `decisions` to its inputs. */
export function defineRunKind<const K extends RunKind>(
  kind: K,
): Omit<K, 'inputs'> & { inputs: WithDecisions<K['inputs']> } {
  const inputs = kind.inputs.extend(commonInputs).strict();
  return { ...kind, inputs: inputs as WithDecisions<K['inputs']> };
}
