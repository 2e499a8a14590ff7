import { detailOf } from '#contracts/phrases/detail.js';
import { failureState } from '#kit/graph/failure-state.js';
import { askAboutModel } from '#kit/graph/ask-about-model.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { askForBudget } from '#kit/graph/budget.js';
import { failureReport } from '#kit/graph/model-recovery.js';
import { BudgetExceededError, ModelFailure } from '#kit/graph/ports.js';
import { runRemotely } from '#kit/graph/remote.js';
import { stepKey } from '#kit/graph/step.js';
import { ask } from '#kit/graph/structured.js';
import { finding } from '#writing/findings.js';
import { isAcceptable, type Proposal } from '../contract/proposal.js';
import { proposeChange, type Proposed } from '../prompts/prompts.js';
import type { ChangePorts } from './ports.js';
import { failed, type ChangeNodeFunction, type ChangeUpdate } from './state.js';

/** Number of issues of a validation that a proposal shows. */
const SHOWN_ISSUES = 20;

/** Asks the model for the words that replace the selection. Rules never do: without a model the run fails. */
export function propose(ports: ChangePorts): ChangeNodeFunction {
  return async ({ inputs, model_recovery: recovery }, config) => {
    if (ports.offline) return failed('no_model', phrase('run_error.no_model.change'));
    const operation = proposeChange(inputs);
    const tier = recovery.tier ?? operation.tier;
    let proposed: Proposed;
    try {
      proposed = await ask(ports.model, { ...operation, tier }, stepKey(config), config.signal);
    } catch (error) {
      if (error instanceof BudgetExceededError) return { budget_shortfall: error.shortfall };
      if (!(error instanceof ModelFailure)) throw error;
      if (error.code === 'model_answer_unusable') return unusable();
      const failure = failureReport(error, operation.name, tier, ports.model);
      return { model_recovery: { ...recovery, failure } };
    }
    if ('impossible' in proposed) return failed('change_impossible', proposed.impossible);
    const { replacement, note, findings } = proposed;
    const candidate = inputs.target.kind === 'document' ? await ports.candidate(replacement) : null;
    return { replacement, note, findings, candidate };
  };
}

const unusable = (): ChangeUpdate => failed('proposal_unusable', phrase('run_error.proposal_unusable'));

/** Validates the changed manuscript like a document run does, so that the ledger of an accepted change is true. */
export function validate(ports: ChangePorts): ChangeNodeFunction {
  return async ({ candidate, replacement, findings }) => {
    const outcome = runRemotely('validate_md', candidate!.validation!);
    if (!outcome.ok) return failed(outcome.error.code, detailOf(outcome.error));
    const { validation_passed, validation_issues, coverage, ledger_path, fixed_manuscript } = outcome.output;
    const ledger = {
      passed: validation_passed,
      coverage,
      issues: validation_issues.slice(0, SHOWN_ISSUES).map(({ message }) => message),
    };
    if (fixed_manuscript === null) return { ledger, ledger_key: ledger_path };
    const words = await ports.fixedWords(fixed_manuscript);
    if (words !== null)
      return {
        ledger,
        ledger_key: ledger_path,
        replacement: words,
        candidate: { ...candidate!, manuscript_key: fixed_manuscript },
      };
    const outside = finding(replacement!, [], {
      rule: 'change-outside-selection',
      severity: 'error',
      message: phrase('finding.change_outside_selection'),
      suggestion: phrase('finding.change_outside_selection.whole_paragraphs'),
    });
    return { ledger, findings: [...findings, outside] };
  };
}

/** Stores the proposal, so that people can accept or reject it after the run. */
export function save(ports: ChangePorts): ChangeNodeFunction {
  return async (state, config) => {
    const { target, base, span, instruction, selected } = state.inputs;
    const proposal: Proposal = {
      state: 'proposed',
      target,
      base,
      span,
      instruction,
      before: selected,
      after: state.replacement!,
      note: state.note,
      findings: state.findings,
      ledger: state.ledger,
      manuscript_key: state.candidate?.manuscript_key ?? null,
      ledger_key: state.ledger_key,
    };
    const proposal_key = await ports.keep(JSON.stringify(proposal));
    ports.emit({
      type: 'change_proposed',
      data: { findings: state.findings.length, acceptable: isAcceptable(proposal) },
      effectKey: `${stepKey(config)}/change_proposed`,
    });
    return { proposal_key, status: 'completed' };
  };
}

/** X7: asks a person to raise the budget or to stop the run. */
export function decideBudget(ports: ChangePorts): ChangeNodeFunction {
  return async (state) => {
    const goesOn = await askForBudget(ports, state.session_id, state.budget_shortfall!);
    const detail = phrase('run_error.budget_exceeded.unchanged');
    const stopped = { status: 'rejected' as const, ...failureState('budget_exceeded', detail) };
    return { budget_shortfall: null, ...(goesOn ? {} : stopped) };
  };
}

/** X13: asks a person what to do about a failed model; rules cannot change a text as asked. */
export function decideModel(ports: ChangePorts): ChangeNodeFunction {
  return (state) => {
    const { recovery, error } = askAboutModel(ports, state.session_id, state.model_recovery, null);
    const reason = detailOf(state.model_recovery.failure!);
    const ended = error ? failed(error.code, phrase('run_error.with_unchanged_text', { error: reason })) : {};
    return Promise.resolve({ model_recovery: recovery, ...ended });
  };
}
