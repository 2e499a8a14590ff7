import type { Database } from '#db/client.js';
import type { ApiClient } from '#testing/api-client.js';
import type { SeenRun } from './drive-run.js';

/** What an undisturbed run leaves behind, by the answer that was given. */
export interface Undisturbed {
  manuscript: string;
  checkpoints: number;
  modelCalls: number;
}

/** What is wrong with a run after the faults; empty when it ended as if nothing had happened. */
export async function checkRun(
  db: Database,
  api: ApiClient,
  seen: SeenRun,
  undisturbed: ReadonlyMap<string, Undisturbed>,
): Promise<string[]> {
  const findings: string[] = [];
  const expect = (holds: boolean, what: string) => {
    if (!holds) findings.push(`${seen.runId}: ${what}`);
  };
  expect(seen.status === 'completed', `is ${seen.status} ${JSON.stringify(seen.error ?? null)}`);
  expect(
    new Set(seen.accepted).size <= 1,
    `took different answers: ${[...new Set(seen.accepted)].join(' and ')}`,
  );
  if (seen.status !== 'completed') return findings;

  const sequence = seen.events.map(({ seq }) => seq);
  expect(
    sequence.every((seq, index) => seq === index + 1),
    `shows a client the events ${sequence.join(' ')}`,
  );
  const stored = await db.runEvent.findMany({ where: { runId: seen.runId }, orderBy: { seq: 'asc' } });
  expect(
    stored.every(({ seq }, index) => seq === index + 1),
    'has a gap in its events',
  );
  expect(stored.length === sequence.length, `has ${stored.length} events, ${sequence.length} of them sent`);
  const count = (type: string) => stored.filter((event) => event.type === type).length;
  expect(count('done') === 1, `has ${count('done')} done events`);

  const tasks = await db.task.findMany({ where: { runId: seen.runId } });
  const questions = tasks.filter(({ name }) => name === 'human_input');
  expect(count('decision_required') === questions.length, 'asked a question twice');
  expect(count('decision_answered') === questions.length, 'has a question answered by nobody or twice');
  const given = JSON.stringify(questions[0]?.output ?? null);
  const model = undisturbed.get(given);
  if (!model) return [...findings, `${seen.runId}: was answered ${given}, which nobody sent`];

  const manuscript = (await api.get(`/api/sessions/${seen.sessionId}/manuscript`)).text;
  expect(
    manuscript === model.manuscript,
    `has a manuscript of ${manuscript.length}, not ${model.manuscript.length} characters`,
  );
  const checkpoints = await db.namedCheckpoint.count({ where: { runId: seen.runId } });
  expect(checkpoints === model.checkpoints, `has ${checkpoints}, not ${model.checkpoints} checkpoints`);
  const exports = await db.export.count({ where: { runId: seen.runId } });
  expect(exports === 1, `has ${exports} exports`);
  const calls = await db.modelCall.count({ where: { runId: seen.runId } });
  expect(
    calls === model.modelCalls,
    `has ${calls}, not ${model.modelCalls} entries in its ledger of model calls`,
  );
  return findings;
}

/** Reads what an undisturbed run left behind. */
export async function undisturbedOf(
  db: Database,
  api: ApiClient,
  seen: SeenRun,
): Promise<[string, Undisturbed]> {
  const question = await db.task.findFirst({ where: { runId: seen.runId, name: 'human_input' } });
  return [
    JSON.stringify(question?.output ?? null),
    {
      manuscript: (await api.get(`/api/sessions/${seen.sessionId}/manuscript`)).text,
      checkpoints: await db.namedCheckpoint.count({ where: { runId: seen.runId } }),
      modelCalls: await db.modelCall.count({ where: { runId: seen.runId } }),
    },
  ];
}
