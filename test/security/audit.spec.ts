import { createDatabase } from '#db/client.js';
import { ApiClient } from '#testing/api-client.js';
import { askingFiles, MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack } from '#testing/shared-stack.js';

describe('the audit log', () => {
  it('records the actor, action and resource of each change, and denied requests', async () => {
    const stack = await sharedStack('gateway');
    const admin = await stack.tenant();
    const made = (await admin.post('/api/keys', { name: 'audited', scopes: ['read', 'write'] })).json;
    const id = String(made.id);
    const client = new ApiClient(stack.url, String(made.key));
    const session = await client.post('/api/sessions', {});
    await client.get('/api/keys');
    await client.post('/api/auth/token', {});
    const entries = (await admin.get('/api/audit?limit=100')).json.items as Record<string, unknown>[];
    const mine = entries
      .filter(({ actor }) => actor === id)
      .map(({ action, resource, outcome }) => [action, resource, outcome]);
    expect(mine).toEqual([
      ['issueToken', id, 'done'],
      ['listKeys', '', 'denied'],
      ['createSession', session.json.id, 'done'],
    ]);
    expect(entries.find(({ resource }) => resource === id)).toBeDefined();
    await client.upload(String(session.json.id), { 'notes.md': 'text' });
    const untitled = (await admin.get('/api/audit?limit=100')).json.items as Record<string, unknown>[];
    expect(untitled.find(({ action }) => action === 'createSession')).toMatchObject({
      resource_name: 'notes.md',
    });
    await admin.request('PATCH', `/api/sessions/${String(session.json.id)}`, { title: 'Named' });
    const named = (await admin.get('/api/audit?limit=100')).json.items as Record<string, unknown>[];
    expect(named.find(({ action }) => action === 'createSession')).toMatchObject({
      actor_name: 'audited',
      resource_name: 'Named',
    });
    // No counter, which would reveal the activity of other tenants.
    for (const { id: entryId } of entries) expect(entryId).toMatch(/^aud_[0-9a-f]{32}$/);
    const creation = entries.find(({ action, resource }) => action === 'createKey' && resource === id);
    expect(creation).toMatchObject({
      outcome: 'done',
      by_token: false,
      request_id: expect.stringMatching(/^req_/),
    });
  });

  it('commits the entries of a session, a run and an answer together with them', async () => {
    const stack = await sharedStack();
    const tenant = await stack.tenant();
    const sessionId = await tenant.sessionWith(askingFiles());
    const run = await tenant.startRun(sessionId);
    const { id: decisionId } = await tenant.decision(run.id);
    await tenant.post(`/api/decisions/${decisionId}/answer`, { user_decisions: { [MISSING_IMAGE]: 'skip' } });
    const db = createDatabase(stack.database.url);
    try {
      // `xmin` is the transaction that wrote a row. The answer's event is never changed again, unlike its task.
      const rows = await db.$queryRaw<{ action: string; together: boolean }[]>`
        SELECT a.action, a.xmin = made.writer AS together FROM audit_log a JOIN (
          SELECT 'createSession' AS action, id AS resource, xmin AS writer FROM sessions WHERE id = ${sessionId}
          UNION ALL SELECT 'startRun', run_id, xmin FROM run_events WHERE run_id = ${run.id} AND seq = 1
          UNION ALL SELECT 'answerDecision', data->>'decision_id', xmin FROM run_events
            WHERE run_id = ${run.id} AND type = 'decision_answered'
        ) made ON made.action = a.action AND made.resource = a.resource ORDER BY a.action`;
      expect(rows).toEqual(
        ['answerDecision', 'createSession', 'startRun'].map((action) => ({ action, together: true })),
      );
    } finally {
      await db.$disconnect();
    }
  });
});
