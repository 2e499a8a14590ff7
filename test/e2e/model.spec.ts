import type { ApiClient } from '#testing/api-client.js';
import { exampleFiles } from '#testing/examples.js';
import { startModelStub, type ModelStub, type StubFault } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';

/** D15: any OpenAI-compatible server drives the same run. */
describe('D15 a model over HTTP', () => {
  const faults: Record<number, StubFault> = {
    2: { status: 429, retryAfter: '0' },
    4: { status: 500 },
    6: { cutAfter: 2 },
    8: { cutAfter: 2, gently: true },
  };
  let stack: LeasedStack;
  let stub: ModelStub;
  let tenant: ApiClient;

  beforeAll(async () => {
    stub = await startModelStub({ faults });
    stack = await leasedStack('model', { model: stub.baseUrl });
    tenant = await stack.tenant();
  });
  afterAll(async () => {
    await stack.release();
    await stub.stop();
  });

  it('writes with parallel tool calls and streaming, despite a 429, a 500 and cut streams', async () => {
    const sessionId = await tenant.sessionWith(exampleFiles('handover'));
    const run = await tenant.startRun(sessionId);
    const ended = await tenant.completed(run.id);
    expect(ended.model).toBe('draft-model');
    expect(ended.progress.details['coverage']).toBe(1);
    expect(stub.requests.length).toBeGreaterThan(8);
    expect(stub.requests.every((request) => request.stream === true)).toBe(true);

    const events = await tenant.events(run.id);
    expect(events.some(({ type }) => type === 'token')).toBe(true);
    expect(ended.usage.input_tokens).toBeGreaterThan(0);
    const answered = events.filter(({ type, data }) => type === 'node_complete' && data.node === 'agent');
    expect(ended.usage.model_calls).toBe(answered.length);
  });

  it('X13 asks while it is unavailable, and writes when it is available again, even if slowly', async () => {
    const sessionId = await tenant.sessionWith({ 'notes.txt': 'The lamp was lit.\n' });
    const before = stub.requests.length;
    const attempts = [1, 2, 3, 4, 5, 6];
    for (const attempt of attempts) faults[before + attempt] = { status: 503, retryAfter: '0' };
    const { id } = await tenant.startRun(sessionId);
    const asked = await tenant.decision(id);
    expect(asked).toMatchObject({ decision_type: 'model_failed', details: { code: 'model_unavailable' } });
    expect(stub.requests).toHaveLength(before + attempts.length);
    faults[stub.requests.length + 1] = { delayMs: 40 };
    await tenant.post(`/api/decisions/${asked.id}/answer`, { action: 'retry' });
    const { details } = (await tenant.completed(id)).progress;
    expect(details).toMatchObject({ coverage: 1, used_fallback: false });
  });

  it('X13 ends as failed while it is unavailable if a person stops the run', async () => {
    const sessionId = await tenant.sessionWith({ 'notes.txt': 'The lamp was lit.\n' });
    faults[stub.requests.length + 1] = { status: 401 };
    const { id } = await tenant.startRun(sessionId);
    const asked = await tenant.decision(id);
    await tenant.post(`/api/decisions/${asked.id}/answer`, { action: 'stop' });
    await tenant.events(id);
    expect(await tenant.run(id)).toMatchObject({ status: 'failed', error: { code: 'model_unauthorized' } });
  });

  it('writes the key to no log and no event', async () => {
    expect(await stack.log()).not.toContain('sk-of-the-test');
    expect((await tenant.get('/api/sessions')).text).not.toContain('sk-of-the-test');
  });
});
