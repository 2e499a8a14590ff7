import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { WebhookReceiver } from '#testing/webhook-receiver.js';

describe('webhooks whose gateway is killed', () => {
  let stack: TestStack;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await TestStack.start({ fewProcesses: true, env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  });
  afterAll(async () => {
    await stack.stop();
    await receiver.stop();
  });

  it('survive a gateway that is killed while it sends, with the events in between', async () => {
    const tenant = await stack.tenant();
    const events = ['needs_answer', 'done'];
    expect((await tenant.post('/api/webhooks', { url: receiver.url, events })).status).toBe(201);
    receiver.answer = () => undefined;
    const run = await tenant.startRun(await tenant.sessionWith(exampleFiles('incident')));
    const decision = await tenant.decision(run.id);
    const [held] = await receiver.until('a request', (all) => all.length > 0);
    stack.kill('gateway');
    receiver.answer = (_, response) => void response.writeHead(204).end();
    const answer = { user_decisions: { [MISSING_IMAGE]: 'skip' } };
    await until(
      'the next gateway accepts the answer',
      () =>
        tenant.post(`/api/decisions/${decision.id}/answer`, answer).then(
          ({ status }) => status,
          (error: unknown) => error,
        ),
      (seen) => seen === 200,
    );
    const received = await receiver.until('the event done', (all) =>
      all.some(({ json }) => json.type === 'run.done'),
    );
    const seqs = received.slice(1).map(({ json }) => Number(json.data.seq));
    expect(received[1]!.headers['webhook-id']).toBe(held!.headers['webhook-id']);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    const expected = (await tenant.events(run.id)).filter(
      ({ type, data }) => type === 'done' || (type === 'run_status' && data.status === 'needs_answer'),
    );
    expect(seqs).toEqual(expected.map(({ seq }) => seq));
  });
});
