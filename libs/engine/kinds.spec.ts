import '#testing/tiny-kind/register.js';
import { newId } from '#contracts/ids.js';
import { DecisionRepository } from '#db/repositories/decisions.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { createObjectStore } from '#storage/create-object-store.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { createTestStorage, type TestStorage } from '#testing/storage.js';
import { TinyDefinition } from '#testing/tiny-kind/definition.js';
import { until } from '#testing/until.js';
import { cancelRun } from './runs/cancel.js';
import { answerDecision } from './decisions/answer.js';
import { forkSession } from './history/fork.js';
import { promoteFork } from './history/promote.js';
import { readHistory } from './history/read-history.js';
import { reconcile } from './recovery/reconcile.js';
import { startRun } from './runs/start.js';

const admit = () => Promise.resolve();

describe.each(queueColumns())('a kind of run that only the specs register, on $name', (column) => {
  let bed: EngineBed;
  let storage: TestStorage;
  let store: ObjectStore;
  let tenant: string;

  beforeAll(async () => {
    storage = await createTestStorage({ name: 'directory' });
    store = createObjectStore(storage.config);
    bed = await EngineBed.open(column);
    tenant = await bed.tenant();
    bed.runner({ tiny: new TinyDefinition(store) });
    bed.workers();
  });
  afterAll(async () => {
    await bed.close();
    await storage.drop();
  });

  const start = async (sessionId: string) => {
    const run = { tenantId: tenant, sessionId, kind: 'tiny', mode: 'collect', graphVersion: '1' };
    return (await startRun(bed.engine, { ...run, inputs: { word: 'a' } })).id;
  };
  const session = async () => {
    const id = newId('ses');
    await bed.db.session.create({ data: { id, tenantId: tenant } });
    return id;
  };
  const answer = async (runId: string, word: string) => {
    await bed.until(runId, 'waiting');
    const [open] = await until(
      'an open question',
      () => new DecisionRepository(bed.db).open(tenant, [runId]),
      ({ length }) => length > 0,
    );
    return answerDecision(bed.engine, open!, { body: { word }, uploads: new Map() }, 'key');
  };
  const wordsOf = async (sessionId: string) => {
    const result = await new SessionResultRepository(bed.db).find(tenant, sessionId, 'words', 'tiny');
    if (!result) return null;
    const parts: Buffer[] = [];
    for await (const part of await store.get(result.objectKey)) parts.push(part as Buffer);
    return Buffer.concat(parts).toString('utf8').split('\n');
  };

  it('completes after a task and a question, and stores its result in the session', async () => {
    const sessionId = await session();
    const runId = await start(sessionId);
    await expect(answer(runId, 'forbidden')).rejects.toThrow('invalid_answer');
    await expect(answer(runId, 'anything')).rejects.toThrow('invalid_answer');
    await answer(runId, 'a');
    const run = await bed.until(runId);
    expect(run).toMatchObject({ status: 'completed', mode: 'collect' });
    const words = ['a', 'A', 'chosen a', 'end'];
    expect(run.summary).toEqual({
      phase: 'collecting',
      label: '4 words',
      done: 4,
      total: 4,
      details: { words },
    });
    expect(await wordsOf(sessionId)).toEqual(words);
    const events = (await bed.events(runId)).map(({ type }) => String(type));
    expect(events.filter((type) => type === 'tiny_word')).toHaveLength(4);
  });

  it('can end as rejected', async () => {
    const runId = await start(await session());
    await answer(runId, 'other');
    const run = await bed.until(runId, 'rejected');
    expect(run.error).toEqual({ code: 'tiny_rejected', message: 'The other word was chosen.' });
  });

  it('X5 can be forked at every checkpoint, and each fork can be promoted', async () => {
    const sessionId = await session();
    const runId = await start(sessionId);
    await answer(runId, 'a');
    await bed.until(runId);
    const run = (await new RunRepository(bed.db).find(tenant, runId))!;
    const manuscripts = new ManuscriptStore(store, tenant, sessionId);
    const history = await readHistory(bed.engine, manuscripts, run, { take: 50 });
    expect(history.map(({ chapter }) => chapter)).toEqual([4, 3, 2, 1, 0, 0]);
    for (const { checkpoint_id: checkpointId, next } of history) {
      const fork = await forkSession(
        bed.engine,
        store,
        { tenantId: tenant, sessionId, runId, checkpointId },
        admit,
      );
      if (next.some((node) => ['__start__', 'take', 'shout', 'choose'].includes(node)))
        await answer(fork.runId, 'a');
      expect(await bed.until(fork.runId)).toMatchObject({ status: 'completed' });
      expect(await wordsOf(fork.sessionId)).toEqual(['a', 'A', 'chosen a', 'end']);
      const request = {
        tenantId: tenant,
        sessionId,
        forkSessionId: fork.sessionId,
        onConflict: 'reject' as const,
      };
      const promoted = await promoteFork(bed.engine, store, request, admit);
      expect(await bed.run(promoted)).toMatchObject({ status: 'completed', kind: 'tiny' });
      expect(await wordsOf(sessionId)).toEqual(['a', 'A', 'chosen a', 'end']);
    }
  });

  it('does not hide results of other kinds of run in the session', async () => {
    const sessionId = await session();
    const document = {
      id: newId('run'),
      tenantId: tenant,
      sessionId,
      kind: 'document',
      graphVersion: '1',
      inputs: {},
    };
    await bed.db.run.create({ data: { ...document, status: 'completed' } });
    const made = { tenantId: tenant, sessionId, kind: 'document', name: 'manuscript', runId: document.id };
    await bed.db.sessionResult.create({ data: { ...made, objectKey: 'the-manuscript' } });
    const runId = await start(sessionId);
    await answer(runId, 'a');
    await bed.until(runId);
    const results = new SessionResultRepository(bed.db);
    expect(await results.find(tenant, sessionId, 'manuscript')).toMatchObject({
      objectKey: 'the-manuscript',
    });
    expect((await results.list(tenant, sessionId)).map(({ kind, name }) => `${kind}/${name}`)).toEqual([
      'document/manuscript',
      'tiny/words',
    ]);
  });

  describe('a child run that a node starts', () => {
    const startParent = async (inputs: Record<string, unknown> = {}, budget = {}) => {
      const sessionId = await session();
      const run = { tenantId: tenant, sessionId, kind: 'tiny', mode: 'ask_child', graphVersion: '1', budget };
      const { id: runId } = await startRun(bed.engine, { ...run, inputs: { word: 'p', ...inputs } });
      return { sessionId, runId };
    };
    const childOf = (runId: string) =>
      until('a child run', () => bed.db.run.findFirst({ where: { parentRunId: runId } })).then(
        (child) => child!,
      );
    const childEvents = async (runId: string) =>
      (await bed.events(runId)).filter(({ type }) => type === 'child_run').map(({ data }) => data);

    it('runs in the same session, and its end resumes the parent', async () => {
      const { runId, sessionId } = await startParent();
      const child = await childOf(runId);
      expect(child).toMatchObject({ kind: 'tiny', mode: 'collect', inputs: { word: 'pp' }, sessionId });
      await answer(child.id, 'pp');
      await bed.until(child.id);
      await bed.until(runId);
      expect(await bed.words(runId)).toEqual(['p', 'completed: pp,PP,chosen pp,end', 'end']);
      expect(await childEvents(runId)).toMatchObject([
        { run_id: child.id, kind: 'tiny', status: 'queued' },
        { run_id: child.id, status: 'needs_answer', decision_ids: [expect.any(String)] },
        { run_id: child.id, status: 'completed' },
      ]);
    });

    it('reports to its parent that it was rejected', async () => {
      const { runId } = await startParent();
      const child = await childOf(runId);
      await answer(child.id, 'other');
      await bed.until(runId);
      expect((await bed.words(runId))[1]).toMatch(/^rejected: /);
    });

    it('that is cancelled alone fails the task of its parent, which continues', async () => {
      const { runId } = await startParent();
      const child = await childOf(runId);
      await bed.until(child.id, 'waiting');
      await cancelRun(bed.engine, child.id);
      await bed.until(runId);
      expect((await bed.words(runId))[1]).toBe('!cancelled');
    });

    it('is cancelled with its parent, after which the session accepts a new run', async () => {
      const { runId, sessionId } = await startParent();
      const child = await childOf(runId);
      await bed.until(child.id, 'waiting');
      await expect(start(sessionId)).rejects.toThrow('run_active');
      await cancelRun(bed.engine, runId);
      expect(await bed.run(child.id)).toMatchObject({ status: 'cancelled' });
      await answer(await start(sessionId), 'a');
    });

    it('can start child runs itself', async () => {
      const { runId } = await startParent({ child_mode: 'ask_child' });
      const child = await childOf(runId);
      const grandchild = await childOf(child.id);
      await answer(grandchild.id, 'pppp');
      await bed.until(runId);
      expect((await bed.words(runId))[1]).toContain('completed: pppp,PPPP');
    });

    it('gets a part of the budget of its parent, which counts as spent while it runs', async () => {
      const { runId } = await startParent({ child_tokens: 300 }, { max_tokens: 1_000 });
      const child = await childOf(runId);
      expect(child.maxTokens).toBe(300n);
      const spent = async () =>
        (await bed.db.$queryRaw<{ tokens: bigint }[]>`SELECT tokens FROM run_spending(${runId})`)[0]!.tokens;
      expect(await spent()).toBe(300n);
      await answer(child.id, 'pp');
      await bed.until(runId);
      expect(await spent()).toBe(0n);
      const whole = await startParent({}, { max_tokens: 1_000 });
      expect(await childOf(whole.runId)).toMatchObject({ maxTokens: 1_000n });
      await cancelRun(bed.engine, whole.runId);
    });

    it('X7 counts in the usage of its parent', async () => {
      const { runId } = await startParent({ child_mode: 'ask_child' });
      const child = await childOf(runId);
      const grandchild = await childOf(child.id);
      const { tenantId } = grandchild;
      const call = (id: string, inputTokens: number) => ({
        ...{ id, tenantId, runId: id, effectKey: id, model: 'stub', inputTokens, outputTokens: 1, cost: 2 },
        estimated: false,
      });
      await bed.db.modelCall.createMany({ data: [call(child.id, 10), call(grandchild.id, 5)] });
      const ids = [runId, child.id, grandchild.id];
      const usage = await new RunRepository(bed.db).usage(tenantId, ids);
      expect(ids.map((id) => usage.get(id))).toMatchObject([
        { inputTokens: 15, outputTokens: 2, modelCalls: 2, cost: 4 },
        { inputTokens: 15, outputTokens: 2, modelCalls: 2, cost: 4 },
        { inputTokens: 5, outputTokens: 1, modelCalls: 1, cost: 2 },
      ]);
      await cancelRun(bed.engine, runId);
    });

    it('X4 whose process died before it notified the parent is found by the reconciler', async () => {
      const { runId } = await startParent();
      const child = await childOf(runId);
      await bed.until(child.id, 'waiting');
      // Ended by a process that died before it updated the parent's task and jobs.
      await bed.db.$executeRaw`
        UPDATE runs SET status = 'completed', epoch = epoch + 1, event_seq = event_seq + 1, finished_at = now() - interval '2 seconds'
        WHERE id = ${child.id}`;
      const { eventSeq } = await bed.run(child.id);
      const done = { type: 'done', data: { status: 'completed', words: ['lost'] }, effectKey: 'done' };
      await bed.db.runEvent.create({ data: { runId: child.id, seq: eventSeq, ...done } });
      await reconcile(bed.engine);
      await bed.until(runId);
      expect((await bed.words(runId))[1]).toBe('completed: lost');
    });

    it('fails its parent if its kind does not accept the given mode', async () => {
      const { runId } = await startParent({ child_mode: 'no_such_mode' });
      const run = await bed.until(runId);
      expect(run.error).toMatchObject({ code: 'invalid_child_run' });
    });
  });
});
