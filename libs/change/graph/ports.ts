import type { TaskInput } from '#contracts/tasks.js';
import type { RunEvents } from '#engine/kind.js';
import type { RunModel } from '#kit/graph/ports.js';
import type { ChangeRules } from './rules.js';

/** A changed manuscript that is stored but not yet the document's. */
export interface Candidate {
  manuscript_key: string;
  /** Input of its validation; null if the manuscript was never validated. */
  validation: TaskInput<'validate_md'> | null;
}

export interface ChangePorts {
  model: RunModel;
  /** True if no model is configured. */
  offline: boolean;
  emit: RunEvents['emit'];
  settings: { decisionDeadlineSeconds: number };
  rules: ChangeRules;
  /**
   * Stores the document's manuscript with the replacement, as a version that is not shown yet.
   *
   * @throws RunFailure `changed_meanwhile` if the manuscript changed after the selection
   */
  candidate(replacement: string): Promise<Candidate>;
  /**
   * Returns the words in place of the selection after the validator's automatic fixes, and null if they changed
   * text outside of it.
   */
  fixedWords(manuscriptKey: string): Promise<string | null>;
  /** Stores a proposal; returns its object key. */
  keep(json: string): Promise<string>;
}
