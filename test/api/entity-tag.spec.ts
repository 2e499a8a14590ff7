import { askingFiles, MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

describe('a GET with If-None-Match', () => {
  let stack: SharedStack;
  beforeAll(async () => {
    stack = await sharedStack();
  });

  it('finds no ETag on the ledger and the text of a checkpoint, which are streamed', async () => {
    const tenant = await stack.tenant();
    const session = await tenant.sessionWith({ 'a.md': '# A\n\nOne line.\n' });
    await tenant.completed((await tenant.startRun(session)).id);
    const checkpoints = await tenant.get(`/api/sessions/${session}/checkpoints`);
    const [first] = checkpoints.json.items as { id: string }[];
    for (const path of ['ledger', 'ledger?format=html', `checkpoints/${first!.id}`]) {
      const { status, headers } = await tenant.get(`/api/sessions/${session}/${path}`);
      expect([path, status, headers.get('etag')]).toEqual([path, 200, null]);
    }
  });

  it('returns 304 for unchanged runs, sessions, decisions, manuscripts and exports', async () => {
    const tenant = await stack.tenant();
    const session = await tenant.sessionWith(askingFiles());
    const { id: run } = await tenant.startRun(session);
    const { id: decision } = await tenant.decision(run);
    const asked = await tenant.get(`/api/decisions/${decision}`);
    await tenant.post(`/api/decisions/${decision}/answer`, { user_decisions: { [MISSING_IMAGE]: 'skip' } });
    await tenant.completed(run);
    const list = await tenant.get(`/api/sessions/${session}/exports`);
    const [file] = list.json.items as { id: string }[];
    const paths = [
      `/api/agents/runs/${run}`,
      `/api/sessions/${session}`,
      `/api/decisions/${decision}`,
      `/api/sessions/${session}/manuscript`,
      `/api/sessions/${session}/exports/${file!.id}`,
    ];
    for (const path of paths) {
      const tag = (await tenant.get(path)).headers.get('etag')!;
      const same = await tenant.request('GET', path, undefined, { 'if-none-match': `"other", ${tag}` });
      expect([path, same.status, same.text, same.headers.get('etag')]).toEqual([path, 304, '', tag]);
      const other = await tenant.request('GET', path, undefined, { 'if-none-match': '"other"' });
      expect([path, other.status]).toEqual([path, 200]);
    }
    const stale = { 'if-none-match': asked.headers.get('etag')! };
    expect((await tenant.request('GET', `/api/decisions/${decision}`, undefined, stale)).status).toBe(200);
  });
});
