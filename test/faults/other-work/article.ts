import type { RunProgress } from '#contracts/runs.js';
import { randomUUID } from 'node:crypto';
import type { Findings } from '../findings.js';
import { checkRunLog, runEnded, send, untilThere, type OtherWork, type WorkPlace } from './other-work.js';

const SOURCE = '# Nets\n\nNets are mended in winter. Each net has 400 knots.\n';
const HANDED_BACK = '# Nets\n\nWritten by a person, and kept as it is.\n';
/** A person's answers in turn: one rejection, then an edited text. */
const ANSWERS = [
  { action: 'approve', headings: [{ level: 2, title: 'Knots of a net' }] },
  { action: 'reject', feedback: 'Say it in other words.' },
  { action: 'edit', text: HANDED_BACK },
];

/**
 * An article that a person rejects once and then edits: each answer is applied once, and the log contains the article
 * once.
 */
export const articleWork: OtherWork = {
  name: 'article',
  async drive(place) {
    const made = await send(place, 'POST', '/api/knowledge/collections', {
      name: 'nets',
      purpose: 'knowledge',
    });
    const collection = String(made.json.id);
    await send(place, 'POST', `/api/knowledge/collections/${collection}/sources`, {
      name: 'nets',
      text: SOURCE,
    });
    const session = String((await send(place, 'POST', '/api/sessions', {})).json.id);
    const topic = `How nets are mended ${randomUUID()}`;
    const inputs = { topic, collections: [collection], allow_duplicate: true };
    const body = { session_id: session, kind: 'article', mode: 'author', inputs };
    const id = String((await send(place, 'POST', '/api/agents/runs', body)).json.id);
    const answered = new Set<string>();
    for (const answer of ANSWERS) await answerNext(place, id, answer, answered);
    await runEnded(place, id);
    return { id, check: (findings) => checkArticle(place, id, session, findings) };
  },
};

/** Answers the open question, once it differs from the previous ones. */
async function answerNext(
  place: WorkPlace,
  runId: string,
  answer: object,
  answered: Set<string>,
): Promise<void> {
  const openIn = (json: Record<string, unknown>) =>
    ((json['items'] ?? []) as { id: string }[]).find(({ id }) => !answered.has(id));
  const path = `/api/decisions?run_id=${runId}`;
  const { json } = await untilThere(place, path, (response) => openIn(response.json) !== undefined);
  const { id } = openIn(json)!;
  await send(place, 'POST', `/api/decisions/${id}/answer`, answer);
  answered.add(id);
}

async function checkArticle(
  place: WorkPlace,
  runId: string,
  sessionId: string,
  findings: Findings,
): Promise<void> {
  const { db } = place;
  await checkRunLog(db, runId, findings);
  const run = await db.run.findUniqueOrThrow({ where: { id: runId } });
  const { iteration_count: rejections } = (run.summary as RunProgress).details;
  findings.expect(rejections === 1, 'doubled', `counts ${String(rejections)} rejections, not 1`);
  const questions = await db.task.count({ where: { runId, name: 'human_input' } });
  const kind = questions > ANSWERS.length ? 'doubled' : 'lost';
  findings.expect(questions === ANSWERS.length, kind, `asked ${questions} questions, not ${ANSWERS.length}`);
  const [entry, ...more] = await db.articleLogEntry.findMany({ where: { runId } });
  findings.expect(entry !== undefined && more.length === 0, entry ? 'doubled' : 'lost', 'is not logged once');
  const topics = await db.knowledgeSource.findMany({ where: { name: entry?.id ?? '' } });
  const isFindable = topics.length === 1 && topics[0]!.state === 'ready';
  findings.expect(isFindable, topics.length > 1 ? 'doubled' : 'lost', 'has a topic that cannot be found');
  const saved = await db.runEvent.count({ where: { runId, type: 'article_saved' } });
  findings.expect(saved === 1, 'doubled', `told ${saved} times that it was saved`);
  const path = `/api/sessions/${sessionId}/results/article/article`;
  const { text } = await untilThere(place, path, () => true);
  findings.expect(text === HANDED_BACK, 'altered', 'is not the text that was handed back');
}
