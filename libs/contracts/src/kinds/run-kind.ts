import { z } from 'zod';
import { decisionOptionsSchema } from '../decision-options.js';
import type { DecisionRequest } from '../decisions.js';
import type { QueueName } from '../queues.js';

/** What a graph node may ask another worker to do. Input carries ids, names and object keys, never content. */
export interface TaskDefinition {
  queue: QueueName;
  input: z.ZodType;
  output: z.ZodType;
  /**
   * Milliseconds after which an attempt counts as failed, whatever the machine does: longer than the limits of its computations are
   * stretched on a busy one.
   */
  timeoutMs: number;
  /** Attempts before the task has failed for good. */
  attempts: number;
}

/** A question that a run can put to a person. */
export interface QuestionDefinition {
  /** What `details` of the request holds; nothing when left out. */
  details?: z.ZodObject;
  /** The schema that an answer has to fit, which may follow from the request. */
  answer: (request: DecisionRequest) => z.ZodObject;
  /** An early answer may be given for one of its references alone. */
  byReference?: boolean;
}

/** Something a run leaves in its session under a name: a file that a client downloads. */
export interface ResultDefinition {
  mediaType: string;
  fileName: string;
  description: string;
}

export const DEFAULT_WAIT_SECONDS = 480;

/** The contract of a kind of run: everything that crosses a process or reaches a client. */
export interface RunKind {
  /** As `kind` of a run on the wire; snake_case. */
  kind: string;
  /** What a run can be asked for; the first is the default. Empty: its runs have no mode. */
  modes: readonly string[];
  /** What whoever starts a run can tell it; strict. `decisions` comes by itself. */
  inputs: z.ZodObject;
  /** Whether its runs need input files in their session. */
  needsFiles: boolean;
  /** The style collections that a run needs texts in (all of the tenant when absent), and what to do without any. Null: it needs none. */
  needsStyle?: (
    mode: string | null,
    inputs: Record<string, unknown>,
  ) => { collections?: string[]; advice: string } | null;
  /** Whether its runs are of projects: a run that names a project is of this kind unless it says otherwise. */
  ofProjects?: boolean;
  /** Seconds that whoever asked for the result waits for a run of a mode; `DEFAULT_WAIT_SECONDS` when left out. */
  waitSeconds?: (mode: string | null) => number;
  tasks: Record<string, TaskDefinition>;
  questions: Record<string, QuestionDefinition>;
  /** Events of its own by name, each with a sentence for the API's reference. */
  events: Record<string, string>;
  /** `progress.details` of its runs. */
  progress: z.ZodObject;
  results: Record<string, ResultDefinition>;
}

const commonInputs = { decisions: decisionOptionsSchema.optional() };
type WithDecisions<I extends z.ZodObject> = z.ZodObject<I['shape'] & typeof commonInputs, z.core.$strict>;

/** Defines a kind of run; its inputs take `decisions` besides its own. */
export function defineRunKind<const K extends RunKind>(
  kind: K,
): Omit<K, 'inputs'> & { inputs: WithDecisions<K['inputs']> } {
  const inputs = kind.inputs.extend(commonInputs).strict();
  return { ...kind, inputs: inputs as WithDecisions<K['inputs']> };
}
