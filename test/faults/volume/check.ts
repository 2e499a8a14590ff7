import type { Database } from '#db/client.js';
import { Findings, type Finding } from '../findings.js';
import type { Driven } from './drive.js';
import { ANSWERS, CALLS, expectedWords } from './graphs.js';

/** Compares the result of a run with the expected one: the end, each word once, each event once, the given answer. */
export async function checkVolumeRun(db: Database, { runId, kind, accepted }: Driven): Promise<Finding[]> {
  const findings = new Findings(runId);
  const run = await db.run.findFirstOrThrow({ where: { id: runId } });
  findings.expect(run.status === 'completed', 'lost', `is ${run.status}: ${JSON.stringify(run.error)}`);
  if (run.status !== 'completed') return findings.all;
  const tasks = await db.task.findMany({ where: { runId } });
  const question = tasks.find(({ name }) => name === 'human_input');
  const answer = question ? String((question.output as { text?: unknown }).text) : null;
  if (kind === 'ask') {
    findings.expect(
      ANSWERS.some((given) => given === answer),
      'answered by accident',
      `was answered "${answer}"`,
    );
    findings.expect(accepted.length <= 1, 'doubled', `took ${accepted.length} answers`);
    findings.expect(
      accepted.every((text) => text === answer),
      'altered',
      `took "${accepted[0]}", went on with "${answer}"`,
    );
  }
  const { words } = (run.summary as { details: { words: string[] } }).details;
  const expected = expectedWords(kind, answer);
  const isSame = JSON.stringify(words) === JSON.stringify(expected);
  findings.expect(isSame, words.length > expected.length ? 'doubled' : 'altered', `wrote ${words.join(' ')}`);
  const open = tasks.filter(({ status }) => status !== 'completed');
  findings.expect(open.length === 0, 'lost', `left ${open.length} tasks`);
  const events = await db.runEvent.findMany({ where: { runId }, orderBy: { seq: 'asc' } });
  findings.expect(
    events.every(({ seq }, index) => seq === index + 1),
    'altered',
    'has a gap in its events',
  );
  const nodes = events.filter(({ type }) => type === 'node_complete').length;
  findings.expect(
    nodes === CALLS[kind].length,
    nodes > CALLS[kind].length ? 'doubled' : 'lost',
    `told of ${nodes} nodes`,
  );
  findings.expect(events.filter(({ type }) => type === 'done').length === 1, 'doubled', 'has not one end');
  return findings.all;
}

/** Returns the repeated calls as a share of the necessary ones. */
export async function repeatedCalls(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<{ made: number; needed: number }[]>`
    SELECT count(*)::int AS made, count(DISTINCT (run_id, node))::int AS needed FROM volume_calls`;
  return row!.needed === 0 ? 0 : (row!.made - row!.needed) / row!.needed;
}
