import { englishText, type Phrase } from '#contracts/phrases/phrase.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import { ApiClient } from '#testing/api-client.js';
import { askingFiles, MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

/** X3: a decision is answered once. */
describe('X3 decisions', () => {
  let stack: SharedStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  const paused = async () => {
    // Each run has a different source, so that no answer is remembered.
    const files = askingFiles();
    const own = Buffer.from(`${Buffer.from(files['01-timeline.md']!).toString()}\nNo. ${Math.random()}\n`);
    const run = await tenant.startRun(await tenant.sessionWith({ ...files, '01-timeline.md': own }));
    return { run, decision: await tenant.decision(run.id) };
  };
  const answer = (id: string, body: unknown) => tenant.post(`/api/decisions/${id}/answer`, body);
  const skip = { user_decisions: { [MISSING_IMAGE]: 'skip' } };
  const use = { user_decisions: { [MISSING_IMAGE]: 'use:dashboard.png' } };

  it('X3 X2 shows the place of a reference and the schema of its answer', async () => {
    const { run, decision } = await paused();
    expect(decision).toMatchObject({
      status: 'open',
      decision_type: 'missing_references',
      references: [{ ref: MISSING_IMAGE, source: '01-timeline.md', line: expect.any(Number), hint: null }],
      default_answer: skip,
    });
    expect(JSON.stringify(decision.answer_schema)).toContain(MISSING_IMAGE);
    const asked = decision.phrase as Phrase;
    expect(englishText(asked)).toBe(decision.question);
    expect((await translatorFor('de'))(asked)).toBe(
      `Die Quellen verweisen auf 1 Datei, die nicht hochgeladen wurde: ${MISSING_IMAGE}. Möchten Sie die Datei hochladen oder auslassen?`,
    );
    await tenant.post(`/api/agents/runs/${run.id}/cancel`);
  });

  it('X3 accepts the first of fifty concurrent answers and its repeat, and rejects any other', async () => {
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

  it('X3 rejects invalid answers, naming each fault, and keeps the question open', async () => {
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

  it('X3 rejects an answer to a cancelled run', async () => {
    const { run, decision } = await paused();
    expect((await tenant.post(`/api/agents/runs/${run.id}/cancel`)).status).toBe(200);
    const stale = await answer(decision.id, skip);
    expect([stale.status, stale.json.code]).toEqual([409, 'decision_stale']);
    expect((await tenant.run(run.id)).status).toBe('cancelled');
  });

  /** A further key of the tenant, with the scopes read and write. */
  const keyOf = async (name: string) => {
    const { json } = await tenant.post('/api/keys', { name });
    return { id: String(json.id), client: new ApiClient(stack.url, String(json.key)) };
  };
  const waitingFor = async (decisions: Record<string, unknown>) => {
    const files = askingFiles();
    const own = Buffer.from(`${Buffer.from(files['01-timeline.md']!).toString()}\nNo. ${Math.random()}\n`);
    const sessionId = await tenant.sessionWith({ ...files, '01-timeline.md': own });
    const run = await tenant.startRun(sessionId, { decisions });
    return { run, decision: await tenant.decision(run.id) };
  };

  it('X3 accepts answers only from the assignee or an admin', async () => {
    const [reviewer, other] = [await keyOf('reviewer'), await keyOf('other')];
    const { run, decision } = await waitingFor({ assignee: 'reviewer' });
    expect(decision.assignee).toBe('reviewer');
    const path = `/api/decisions/${decision.id}/answer`;
    const refused = await other.client.post(path, skip);
    expect([refused.status, refused.json.code]).toEqual([403, 'not_assignee']);
    const early = { decision_type: 'question', answer: { text: 'go' } };
    const tooEarly = await other.client.post(`/api/agents/runs/${run.id}/answers`, early);
    expect([tooEarly.status, tooEarly.json.code]).toEqual([403, 'not_assignee']);
    const idsOf = async (assignee: string) =>
      ((await tenant.get(`/api/decisions?assignee=${assignee}`)).json.items as { id: string }[]).map(
        ({ id }) => id,
      );
    expect(await idsOf('reviewer')).toEqual([decision.id]);
    expect(await idsOf('other')).toEqual([]);
    const taken = await reviewer.client.post(path, skip);
    expect([taken.status, taken.json.answered_by]).toEqual([200, reviewer.id]);
    expect(taken.json.answered_at).not.toBeNull();
    expect((await answer(decision.id, skip)).status).toBe(200);
    await tenant.completed(run.id);
    const audit = (await tenant.get('/api/audit?limit=100')).json.items as Record<string, unknown>[];
    const entries = audit.filter(
      ({ action, resource }) => action === 'decisionAnswered' && resource === decision.id,
    );
    expect(entries).toEqual([
      expect.objectContaining({ actor: reviewer.id, details: expect.objectContaining({ answer: skip }) }),
    ]);
    const nobody = await tenant.post('/api/agents/runs', {
      session_id: run.session_id,
      inputs: { decisions: { assignee: 'nobody' } },
    });
    expect([nobody.status, nobody.json.code]).toEqual([422, 'invalid_request']);
  });

  it('X3 shows the votes of a decision with a quorum', async () => {
    const second = await keyOf('second');
    const { run, decision } = await waitingFor({ quorum: 2 });
    const first = await answer(decision.id, skip);
    expect([first.status, first.json.status]).toEqual([200, 'open']);
    expect(first.json.votes).toMatchObject([{ answer: skip }]);
    const differs = await second.client.post(`/api/decisions/${decision.id}/answer`, use);
    expect([differs.json.status, (differs.json.votes as unknown[]).length]).toEqual(['open', 2]);
    const agreed = await second.client.post(`/api/decisions/${decision.id}/answer`, skip);
    expect([agreed.json.status, agreed.json.answered_by]).toEqual(['answered', second.id]);
    await tenant.completed(run.id);
  });

  it('X3 accepts the choice for a reference before the question, and uses it when all references have one', async () => {
    const { run, decision } = await paused();
    const give = (body: unknown) => tenant.post(`/api/agents/runs/${run.id}/answers`, body);
    const unfit = await give({ decision_type: 'missing_references', answer: { action: 'retry' } });
    expect([unfit.status, unfit.json.status]).toEqual([200, 'not_applicable']);
    expect((await tenant.get(`/api/decisions/${decision.id}`)).json.status).toBe('open');
    const choice = { decision_type: 'missing_references', ref: MISSING_IMAGE, answer: 'use:dashboard.png' };
    const given = await give(choice);
    expect(given.json).toMatchObject({ status: 'applied', decision_id: decision.id });
    const again = await give(choice);
    expect([again.status, again.json.id]).toEqual([200, given.json.id]);
    const other = await give({ ...choice, answer: 'skip' });
    expect([other.status, other.json.code]).toEqual([409, 'decision_answered']);
    for (const body of [
      { decision_type: 'question', ref: 'a.png', answer: 'skip' },
      { decision_type: 'missing_references', ref: 'a.png', answer: {} },
      { decision_type: 'question', answer: 'text' },
    ]) {
      expect((await give(body)).json.code).toBe('invalid_request');
    }
    await tenant.completed(run.id);
    const list = (await tenant.get(`/api/agents/runs/${run.id}/answers`)).json.items as { status: string }[];
    expect(list.map(({ status }) => status)).toEqual(['not_applicable', 'applied']);
    expect((await give({ decision_type: 'question', answer: { text: 'late' } })).json.code).toBe(
      'run_finished',
    );
  });

  it('X2 does not ask again about the same content', async () => {
    const { run, decision } = await paused();
    await answer(decision.id, use);
    await tenant.completed(run.id);
    const again = await tenant.startRun(run.session_id);
    await tenant.completed(again.id);
    expect((await tenant.events(again.id)).some(({ type }) => type === 'decision_required')).toBe(false);
  });

  it('X2 asks again about the references that the inputs of the run list', async () => {
    const { run, decision } = await paused();
    await answer(decision.id, skip);
    await tenant.completed(run.id);
    const again = await tenant.startRun(run.session_id, { ask_again: [MISSING_IMAGE] });
    await answer((await tenant.decision(again.id)).id, use);
    await tenant.completed(again.id);
  });
});
