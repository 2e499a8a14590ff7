import '#testing/tiny-kind/register.js';
import type { TaskName } from '#catalogue/tasks.js';
import { createDatabase, type Database } from '#db/client.js';
import type { HandlerMap } from '#engine/queue/task-handler.js';
import { taskProcessor } from '#engine/tasks/task-processor.js';
import { connectJobQueues, type ConnectedQueues } from '#testing/queues.js';
import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, succeedCli } from '#testing/cli.js';
import { TestStack } from '#testing/test-stack.js';
import { WebhookReceiver } from '#testing/webhook-receiver.js';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const REGISTER = pathToFileURL(join(import.meta.dirname, 'any-kind/register.js')).href;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A kind that no file of the gateway, the engine and the CLI names, on the real system. */
describe('a kind of run that is not part of the product', () => {
  let stack: TestStack;
  let db: Database;
  let queues: ConnectedQueues;
  let tenant: ApiClient;
  let receiver: WebhookReceiver;
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    stack = await TestStack.start({
      env: {
        NODE_OPTIONS: `--import ${REGISTER}`,
        WEBHOOK_ALLOW_PRIVATE: 'true',
        TOKEN_SECRET: 'a secret of forty characters for the test',
      },
    });
    db = createDatabase(stack.database.url, 2);
    queues = await connectJobQueues(stack.database.url, { onError: () => undefined });
    const shout = { handle: ({ word }: { word: string }) => Promise.resolve({ word: word.toUpperCase() }) };
    const handlers = new Map([['tiny_shout' as TaskName, shout as never]]) as HandlerMap;
    // The stack's own converter releases the task, for which it has no handler.
    const engine = { db, queues, log: quiet, kinds: new Map() };
    queues.work('converter', taskProcessor(engine, 'converter', handlers), { concurrency: 2 });
    tenant = await stack.tenant();
    receiver = await WebhookReceiver.start();
  });
  afterAll(async () => {
    for (const close of closers) await close();
    await receiver.stop();
    await queues.close();
    await db.$disconnect();
    await stack.stop();
  });

  const session = async () => (await tenant.post('/api/sessions', {})).json.id as string;
  const start = async (sessionId: string, more: object = {}) => {
    const body = { session_id: sessionId, kind: 'tiny', inputs: { word: 'a' }, ...more };
    const { status, json } = await tenant.post('/api/agents/runs', body);
    expect(status).toBe(202);
    return json.id as string;
  };
  const answer = async (runId: string, word: string) => {
    const decision = await tenant.decision(runId);
    return tenant.post(`/api/decisions/${decision.id}/answer`, { word });
  };
  const words = async (sessionId: string) =>
    (await tenant.get(`/api/sessions/${sessionId}/results/tiny/words`)).text.split('\n');
  const WORDS = ['a', 'A', 'chosen a', 'end'];

  it('is shown by the response to its start as it was stored, and by a repeat of the request in its current state', async () => {
    const body = { session_id: await session(), kind: 'tiny', inputs: { word: 'a' }, priority: 3 };
    const key = { 'idempotency-key': 'shown' };
    const budget = { max_tokens: 1_000, max_cost: 5 };
    const { json: made } = await tenant.request('POST', '/api/agents/runs', { ...body, budget }, key);
    await tenant.decision(String(made.id));
    const { json: later } = await tenant.get(`/api/agents/runs/${String(made.id)}`);
    expect(made).toEqual({
      ...later,
      status: 'queued',
      open_decisions: [],
      progress: { phase: null, label: null, phrase: null, done: null, total: null, details: {} },
    });
    expect(made).toMatchObject({ usage: { budget, model_calls: 0 }, priority: 3 });
    expect((await tenant.post(`/api/agents/runs/${String(made.id)}/cancel`)).status).toBe(200);
  });

  it('is started, asks and is answered; its result is listed, downloaded and reported by webhooks', async () => {
    const { status } = await tenant.post('/api/webhooks', { url: receiver.url });
    expect(status).toBe(201);
    const sessionId = await session();
    const runId = await start(sessionId);
    const decision = await tenant.decision(runId);
    expect(decision).toMatchObject({
      decision_type: 'tiny_choice',
      details: { offers: ['a', 'other', 'forbidden'] },
      answer_schema: { required: ['word'], properties: { word: { enum: ['a', 'other', 'forbidden'] } } },
    });
    expect((await answer(runId, 'forbidden')).json).toMatchObject({ code: 'invalid_answer' });
    expect((await answer(runId, 'a')).status).toBe(200);
    const ended = await tenant.completed(runId);
    expect(ended).toMatchObject({ kind: 'tiny', mode: 'collect', parent_run_id: null });
    const progress = {
      phase: 'collecting',
      label: '4 words',
      phrase: null,
      done: 4,
      total: 4,
      details: { words: WORDS },
    };
    expect(ended.progress).toEqual(progress);
    const { items } = (await tenant.get(`/api/sessions/${sessionId}/results`)).json;
    expect(items).toMatchObject([{ kind: 'tiny', name: 'words', run_id: runId, file_name: 'words.txt' }]);
    expect(await words(sessionId)).toEqual(WORDS);
    await receiver.until('the event run.done', (all) =>
      all.some(({ json }) => json.type === 'run.done' && json.data.run_id === runId),
    );
  });

  it('rejects a mode and inputs that it does not support', async () => {
    const session_id = await session();
    const body = { session_id, kind: 'tiny', mode: 'fly', inputs: { title: 'x' } };
    const { status, json } = await tenant.post('/api/agents/runs', body);
    expect(status).toBe(422);
    const paths = (json.errors as { path: string }[]).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['mode', 'inputs.word']));
  });

  it('is cancelled', async () => {
    const runId = await start(await session());
    await tenant.decision(runId);
    const { json } = await tenant.post(`/api/agents/runs/${runId}/cancel`);
    expect(json.status).toBe('cancelled');
  });

  it('X5 is forked at its question, promoted, and has no manuscript to compare', async () => {
    const sessionId = await session();
    const runId = await start(sessionId);
    await answer(runId, 'a');
    await tenant.completed(runId);
    const history = (await tenant.get(`/api/agents/runs/${runId}/history`)).json.items as {
      checkpoint_id: string;
      next: string[];
    }[];
    const { checkpoint_id } = history.find(({ next }) => next.includes('choose'))!;
    const { json: fork } = await tenant.post(`/api/sessions/${sessionId}/fork`, {
      run_id: runId,
      checkpoint_id,
    });
    const forked = (fork.run as { id: string }).id;
    const forkId = (fork.session as { id: string }).id;
    await answer(forked, 'a');
    await tenant.completed(forked);
    expect(await words(forkId)).toEqual(WORDS);
    const promoted = await tenant.post(`/api/sessions/${sessionId}/promote`, { fork_session_id: forkId });
    expect(promoted.json).toMatchObject({ kind: 'tiny', status: 'completed' });
    const diff = await tenant.get(`/api/sessions/${sessionId}/diff?with=${forkId}`);
    expect(diff.json).toMatchObject({ code: 'no_manuscript' });
  });

  it('reports its child run to clients that follow the parent', async () => {
    const runId = await start(await session(), { mode: 'ask_child' });
    const told = await tenant.events(runId, ({ data }) => 'decision_ids' in data);
    const child = String(told.find(({ type }) => type === 'child_run')!.data['run_id']);
    expect((await tenant.run(child)).parent_run_id).toBe(runId);
    await answer(child, 'aa');
    await tenant.completed(runId);
  });

  it('is followed, answered and downloaded by the CLI', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'scriptorium-any-kind-'));
    const runId = await start(await session());
    const args = ['follow', runId, '-o', join(dir, 'words.docx'), '--answer', 'word=a'];
    await succeedCli(args, { cwd: dir, env: cliEnv(tenant) });
    expect((await readFile(join(dir, 'words.docx'), 'utf8')).split('\n')).toEqual(WORDS);
    await rm(dir, { recursive: true });
  });
});
