import type { Database } from '#db/client.js';
import type { ApiClient } from '#testing/api-client.js';
import { isDeepStrictEqual } from 'node:util';
import { FINAL, type SeenRun } from './drive-run.js';
import { Findings, type Finding } from './findings.js';

/** Result of an undisturbed run, by its answer. */
export interface Undisturbed {
  answer: unknown;
  manuscript: string;
  checkpoints: number;
  modelCalls: number;
}

/** Expected results for the check of a run. */
export interface Expected {
  undisturbed: readonly Undisturbed[];
  /** Number of unusable answers of the model to this run: each costs at most one further step. */
  garbled: number;
}

/** Number of consecutive malformed answers after which a run fails. */
const GARBAGE_THAT_ENDS = 3;

/** @throws Error while a fault prevents the gateway from reading it; an error's text is not a manuscript */
async function manuscriptOf(api: ApiClient, { sessionId }: SeenRun): Promise<string> {
  const { status, text } = await api.get(`/api/sessions/${sessionId}/manuscript`);
  if (status !== 200) throw new Error(`the manuscript is answered with ${status}`);
  return text;
}

/** Returns the differences of a run after the faults from an undisturbed run; empty if there are none. */
export async function checkRun(
  db: Database,
  api: ApiClient,
  seen: SeenRun,
  expected: Expected,
): Promise<Finding[]> {
  const findings = new Findings(seen.runId);
  // A run ends as failed after this many consecutive unusable answers, as designed.
  const gaveUp = (seen.error as { code?: string } | null)?.code === 'malformed_tool_calls';
  if (seen.status === 'failed' && gaveUp && expected.garbled >= GARBAGE_THAT_ENDS) return [];
  const ends = seen.cancelled ? ['completed', 'cancelled'] : ['completed'];
  const error = JSON.stringify(seen.error ?? null);
  findings.expect(ends.includes(seen.status), 'lost', `is ${seen.status} ${error}`);
  if (!ends.includes(seen.status)) return findings.all;
  findings.expect(seen.runsStarted === 1, 'doubled', `has ${seen.runsStarted} runs in its session`);
  const sequence = seen.events.map(({ seq }) => seq);
  findings.expect(
    sequence.every((seq, index) => seq === index + 1),
    'doubled',
    `shows a client the events ${sequence.join(' ')}`,
  );
  await checkLog(db, findings, seen);
  if (seen.status === 'completed') await checkEffects(db, api, findings, seen, expected);
  return findings.all;
}

/** Checks the event log: no gap, no repetition, nothing after the end, every event sent. */
async function checkLog(db: Database, findings: Findings, seen: SeenRun): Promise<void> {
  const stored = await db.runEvent.findMany({ where: { runId: seen.runId }, orderBy: { seq: 'asc' } });
  const isGapFree = stored.every(({ seq }, index) => seq === index + 1);
  findings.expect(isGapFree, 'lost', 'has a gap in its events');
  const sent = seen.events.length;
  findings.expect(stored.length === sent, 'lost', `has ${stored.length} events, ${sent} of them sent`);
  const count = (type: string) => stored.filter((event) => event.type === type).length;
  findings.expect(count('done') === 1, 'doubled', `has ${count('done')} done events`);
  const questions = await db.task.count({ where: { runId: seen.runId, name: 'human_input' } });
  findings.expect(count('decision_required') === questions, 'doubled', 'asked a question twice');
  if (seen.status !== 'completed') return;
  findings.expect(count('decision_answered') === questions, 'doubled', 'has no or two events of an answer');
}

async function checkEffects(
  db: Database,
  api: ApiClient,
  findings: Findings,
  seen: SeenRun,
  { undisturbed, garbled }: Expected,
): Promise<void> {
  const where = { runId: seen.runId };
  const question = await db.task.findFirst({ where: { ...where, name: 'human_input' } });
  const given = question?.output ?? null;
  findings.expect(
    seen.accepted.every((answer) => isDeepStrictEqual(answer, given)),
    'answered by accident',
    `took ${JSON.stringify(seen.accepted)} and went on with ${JSON.stringify(given)}`,
  );
  const model = undisturbed.find(({ answer }) => isDeepStrictEqual(answer, given));
  if (!model || question?.completedBy === 'deadline') {
    const what = `was answered ${JSON.stringify(given)} by ${question?.completedBy}, which nobody sent`;
    return findings.expect(false, 'answered by accident', what);
  }
  const text = await manuscriptOf(api, seen);
  const lengths = `${text.length}, not ${model.manuscript.length} characters`;
  findings.expect(text === model.manuscript, 'altered', `has a manuscript of ${lengths}`);
  const counts: [string, number, number][] = [
    ['checkpoints', await db.namedCheckpoint.count({ where }), model.checkpoints],
    ['exports', await db.export.count({ where }), 1],
    ['entries in its ledger of model calls', await db.modelCall.count({ where }), agentSteps(seen)],
  ];
  for (const [name, is, wanted] of counts)
    findings.expect(is === wanted, is > wanted ? 'doubled' : 'lost', `has ${is}, not ${wanted} ${name}`);
  const extra = agentSteps(seen) - model.modelCalls;
  findings.expect(
    extra >= 0 && extra <= garbled,
    extra > 0 ? 'doubled' : 'lost',
    `made ${extra} steps with the model more than the undisturbed one, and got garbage ${garbled} times`,
  );
}

/** Returns the steps that asked the model, from the run's events; each is one call. */
const agentSteps = ({ events }: SeenRun): number =>
  events.filter(({ type, data }) => type === 'node_complete' && data.node === 'agent').length;

/**
 * Returns what changed in a run after its end, once every paused process is running again. Nothing may have been
 * written to it since, and the steps of its graph must be one chain: a fork of the chain is a step that two runners
 * committed.
 */
export async function checkAfterwards(db: Database, seen: SeenRun): Promise<Finding[]> {
  const findings = new Findings(seen.runId);
  const run = await db.run.findUniqueOrThrow({ where: { id: seen.runId } });
  if (!FINAL.includes(seen.status)) return [];
  findings.expect(run.status === seen.status, 'doubled', `became ${run.status} after it was ${seen.status}`);
  const last = await db.runEvent.findFirst({ where: { runId: seen.runId }, orderBy: { seq: 'desc' } });
  findings.expect(last?.type === 'done', 'doubled', `has ${last?.type} as its last event`);
  const heads = await db.graphCheckpoint.findMany({
    where: { threadId: seen.runId },
    select: { ns: true, parentId: true },
  });
  const parents = heads.map(({ ns, parentId }) => `${ns}/${parentId ?? ''}`);
  const forks = parents.length - new Set(parents).size;
  findings.expect(forks === 0, 'doubled', `has ${forks} steps that were committed twice`);
  return findings.all;
}

/** Reads the result of an undisturbed run. */
export async function undisturbedOf(db: Database, api: ApiClient, seen: SeenRun): Promise<Undisturbed> {
  const where = { runId: seen.runId };
  const question = await db.task.findFirst({ where: { ...where, name: 'human_input' } });
  return {
    answer: question?.output ?? null,
    manuscript: await manuscriptOf(api, seen),
    checkpoints: await db.namedCheckpoint.count({ where }),
    modelCalls: await db.modelCall.count({ where }),
  };
}
