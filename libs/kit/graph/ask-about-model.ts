import { contextOf, questionOf } from '#contracts/decision-request.js';
import type { ModelChoice } from '#contracts/model-facts.js';
import { detailOf, type Detail } from '#contracts/phrases/detail.js';
import { operationPhrase } from '#contracts/phrases/parts.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { ModelRecovery } from './model-recovery.js';
import type { RunModel } from './ports.js';
import { runRemotely } from './remote.js';

const OF_ONE_ANSWER = new Set([
  'model_answer_unusable',
  'model_answer_cut',
  'model_answer_too_long',
  'model_prompt_too_long',
  'model_refused',
]);

/** Returns whether only one answer failed: the model works, so rules replace it only in that operation. */
export const isOfOneAnswer = (code: string): boolean => OF_ONE_ANSWER.has(code);

/** What rules can do instead of a model in most operations. */
export const continueByRules = phrase('question.model_failed.by_rules');

/** A person's decision about a failed model, with the state that follows from it. */
interface ModelDecision {
  action: ModelChoice;
  recovery: ModelRecovery;
  /** Error of the run if it ends. */
  error: { code: string; detail: Detail } | null;
}

interface Asking {
  model: Pick<RunModel, 'label' | 'fastLabel'>;
  settings: { decisionDeadlineSeconds: number };
}

/**
 * Asks a person what to do about a failed model: retry, use the other model, continue by rules, or end the run,
 * which is also what happens at the deadline. A node must call this first.
 *
 * @param byRules what rules can do instead, as the question offers it; null if they cannot do the operation
 */
export function askAboutModel(
  ports: Asking,
  sessionId: string,
  recovery: ModelRecovery,
  byRules: Phrase | null = continueByRules,
): ModelDecision {
  const failure = recovery.failure!;
  const { code, operation, model } = failure;
  const reason = detailOf(failure);
  const other = otherModel(ports.model, model);
  const choices: ModelChoice[] = [
    'retry',
    ...(other ? (['other_model'] as const) : []),
    ...(byRules === null ? [] : (['rules'] as const)),
    'stop',
  ];
  const outcome = runRemotely('human_input', {
    session_id: sessionId,
    decision_type: 'model_failed',
    ...questionOf(
      phrase('question.model_failed', {
        model,
        failure: reason,
        offer: offerOf(other?.label ?? null, byRules),
      }),
    ),
    references: [],
    ...contextOf([phrase('fact.failed_step', { operation: operationPhrase(operation) })]),
    details: { ...failure, other_model: other?.label ?? null, choices },
    deadline_seconds: ports.settings.decisionDeadlineSeconds,
    default_answer: { action: 'stop' },
  });
  const action = (outcome.ok ? outcome.output['action'] : 'stop') as ModelChoice;
  const next = { ...recovery, failure: null };
  switch (action) {
    case 'retry':
      return { action, recovery: next, error: null };
    case 'other_model':
      return { action, recovery: { ...next, tier: other?.tier ?? next.tier }, error: null };
    case 'rules': {
      // A question of an older release offered rules that no longer exist: the model is asked again.
      if (byRules === null) return { action: 'retry', recovery: next, error: null };
      const decided = isOfOneAnswer(code) ? { by_rules: [...next.by_rules, operation] } : { rules: true };
      return { action, recovery: { ...next, ...decided }, error: null };
    }
    default:
      return {
        action: 'stop',
        recovery: next,
        error: { code, detail: phrase('run_error.with_saved_text', { error: reason }) },
      };
  }
}

/** Returns the installation's other model; null if it has only one. */
function otherModel({ label, fastLabel }: Asking['model'], failed: string) {
  if (label === fastLabel) return null;
  return failed === fastLabel
    ? { tier: 'main' as const, label }
    : { tier: 'fast' as const, label: fastLabel };
}

function offerOf(other: string | null, rules: Phrase | null): Phrase {
  if (other !== null && rules !== null)
    return phrase('question.model_failed.other_model_or_rules', { other, rules });
  if (other !== null) return phrase('question.model_failed.other_model', { other });
  return rules === null
    ? phrase('question.model_failed.retry')
    : phrase('question.model_failed.rules', { rules });
}
