import type { ApiClient } from '#testing/api-client.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { TestStack } from '#testing/test-stack.js';

/** B19: what belongs to another tenant does not exist. */
describe('B19 two tenants', () => {
  let stack: TestStack;
  let owner: ApiClient;
  let stranger: ApiClient;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    stack = await TestStack.start();
    [owner, stranger] = [await stack.tenant('owner'), await stack.tenant('stranger')];
    ids.session = await owner.sessionWith(exampleFiles('incident'));
    ids.run = (await owner.startRun(ids.session)).id;
    ids.decision = (await owner.decision(ids.run)).id;
    await owner.post(`/api/decisions/${ids.decision}/answer`, {
      user_decisions: { [MISSING_IMAGE]: 'skip' },
    });
    await owner.completed(ids.run);
    const exports = await owner.get(`/api/sessions/${ids.session}/exports`);
    ids.export = (exports.json.items as { id: string }[])[0]!.id;
    const checkpoints = await owner.get(`/api/sessions/${ids.session}/checkpoints`);
    ids.checkpoint = (checkpoints.json.items as { id: string }[])[0]!.id;
  });
  afterAll(() => stack.stop());

  const paths: [string, string][] = [
    ['GET', '/api/sessions/{session}'],
    ['GET', '/api/sessions/{session}/inputs'],
    ['POST', '/api/sessions/{session}/inputs'],
    ['DELETE', '/api/sessions/{session}/inputs/01-timeline.md'],
    ['GET', '/api/sessions/{session}/assets'],
    ['GET', '/api/sessions/{session}/manuscript'],
    ['GET', '/api/sessions/{session}/ledger'],
    ['GET', '/api/sessions/{session}/checkpoints'],
    ['GET', '/api/sessions/{session}/checkpoints/{checkpoint}'],
    ['GET', '/api/sessions/{session}/exports'],
    ['GET', '/api/sessions/{session}/exports/{export}'],
    ['GET', '/api/agents/runs/{run}'],
    ['GET', '/api/agents/runs/{run}/events'],
    ['POST', '/api/agents/runs/{run}/cancel'],
    ['GET', '/api/decisions/{decision}'],
    ['POST', '/api/decisions/{decision}/answer'],
  ];

  it.each(paths)('%s %s is 404 for the other tenant, exactly as for an unknown id', async (method, path) => {
    const body = () => {
      if (method !== 'POST') return undefined;
      if (!path.endsWith('/inputs')) return { user_decisions: {} };
      const form = new FormData();
      form.append('file', new Blob(['x']), 'x.md');
      return form;
    };
    const foreign = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    const unknown = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!.replace(/.(\.md)?$/, '!$1'));
    const refused = await stranger.request(method, foreign, body());
    const absent = await stranger.request(method, unknown, body());
    expect([refused.status, refused.json.code]).toEqual([404, 'not_found']);
    expect({ ...refused.json, instance: '' }).toEqual({ ...absent.json, instance: '' });
  });

  it('a run in a foreign session cannot be started', async () => {
    const refused = await stranger.post('/api/agents/runs', { session_id: ids.session });
    expect([refused.status, refused.json.code]).toEqual([404, 'not_found']);
  });

  it('lists hold only what is the tenant’s own', async () => {
    expect((await stranger.get('/api/sessions')).json).toEqual({ items: [] });
    expect((await stranger.get('/api/decisions?status=all')).json).toEqual({ items: [] });
    expect((await owner.get('/api/decisions?status=all')).json.items).toHaveLength(1);
  });
});
