import type { Detail } from '#contracts/phrases/detail.js';
import { failureState } from '#kit/graph/failure-state.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { Finding } from '#contracts/findings.js';
import { NO_RECOVERY, type ModelRecovery } from '#kit/graph/model-recovery.js';
import type { NodeFunction } from '#kit/graph/node.js';
import { kept, last, runChannels } from '#kit/graph/run-state.js';
import { Annotation } from '@langchain/langgraph';
import type { ChangeInputs } from '../contract.js';
import type { ChangedLedger, Proposal } from '../contract/schemas.js';
import type { TaskInput } from '#catalogue/tasks.js';
import type { RunEvents } from '#engine/kind.js';
import type { RunModel } from '#kit/graph/ports.js';
import type { ChangeRules } from './rules.js';

export const ChangeStateAnnotation = Annotation.Root({
  session_id: last<string>(),
  inputs: last<ChangeInputs>(),
  /** Set by propose_change: the proposed words. Null before. */
  replacement: kept<string | null>(() => null),
  note: kept<string | null>(() => null),
  findings: kept<Finding[]>(() => []),
  /** Set by propose_change, for a document. */
  candidate: kept<Candidate | null>(() => null),
  /** Set by validate_change. */
  ledger: kept<ChangedLedger | null>(() => null),
  ledger_key: kept<string | null>(() => null),
  /** Set by save_proposal. */
  proposal_key: kept<string | null>(() => null),
  status: kept<'running' | 'completed' | 'rejected' | 'failed'>(() => 'running'),
  ...runChannels(),
  budget_shortfall: kept<BudgetShortfall | null>(() => null),
  model_recovery: kept<ModelRecovery>(() => NO_RECOVERY),
});
export type ChangeState = typeof ChangeStateAnnotation.State;
export type ChangeUpdate = typeof ChangeStateAnnotation.Update;
export type ChangeNodeFunction = NodeFunction<ChangeState, ChangeUpdate>;

export const failed = (code: string, detail: Detail): ChangeUpdate => ({
  status: 'failed',
  ...failureState(code, detail),
});

/** A changed manuscript that is stored but not yet the document's. */
interface Candidate {
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
  /** Stores a proposal, also among the session's proposals; returns its object key. */
  keep(proposal: Proposal): Promise<string>;
}
