import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { ProposalRepository, proposedWords } from '#db/repositories/proposals.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import type { RunnerDependencies } from '#kit/runner/feature.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import { sha256 } from '#contracts/sha256.js';
import { sessionKey } from '#storage/session-keys.js';
import { tasks, type TaskInput } from '#catalogue/tasks.js';
import { replaceSpan } from '#writing/selection.js';
import { changeKind } from '../contract.js';
import type { ChangeServices } from '../graph/definition.js';

/** Creates the services that a change needs from outside its graph. */
export function changeServices({ db, store }: RunnerDependencies): ChangeServices {
  return (run) => {
    const { tenantId, sessionId } = run;
    const manuscripts = new ManuscriptStore(store, tenantId, sessionId);
    const { base, span, replacement, target, ...around } = changeKind.inputs.parse(run.inputs);
    const current = async () => {
      const result = await new SessionResultRepository(db).find(
        tenantId,
        sessionId,
        'manuscript',
        'document',
      );
      const text = result ? await manuscripts.read(result.objectKey) : '';
      if (!result || sha256(text) !== base)
        throw new RunFailure('changed_meanwhile', phrase('run_error.changed_meanwhile'));
      return { text, runId: result.runId };
    };
    return {
      async candidate(replacement) {
        const { text, runId } = await current();
        const { pointer } = await manuscripts.replace(replaceSpan(text, span, replacement));
        return { manuscript_key: pointer, validation: await validationOf(db, run, runId, pointer) };
      },
      async fixedWords(manuscriptKey) {
        const { text } = await current();
        const fixed = await manuscripts.read(manuscriptKey);
        const [head, tail] = [text.slice(0, span.start), text.slice(span.end)];
        const isInside =
          fixed.length >= head.length + tail.length && fixed.startsWith(head) && fixed.endsWith(tail);
        return isInside ? fixed.slice(head.length, fixed.length - tail.length) : null;
      },
      async keep(proposal) {
        const { before, after, note: reason, findings: evidence } = proposal;
        const words = proposedWords({ before, after, start: span.start }, around);
        const of = { tenantId, runId: run.id };
        await new ProposalRepository(db).add(
          [
            {
              ...of,
              sessionId,
              ...(target.kind === 'chapter' && { chapterId: target.chapter_id }),
              number: 1,
              origin: replacement === undefined ? 'model' : 'reviewer',
              ...words,
              reason,
              evidence,
            },
          ],
          { ...of, from: 1 },
        );
        const json = JSON.stringify(proposal);
        const key = sessionKey(
          tenantId,
          sessionId,
          'results',
          `proposal-${sha256(`${run.id}\n${json}`)}.json`,
        );
        await store.put(key, Buffer.from(json), { contentType: 'application/json; charset=utf-8' });
        return key;
      },
    };
  };
}

/**
 * Returns the input that validates a changed manuscript like the last validation of its document; null if it
 * was never validated.
 */
async function validationOf(
  db: Database,
  { tenantId }: HeldRun,
  documentRunId: string,
  manuscript: string,
): Promise<TaskInput<'validate_md'> | null> {
  const task = await db.task.findFirst({
    where: { tenantId, runId: documentRunId, name: 'validate_md', status: 'completed' },
    orderBy: [{ completedAt: 'desc' }, { id: 'desc' }],
    select: { input: true },
  });
  if (!task) return null;
  const { since: _, ...input } = tasks.validate_md.input.parse(task.input) as TaskInput<'validate_md'>;
  return { ...input, manuscript };
}
