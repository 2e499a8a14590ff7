import type { ApiClient } from '#testing/api-client.js';
import { exampleFiles } from '#testing/examples.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

const LOG_LINES = 1_200;
const log = Array.from({ length: LOG_LINES }, (_, n) => `2026-03-12T04:${n} label-api request ${n} done`);

/** Data that the studio reads in addition to runs and documents: usage, and ranges of lines. */
describe('endpoints of the studio', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let session: string;
  let run: string;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
    const files = exampleFiles('handover');
    session = await tenant.sessionWith({ ...files, '09-label-api.log': `${log.join('\n')}\n` });
    run = (await tenant.startRun(session)).id;
    await tenant.completed(run);
  });

  it('usage reports daily usage up to today, and the limits', async () => {
    const { status, json } = await tenant.get('/api/usage?days=7');
    const days = json['days'] as { day: string; runs: number; model_calls: number }[];
    expect([status, days.length]).toEqual([200, 7]);
    expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted());
    expect(days.reduce((sum, { runs }) => sum + runs, 0)).toBe(1);
    expect(json['storage_bytes']).toBeGreaterThan(0);
    expect((await tenant.get('/api/usage?days=0')).json['code']).toBe('invalid_request');
    const other = await stack.tenant('other');
    const theirs = (await other.get('/api/usage?days=7')).json['days'] as { runs: number }[];
    expect(theirs.reduce((sum, { runs }) => sum + runs, 0)).toBe(0);
  });

  it('the model calls of a run are listed page by page, oldest first, and their number equals the run’s', async () => {
    const { usage } = (await tenant.get(`/api/agents/runs/${run}`)).json as {
      usage: { model_calls: number };
    };
    const calls: { id: string; at: string }[] = [];
    for (let cursor: unknown = ''; cursor !== null;) {
      const after = cursor === '' ? '' : `&cursor=${String(cursor)}`;
      const { json } = await tenant.get(`/api/agents/runs/${run}/model-calls?limit=7${after}`);
      calls.push(...(json['items'] as typeof calls));
      cursor = json['next_cursor'];
    }
    expect(new Set(calls.map(({ id }) => id)).size).toBe(usage.model_calls);
    expect(calls.map(({ at }) => at)).toEqual(calls.map(({ at }) => at).toSorted());
  });

  it('sessions are listed by the kind of run that was started in them', async () => {
    const empty = String((await tenant.post('/api/sessions', { title: 'nothing yet' })).json['id']);
    const listed = async (query: string) =>
      ((await tenant.get(`/api/sessions${query}`)).json['items'] as { id: string }[]).map(({ id }) => id);
    expect(await listed('')).toEqual([empty, session]);
    expect(await listed('?kind=document')).toEqual([session]);
    expect(await listed('?kind=article')).toEqual([]);
    const other = await stack.tenant('other');
    expect((await other.get('/api/sessions?kind=document')).json['items']).toEqual([]);
    const refused = await tenant.get(`/api/sessions?kind=${'k'.repeat(101)}`);
    expect(refused.json['code']).toBe('invalid_request');
  });

  it('X1 the lines of an input are read in ranges, and none after the last', async () => {
    const read = async (query: string) =>
      (await tenant.get(`/api/sessions/${session}/inputs/09-label-api.log/lines?${query}`)).json;
    expect(await read('first=1&count=2')).toEqual({ first: 1, lines: log.slice(0, 2) });
    expect(await read('first=1001&count=500')).toEqual({ first: 1_001, lines: log.slice(1_000) });
    expect(await read('first=90000&count=5')).toEqual({ first: 90_000, lines: [] });
    expect((await read('first=0&count=5'))['code']).toBe('invalid_request');
    const missing = await tenant.get(`/api/sessions/${session}/inputs/nothing.log/lines?first=1&count=5`);
    expect([missing.status, missing.json['code']]).toEqual([404, 'not_found']);
  });

  it('images of the session are read by their reference in the manuscript, and nothing but images', async () => {
    const imageAt = async (ref: string) => {
      const response = await fetch(
        `${tenant.baseUrl}/api/sessions/${session}/images/${encodeURIComponent(ref)}`,
        { headers: { authorization: `Bearer ${tenant.key}` } },
      );
      return { response, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const { response, bytes } = await imageAt('./pictures/architecture.png');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(bytes.equals(exampleFiles('handover')['architecture.png'] as Buffer)).toBe(true);
    for (const ref of ['nothing.png', '01-README.md', '../../x.png', 'https://example.com/architecture2.png'])
      expect([ref, (await imageAt(ref)).response.status]).toEqual([ref, 404]);
  });

  it('X1 the ranges of lines together are the whole manuscript', async () => {
    const whole = (await tenant.manuscript(session)).split('\n');
    const stretches: string[] = [];
    for (let first = 1; first <= whole.length; first += 400) {
      const { json } = await tenant.get(`/api/sessions/${session}/manuscript/lines?first=${first}&count=400`);
      stretches.push(...(json['lines'] as string[]));
    }
    expect(stretches).toEqual(whole.at(-1) === '' ? whole.slice(0, -1) : whole);
    const empty = await tenant.sessionWith({ 'a.md': '# A\n' });
    const none = await tenant.get(`/api/sessions/${empty}/manuscript/lines?first=1&count=5`);
    expect([none.status, none.json['code']]).toEqual([404, 'no_manuscript']);
  });

  it('only the operator can read the number of jobs of each queue', async () => {
    const basic = Buffer.from(`admin:${stack.env['ADMIN_PASSWORD']!}`).toString('base64');
    const answer = await tenant.request('GET', '/api/admin/queues', undefined, {
      authorization: `Basic ${basic}`,
    });
    const queues = answer.json['items'] as Record<string, unknown>[];
    expect(queues.map(({ queue }) => queue)).toEqual(
      expect.arrayContaining(['agent-runner', 'scanner', 'validator', 'converter']),
    );
    for (const { waiting, active, delayed, failed } of queues)
      expect([waiting, active, delayed, failed].every((count) => Number.isInteger(count))).toBe(true);
    expect((await tenant.get('/api/admin/queues')).status).toBe(401);
  });
});
