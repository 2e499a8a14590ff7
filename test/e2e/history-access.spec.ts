import { sharedStack } from '#testing/shared-stack.js';
import { randomUUID } from 'node:crypto';
import { pausedRun, readHistory } from './history-client.js';

it('X5 B19 resources of another tenant or session are not found', async () => {
  const stack = await sharedStack();
  const tenant = await stack.tenant();
  const run = await pausedRun(tenant);
  const [newest] = await readHistory(tenant, run.id);
  const at = { run_id: run.id, checkpoint_id: newest!.checkpoint_id };
  const own = await tenant.sessionWith({ 'a.md': '# A\n' });
  const stranger = await stack.tenant('stranger');
  const theirs = await stranger.sessionWith({ 'a.md': '# A\n' });
  const attempts = [
    stranger.get(`/api/agents/runs/${run.id}/history`),
    stranger.post(`/api/sessions/${run.session_id}/restore`, at),
    stranger.post(`/api/sessions/${theirs}/restore`, at),
    stranger.post(`/api/sessions/${theirs}/fork`, at),
    stranger.post(`/api/sessions/${theirs}/promote`, { fork_session_id: run.session_id }),
    stranger.get(`/api/sessions/${theirs}/diff?with=${run.session_id}`),
    tenant.post(`/api/sessions/${own}/restore`, at),
    tenant.post(`/api/sessions/${own}/fork`, at),
    tenant.post(`/api/sessions/${run.session_id}/restore`, { ...at, checkpoint_id: randomUUID() }),
    tenant.post(`/api/sessions/${run.session_id}/fork`, { ...at, checkpoint_id: '20000101_000000_x.md' }),
  ];
  for (const { status, json } of await Promise.all(attempts))
    expect([status, json.code]).toEqual([404, expect.stringMatching(/^(not_found|no_manuscript)$/)]);
  await tenant.post(`/api/agents/runs/${run.id}/cancel`);
});
