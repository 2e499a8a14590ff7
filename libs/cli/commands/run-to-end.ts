import { modelName } from '../progress/model-name.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import type { RunEvent } from '#catalogue/events.js';
import { OFFLINE_WRITER, OFFLINE_WRITER_LABEL } from '#contracts/model-facts.js';
import type { ApiClient } from '../client/api-client.js';
import { followRun } from '../client/follow-run.js';
import type { Decision } from '../answers/choices.js';
import { decide } from '../answers/decide.js';
import { readAnswers } from '../answers/given-answers.js';
import type { Progress } from '../progress/progress.js';

export type Run = Schemas['Run'];

/**
 * Follows a run until it has ended, shows its progress and answers its questions on the way.
 *
 * @param answer answers a decision; by default, asks the person at the terminal
 * @throws CliError when a decision gets no answer
 */
export async function runToEnd(
  client: ApiClient,
  runId: string,
  progress: Progress,
  signal: AbortSignal,
  answer: (decision: Decision) => Promise<Decision> = (decision) =>
    decide(client, decision, readAnswers([]), signal),
): Promise<Run> {
  const params = { path: { run_id: runId } };
  let model: string | null = null;
  for await (const event of followRun(client, runId, signal)) {
    progress.event(event);
    if (model === null && event.type !== 'run_status') {
      const { usage, ...run } = await unwrap(client.GET('/api/agents/runs/{run_id}', { params }));
      ({ model } = run);
      if (model !== null) progress.say(translate(phrase('cli.model', { model: modelName(model) })));
      const { default_max_tokens: tokens } = usage;
      const isByRules = model === OFFLINE_WRITER || model === OFFLINE_WRITER_LABEL;
      if (model !== null && !isByRules && tokens !== null)
        progress.say(translate(phrase('cli.default_budget', { tokens })));
    }
    for (const decision_id of questionsIn(event)) {
      const asked = { params: { path: { decision_id } } };
      const decision = await unwrap(client.GET('/api/decisions/{decision_id}', asked));
      if (decision.status !== 'open') continue;
      progress.pause();
      await answer(decision);
    }
  }
  progress.end();
  return unwrap(client.GET('/api/agents/runs/{run_id}', { params }));
}

/** Returns the IDs of the decisions that an event reports, of the run itself or of a child run. */
function questionsIn({ type, data }: RunEvent): string[] {
  if (type === 'decision_required') return [String(data['decision_id'])];
  const ids = type === 'child_run' ? data['decision_ids'] : [];
  return Array.isArray(ids) ? ids.map(String) : [];
}
