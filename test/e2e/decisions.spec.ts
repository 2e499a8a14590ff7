import type { ApiClient } from '#testing/api-client.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { TestStack } from '#testing/test-stack.js';

/** X3: a decision is answered once. */
describe('X3 decisions', () => {
  let stack: TestStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await TestStack.start();
    tenant = await stack.tenant();
  });
  afterAll(() => stack.stop());

  const paused = async () => {
    // Each run has a source of its own, so that no answer is remembered.
    const files = exampleFiles('incident');
    const own = Buffer.from(`${Buffer.from(files['01-timeline.md']!).toString()}\nNo. ${Math.random()}\n`);
    const run = await tenant.startRun(await tenant.sessionWith({ ...files, '01-timeline.md': own }));
    return { run, decision: await tenant.decision(run.id) };
  };
  const answer = (id: string, body: unknown) => tenant.post(`/api/decisions/${id}/answer`, body);
  const skip = { user_decisions: { [MISSING_IMAGE]: 'skip' } };
  const use = { user_decisions: { [MISSING_IMAGE]: 'use:dashboard.png' } };

  it('X3 X2 shows where a reference stands and the schema of its answer', async () => {
    const { run, decision } = await paused();
    expect(decision).toMatchObject({
      status: 'open',
      decision_type: 'missing_references',
      references: [{ ref: MISSING_IMAGE, source: '01-timeline.md', line: expect.any(Number), hint: null }],
      default_answer: skip,
    });
    expect(JSON.stringify(decision.answer_schema)).toContain(MISSING_IMAGE);
    await tenant.post(`/api/agents/runs/${run.id}/cancel`);
  });

  it('X3 takes the first of fifty racing answers; the same again is fine, another one is refused', async () => {
    const { run, decision } = await paused();
    const bodies = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? skip : use));
    const responses = await Promise.all(bodies.map((body) => answer(decision.id, body)));
    const statuses = new Set(responses.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 409]));
    const now = await tenant.get(`/api/decisions/${decision.id}`);
    const won = JSON.stringify(now.json.answer) === JSON.stringify(skip) ? 'skip' : 'use';
    responses.forEach(({ status, json }, index) => {
      const same = (index % 2 === 0 ? 'skip' : 'use') === won;
      expect([status, json.code]).toEqual(same ? [200, undefined] : [409, 'decision_answered']);
    });
    await tenant.completed(run.id);
    const events = await tenant.events(run.id);
    expect(events.filter(({ type }) => type === 'decision_answered')).toHaveLength(1);
    const late = await answer(decision.id, won === 'skip' ? skip : use);
    expect(late.status).toBe(200);
  });

  it('X3 refuses answers that do not fit, naming what is wrong, and keeps the question open', async () => {
    const { run, decision } = await paused();
    for (const body of [
      {},
      { user_decisions: {} },
      { user_decisions: { [MISSING_IMAGE]: 'maybe' } },
      { action: 'accept' },
      [],
    ]) {
      const refused = await answer(decision.id, body);
      expect([refused.status, refused.json.code]).toEqual([422, 'invalid_answer']);
    }
    const foreign = await answer(decision.id, { user_decisions: { [MISSING_IMAGE]: 'use:none.png' } });
    expect([foreign.status, foreign.json.code]).toEqual([422, 'invalid_answer']);
    expect((await tenant.get(`/api/decisions/${decision.id}`)).json.status).toBe('open');
    await tenant.post(`/api/agents/runs/${run.id}/cancel`);
  });

  it('X3 refuses an answer to a run that was cancelled', async () => {
    const { run, decision } = await paused();
    expect((await tenant.post(`/api/agents/runs/${run.id}/cancel`)).status).toBe(200);
    const stale = await answer(decision.id, skip);
    expect([stale.status, stale.json.code]).toEqual([409, 'decision_stale']);
    expect((await tenant.run(run.id)).status).toBe('cancelled');
  });

  it('X2 does not ask again for what was answered for the same content', async () => {
    const { run, decision } = await paused();
    await answer(decision.id, use);
    await tenant.completed(run.id);
    const again = await tenant.startRun(run.session_id);
    await tenant.completed(again.id);
    expect((await tenant.events(again.id)).some(({ type }) => type === 'decision_required')).toBe(false);
  });
});
