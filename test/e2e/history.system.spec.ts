import { storeColumns } from '#testing/columns.js';
import { atDepth } from '#testing/depth.js';
import type { ApiClient, RunView } from '#testing/api-client.js';
import { type ColumnStack, columnStack } from '#testing/shared-stack.js';
import {
  forkRun,
  namesOf,
  once,
  pausedRun,
  readHistory,
  SKIP,
  USE_DASHBOARD,
  writtenRun,
} from './history-client.js';

const columns = atDepth({ quick: storeColumns().slice(0, 1), full: storeColumns() });

/** X5: a run can be taken up again at any of its checkpoints, in its own session or in a copy of it. */
describe.each(columns)('X5 history, restore, fork, diff and promote on $name', (store) => {
  let stack: ColumnStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await columnStack({ store });
    tenant = await stack.tenant();
  });
  afterAll(() => stack.stop());

  const history = (runId: string, limit?: number) => readHistory(tenant, runId, limit);
  const session = (id: string, act: string, body: unknown) => tenant.post(`/api/sessions/${id}/${act}`, body);
  const fork = (of: RunView, at: string, title?: string) => forkRun(tenant, of, at, title);
  const written = () => writtenRun(tenant);
  const writtenOnce = once(written);
  const paused = () => pausedRun(tenant);
  const names = (id: string, list: string) => namesOf(tenant, id, list);

  it('X5 lists the checkpoints of a run page by page, newest first', async () => {
    const run = await writtenOnce();
    const whole = await history(run.id);
    expect(await history(run.id, 7)).toEqual(whole);
    expect(whole.map(({ step }) => step)).toEqual(whole.map((_, index) => whole.length - 2 - index));
    expect(whole.map(({ parent_checkpoint_id }) => parent_checkpoint_id)).toEqual([
      ...whole.slice(1).map(({ checkpoint_id }) => checkpoint_id),
      null,
    ]);
    expect(whole[0]).toMatchObject({ source: 'loop', next: [], decisions: [] });
    expect(whole.at(-1)).toMatchObject({ source: 'input', next: ['__start__'], manuscript: null });
    expect(whole.at(-2)).toMatchObject({ next: ['scan_assets'], chapter: 1 });
    const text = await tenant.manuscript(run.session_id);
    expect(whole[0]!.manuscript).toMatchObject({ bytes: Buffer.byteLength(text) });
    const labels = whole.flatMap(({ label }) => label ?? []);
    expect(labels).toEqual(expect.arrayContaining(['chapter_1', 'chapter_2', 'chapter_3']));
    expect(JSON.stringify(whole)).not.toContain('tenants/');
  });

  it('X5 shows the checkpoint of each decision', async () => {
    const run = await paused();
    const decision = await tenant.decision(run.id);
    const [newest] = await history(run.id);
    expect(newest).toMatchObject({ next: ['human_input'], decisions: [decision.id] });
    await tenant.post(`/api/agents/runs/${run.id}/cancel`);
  });

  it('X5 restores: a new run of the session continues from a checkpoint and ends with the same manuscript', async () => {
    const run = await written();
    const text = await tenant.manuscript(run.session_id);
    const entries = await history(run.id);
    const middle = entries.find(({ label }) => label === 'chapter_2')!;
    const response = await session(run.session_id, 'restore', {
      run_id: run.id,
      checkpoint_id: middle.checkpoint_id,
    });
    expect(response.status).toBe(202);
    const restored = response.json as RunView;
    expect(restored).toMatchObject({
      session_id: run.session_id,
      origin: { run_id: run.id, checkpoint_id: middle.checkpoint_id },
    });
    await tenant.completed(restored.id);
    expect(await tenant.manuscript(run.session_id)).toBe(text);
    const again = await history(restored.id);
    expect(again.at(-1)).toMatchObject({
      checkpoint_id: middle.checkpoint_id,
      source: 'fork',
      parent_checkpoint_id: null,
      next: middle.next,
    });
  });

  it('X5 restores by the ID of a named checkpoint', async () => {
    const run = await written();
    const named = (await history(run.id)).find(({ label }) => label === 'chapter_1')!;
    const response = await session(run.session_id, 'restore', {
      run_id: run.id,
      checkpoint_id: named.named_checkpoint_id,
    });
    expect((response.json as RunView).origin?.checkpoint_id).toBe(named.checkpoint_id);
    await tenant.completed(String(response.json.id));
  });

  it('X5 refuses to restore during an active run, waits for it, or cancels it', async () => {
    const run = await paused();
    const [newest] = await history(run.id);
    const at = { run_id: run.id, checkpoint_id: newest!.checkpoint_id };
    const refused = await session(run.session_id, 'restore', at);
    expect([refused.status, refused.json.code]).toEqual([409, 'run_active']);

    const waiting = await session(run.session_id, 'restore', { ...at, on_conflict: 'enqueue' });
    expect([waiting.status, waiting.json.status]).toEqual([202, 'queued']);
    const restored = await session(run.session_id, 'restore', { ...at, on_conflict: 'interrupt' });
    expect(restored.status).toBe(202);
    expect((await tenant.run(run.id)).status).toBe('cancelled');
    const asked = await tenant.decision(String(restored.json.id));
    expect(asked.id).not.toBe(newest!.decisions[0]);
    expect((await session(asked.session_id, 'restore', at)).status).toBe(409);
    for (const id of [restored.json.id, waiting.json.id])
      await tenant.post(`/api/agents/runs/${String(id)}/cancel`);
  });

  it('X5 a fork at a pause asks again, and the two sessions are independent', async () => {
    const run = await paused();
    const decision = await tenant.decision(run.id);
    const [newest] = await history(run.id);
    const made = await fork(run, newest!.checkpoint_id, 'Another end');
    expect(made.session).toMatchObject({ forked_from: run.session_id, title: 'Another end' });
    expect(await names(made.session.id, 'inputs')).toEqual(await names(run.session_id, 'inputs'));
    const asked = await tenant.decision(made.run.id);
    expect(asked).toMatchObject({ status: 'open', question: decision.question, session_id: made.session.id });
    expect(asked.id).not.toBe(decision.id);

    await tenant.post(`/api/decisions/${decision.id}/answer`, SKIP);
    await tenant.completed(run.id);
    const text = await tenant.manuscript(run.session_id);
    expect((await tenant.request('DELETE', `/api/sessions/${run.session_id}`)).status).toBe(204);

    const answer = await tenant.post(`/api/decisions/${asked.id}/answer`, USE_DASHBOARD);
    expect(answer.status).toBe(200);
    await tenant.completed(made.run.id);
    expect(await tenant.manuscript(made.session.id)).toBe(text);
    expect((await tenant.docx(made.session.id)).length).toBeGreaterThan(1_000);
    expect((await tenant.get(`/api/sessions/${made.session.id}`)).json.forked_from).toBeNull();
    expect((await tenant.run(made.run.id)).origin).toBeNull();
  });

  it('X5 a fork keeps the answers given before it, the exports and the checkpoints; deleting it harms nothing', async () => {
    const run = await paused();
    const { id } = await tenant.decision(run.id);
    await tenant.post(`/api/decisions/${id}/answer`, SKIP);
    await tenant.completed(run.id);
    const [last] = await history(run.id);
    const made = await fork(run, last!.checkpoint_id);
    await tenant.completed(made.run.id);
    const answered = (await tenant.get(`/api/decisions?status=answered&run_id=${made.run.id}`)).json.items;
    expect(answered).toMatchObject([{ status: 'answered', answer: SKIP, session_id: made.session.id }]);
    for (const list of ['inputs', 'assets', 'exports'])
      expect(await names(made.session.id, list)).toEqual(await names(run.session_id, list));
    const [own, copied] = await Promise.all(
      [run.session_id, made.session.id].map(async (sessionId) => ({
        text: await tenant.manuscript(sessionId),
        // Compare the ledger after the facts of the run.
        ledger: (await tenant.get(`/api/sessions/${sessionId}/ledger?format=html`)).text.split(
          '<dl class="legend">',
        )[1],
        docx: Buffer.from(await tenant.docx(sessionId)).toString('base64'),
      })),
    );
    expect(copied).toEqual(own);
    expect((await tenant.request('DELETE', `/api/sessions/${made.session.id}`)).status).toBe(204);
    expect(await tenant.manuscript(run.session_id)).toBe(own!.text);
    expect(Buffer.from(await tenant.docx(run.session_id)).toString('base64')).toBe(own!.docx);
  });

  it('X5 an early fork has only the checkpoints up to its origin', async () => {
    const run = await writtenOnce();
    const entries = await history(run.id);
    const early = entries.find(({ label }) => label === 'chapter_1')!;
    const made = await fork(run, early.checkpoint_id);
    const labels = async (id: string) =>
      ((await tenant.get(`/api/sessions/${id}/checkpoints`)).json.items as { label: string }[]).map(
        ({ label }) => label,
      );
    expect((await labels(made.session.id)).slice(0, 2)).not.toContain('chapter_2');
    await tenant.completed(made.run.id);
    expect(await tenant.manuscript(made.session.id)).toBe(await tenant.manuscript(run.session_id));
    expect(await labels(made.session.id)).toEqual(await labels(run.session_id));
  });

  it('X5 compares two manuscripts as hunks and as unified text', async () => {
    const run = await writtenOnce();
    const entries = await history(run.id);
    const early = entries.find(({ label }) => label === 'chapter_1')!;
    const made = await fork(run, entries[0]!.checkpoint_id);
    await tenant.completed(made.run.id);
    const path = `/api/sessions/${run.session_id}/diff`;
    const same = await tenant.get(`${path}?with=${made.session.id}`);
    expect(same.json).toMatchObject({ added: 0, removed: 0, hunks: [] });
    const text = await tenant.manuscript(run.session_id);
    const lines = text.split('\n').length - 1;
    for (const version of [early.named_checkpoint_id!, early.manuscript!.version]) {
      const grown = await tenant.get(`${path}?version=${version}`);
      expect(grown.json).toMatchObject({
        from: { lines: early.manuscript!.lines },
        to: { lines },
        added: lines - early.manuscript!.lines,
        removed: 0,
      });
    }
    const unified = await tenant.request('GET', `${path}?version=${early.named_checkpoint_id}`, undefined, {
      accept: 'text/x-diff',
    });
    expect(unified.headers.get('content-type')).toMatch(/^text\/x-diff/);
    expect(unified.text).toMatch(/^--- a\/temp_output\.md\n\+\+\+ b\/temp_output\.md\n@@ /);
    const refused = await tenant.get(path);
    expect([refused.status, refused.json.code]).toEqual([422, 'invalid_request']);
    const unknown = await tenant.get(`${path}?version=${'0'.repeat(64)}`);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
  });

  it('X5 promotes an ended fork; a repeat changes nothing', async () => {
    const run = await paused();
    const [newest] = await history(run.id);
    const made = await fork(run, newest!.checkpoint_id);
    const asked = await tenant.decision(made.run.id);
    await tenant.post(`/api/decisions/${asked.id}/answer`, USE_DASHBOARD);
    await tenant.completed(made.run.id);
    const body = { fork_session_id: made.session.id };
    const refused = await session(run.session_id, 'promote', body);
    expect([refused.status, refused.json.code]).toEqual([409, 'run_active']);
    const promoted = await session(run.session_id, 'promote', { ...body, on_conflict: 'interrupt' });
    expect([promoted.status, promoted.json.status]).toEqual([200, 'completed']);
    expect((await tenant.run(run.id)).status).toBe('cancelled');

    const state = async (id: string) => ({
      text: await tenant.manuscript(id),
      assets: await names(id, 'assets'),
      exports: await names(id, 'exports'),
      docx: Buffer.from(await tenant.docx(id)).toString('base64'),
      checkpoints: ((await tenant.get(`/api/sessions/${id}/checkpoints`)).json.items as { id: string }[]).map(
        ({ id: checkpoint }) => checkpoint,
      ),
    });
    const taken = await state(run.session_id);
    expect(taken).toEqual(await state(made.session.id));
    const again = await Promise.all([1, 2].map(() => session(run.session_id, 'promote', body)));
    expect(again.map(({ json }) => json.id)).toEqual([promoted.json.id, promoted.json.id]);
    expect(await state(run.session_id)).toEqual(taken);
    await tenant.request('DELETE', `/api/sessions/${made.session.id}`);
    expect(await state(run.session_id)).toEqual(taken);
  });

  it('X5 promotes a paused fork: the session then asks its question', async () => {
    const run = await paused();
    const [newest] = await history(run.id);
    const made = await fork(run, newest!.checkpoint_id);
    await tenant.decision(made.run.id);
    const body = { fork_session_id: made.session.id, on_conflict: 'interrupt' };
    const racing = await Promise.all([1, 2, 3].map(() => session(run.session_id, 'promote', body)));
    expect(new Set(racing.map(({ json }) => json.id)).size).toBe(1);
    const promoted = String(racing[0]!.json.id);
    const asked = await tenant.decision(promoted);
    await tenant.post(`/api/decisions/${asked.id}/answer`, SKIP);
    await tenant.completed(promoted);
    expect(await tenant.manuscript(run.session_id)).not.toBe('');
    expect((await tenant.run(made.run.id)).status).toBe('needs_answer');
    const other = await session(made.session.id, 'promote', { fork_session_id: run.session_id });
    expect([other.status, other.json.code]).toEqual([409, 'not_a_fork']);
    await tenant.post(`/api/agents/runs/${made.run.id}/cancel`);
  });

  it('X5 a fork that is sent twice with one Idempotency-Key is created once', async () => {
    const run = await writtenOnce();
    const [last] = await history(run.id);
    const body = { run_id: run.id, checkpoint_id: last!.checkpoint_id };
    const path = `/api/sessions/${run.session_id}/fork`;
    const send = () => tenant.request('POST', path, body, { 'idempotency-key': 'fork-once' });
    const first = await send();
    expect((await send()).json).toEqual(first.json);
    await tenant.completed((first.json as { run: RunView }).run.id);
  });
});
