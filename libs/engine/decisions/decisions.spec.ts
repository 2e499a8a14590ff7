import { jest } from '@jest/globals';
import { type DecisionRow, DecisionRepository, EarlyAnswerRepository } from '#db/repositories/decisions.js';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { cancelRun } from '../runs/cancel.js';
import { reconcile } from '../recovery/reconcile.js';
import { answerDecision, applyDefault } from './answer.js';
import { keepEarlyAnswer } from './early-answers.js';

const graphs = {
  ask: new TinyGraph([{ kind: 'human', name: 'q' }]),
  work: new TinyGraph([
    { kind: 'remote', name: 'b' },
    { kind: 'human', name: 'q' },
  ]),
};

const isAdvanced =
  (runId: string) =>
  ({ message, fields }: { message: string; fields: object }): boolean =>
    message === 'advanced' && 'run_id' in fields && fields.run_id === runId;

describe.each(queueColumns())('X3 decisions on $name', (column) => {
  let bed: EngineBed;
  let tenant: string;
  let release: () => void;
  let released: Promise<void>;

  beforeAll(async () => {
    bed = await EngineBed.open(column);
    tenant = await bed.tenant();
    bed.runner(graphs);
    bed.workers(async (item) => {
      await released;
      return `done ${item}`;
    });
  });
  beforeEach(() => {
    released = new Promise((resolve) => (release = resolve));
  });
  afterEach(() => release());
  afterAll(() => bed.close());

  const paused = async (inputs: Record<string, unknown> = {}): Promise<DecisionRow> => {
    const runId = await bed.start(tenant, 'ask', inputs);
    // Its runner has looked for early answers by then, too.
    await until(
      `the run ${runId} is paused`,
      () => bed.log,
      (log) => log.some(isAdvanced(runId)),
    );
    return (await new DecisionRepository(bed.db).open(tenant, [runId]))[0]!;
  };
  const answer = (decision: DecisionRow, text: string, key = 'key_1') =>
    answerDecision(bed.engine, decision, { body: { text }, uploads: new Map() }, key);
  const early = (runId: string, body: Record<string, unknown>) =>
    keepEarlyAnswer(bed.engine, tenant, {
      runId,
      decisionType: 'question',
      ref: null,
      answer: body,
      answeredBy: 'key_1',
    });
  const audit = (decisionId: string) =>
    bed.db.auditEntry.findMany({ where: { tenantId: tenant, resource: decisionId } });

  it('X3 logs the key, the time, the answer and its hash once for fifty concurrent answers', async () => {
    const decision = await paused();
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => answer(decision, index % 2 === 0 ? 'yes' : 'no')),
    );
    const { output } = await bed.db.task.findUniqueOrThrow({ where: { id: decision.id } });
    const won = (output as { text: string }).text === 'yes' ? 0 : 1;
    all.forEach((result, index) => {
      expect(result.status).toBe(index % 2 === won ? 'fulfilled' : 'rejected');
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'decision_answered' });
    });
    const entries = await audit(decision.id);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ actor: 'key_1', action: 'decisionAnswered', outcome: 'done' });
    expect(entries[0]!.details).toEqual({ answer: output, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await bed.until(decision.runId, 'completed');
  });

  it('X3 applies either the default of the deadline or the answer, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const decision = await paused();
      await bed.db.task.update({
        where: { id: decision.id },
        data: { deadline: new Date(Date.now() - 1_000) },
      });
      const [byDefault, byPerson] = await Promise.allSettled([
        applyDefault(bed.engine, decision.id),
        answer(decision, 'in time'),
      ]);
      const defaulted = byDefault.status === 'fulfilled' && byDefault.value;
      expect(byPerson.status).toBe(defaulted ? 'rejected' : 'fulfilled');
      await bed.until(decision.runId, 'completed');
      expect(await bed.words(decision.runId)).toEqual(['start', defaulted ? 'q=default' : 'q=in time']);
      const [entry, ...more] = await audit(decision.id);
      expect([entry!.actor, more]).toEqual([defaulted ? 'deadline' : 'key_1', []]);
    }
  });

  it('X3 stores an early answer and applies it when its question opens', async () => {
    const runId = await bed.start(tenant, 'work');
    const kept = await early(runId, { text: 'known already' });
    expect(kept).toMatchObject({ status: 'waiting', decisionId: null });
    expect((await early(runId, { text: 'known already' })).id).toBe(kept.id);
    await expect(early(runId, { text: 'another' })).rejects.toMatchObject({ code: 'decision_answered' });
    release();
    await bed.until(runId, 'completed');
    expect(await bed.words(runId)).toEqual(['start', 'b=done b', 'q=known already']);
    const [row, ...more] = await new EarlyAnswerRepository(bed.db).list(tenant, runId);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ status: 'applied', reason: null });
    expect((await early(runId, { text: 'known already' })).id).toBe(kept.id);
    const other = await bed.start(tenant, 'ask');
    await bed.until(other, 'waiting');
    await cancelRun(bed.engine, other);
    await expect(early(other, { text: 'late' })).rejects.toMatchObject({ code: 'run_finished' });
  });

  it('X3 marks an early answer as applied in the commit that applies it, even if the process dies afterwards', async () => {
    const dies = jest.spyOn(EarlyAnswerRepository.prototype, 'settle').mockRejectedValue(new Error('died'));
    try {
      const { runId } = await paused();
      await expect(early(runId, { text: 'yes' })).rejects.toThrow('died');
      await bed.until(runId, 'completed');
      const rows = await new EarlyAnswerRepository(bed.db).list(tenant, runId);
      expect(rows).toMatchObject([{ status: 'applied', reason: null }]);
    } finally {
      dies.mockRestore();
    }
  });

  it('X3 marks an early answer as applied in the commit of its vote, whichever vote meets the quorum', async () => {
    const dies = jest.spyOn(EarlyAnswerRepository.prototype, 'settle').mockRejectedValue(new Error('died'));
    try {
      for (const isLast of [false, true]) {
        const decision = await paused({ decisions: { quorum: 2 } });
        if (isLast) await answer(decision, 'yes', 'key_2');
        await expect(early(decision.runId, { text: 'yes' })).rejects.toThrow('died');
        if (!isLast) await answer(decision, 'yes', 'key_2');
        await bed.until(decision.runId, 'completed');
        const rows = await new EarlyAnswerRepository(bed.db).list(tenant, decision.runId);
        expect(rows).toMatchObject([{ status: 'applied', decisionId: decision.id, reason: null }]);
      }
    } finally {
      dies.mockRestore();
    }
  });

  it('X3 applies an early answer to an open question at once, and fifty equal ones only once', async () => {
    const { runId } = await paused();
    const all = await Promise.all(Array.from({ length: 50 }, () => early(runId, { text: 'yes' })));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    await bed.until(runId, 'completed');
    expect(await bed.words(runId)).toEqual(['start', 'q=yes']);
  });

  it('X3 marks an early answer that does not fit as not applicable and leaves the question open', async () => {
    release();
    const runId = await bed.start(tenant, 'work');
    await early(runId, { action: 'accept' });
    const row = await until(
      'the early answer is no longer waiting',
      async () => (await new EarlyAnswerRepository(bed.db).list(tenant, runId))[0]!,
      ({ status }) => status !== 'waiting',
    );
    expect(row).toMatchObject({ status: 'not_applicable', reason: expect.stringContaining('text') });
    const [open] = await new DecisionRepository(bed.db).open(tenant, [runId]);
    expect(row.decisionId).toBe(open!.id);
    expect(await early(runId, { text: 'better' })).toMatchObject({ status: 'applied' });
    await bed.until(runId, 'completed');
  });

  it('X3 applies an early answer whose process died before applying it', async () => {
    const { runId } = await paused();
    await new EarlyAnswerRepository(bed.db).add(tenant, {
      runId,
      decisionType: 'question',
      ref: null,
      answer: { text: 'left behind' },
      answeredBy: 'key_1',
    });
    await bed.db.$executeRaw`UPDATE early_answers SET created_at = now() - interval '1 minute'`;
    await bed.db
      .$executeRaw`UPDATE tasks SET created_at = now() - interval '1 minute' WHERE run_id = ${runId}`;
    expect((await reconcile(bed.engine)).answered).toBe(1);
    await bed.until(runId, 'completed');
    expect(await bed.words(runId)).toEqual(['start', 'q=left behind']);
  });

  it('X3 completes a decision with a quorum once, however many vote at the same time', async () => {
    const decision = await paused({ decisions: { quorum: 10 } });
    expect(decision.quorum).toBe(10);
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => answer(decision, 'agreed', `key_${index}`)),
    );
    expect(all.filter(({ status }) => status === 'rejected')).toEqual([]);
    const votes = await bed.db.decisionVote.findMany({ where: { decisionId: decision.id } });
    expect(votes).toHaveLength(10);
    expect(await audit(decision.id)).toHaveLength(1);
    const events = await bed.events(decision.runId);
    expect(events.filter(({ type }) => type === 'decision_answered')).toHaveLength(1);
    await bed.until(decision.runId, 'completed');
  });

  it('X3 counts one vote per key, which the key may change until the quorum is met', async () => {
    const decision = await paused({ decisions: { quorum: 2 } });
    await answer(decision, 'yes', 'key_a');
    await answer(decision, 'yes', 'key_a');
    await answer(decision, 'no', 'key_b');
    expect((await bed.run(decision.runId)).status).toBe('waiting');
    const open = await answer(decision, 'no', 'key_a');
    expect(open.status).toBe('completed');
    expect(open.votes.map(({ apiKeyId, answer: given }) => [apiKeyId, given]).sort()).toEqual([
      ['key_a', { text: 'no' }],
      ['key_b', { text: 'no' }],
    ]);
    expect((await answer(decision, 'no', 'key_c')).status).toBe('completed');
    await expect(answer(decision, 'yes', 'key_b')).rejects.toMatchObject({ code: 'decision_answered' });
    await bed.until(decision.runId, 'completed');
    expect(await bed.words(decision.runId)).toEqual(['start', 'q=no']);
  });

  it('X3 applies the default at the deadline when the votes do not agree', async () => {
    const decision = await paused({ decisions: { quorum: 2, deadline_seconds: 1 } });
    await answer(decision, 'yes', 'key_a');
    await bed.until(decision.runId, 'completed');
    expect(await bed.words(decision.runId)).toEqual(['start', 'q=default']);
    await expect(answer(decision, 'yes', 'key_b')).rejects.toMatchObject({ code: 'decision_answered' });
  });
});
