import { DecisionRepository } from '#db/repositories/decisions.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import { currentTenant } from '#db/tenant-scope.js';
import type { ApiClient } from '#testing/api-client.js';
import { jest } from '@jest/globals';
import { GatewayInProcess } from '../api/gateway-in-process.js';

/** A repository whose conditions name no tenant: the defect that row-level security is there for. */
const broken = { tenantId: undefined as never };

describe('requests of tenants run within row-level security', () => {
  let gateway: GatewayInProcess;
  let a: ApiClient;
  let b: ApiClient;
  let session: string;
  let run: string;

  beforeAll(async () => {
    gateway = await GatewayInProcess.start();
    [a, b] = [await gateway.client('a'), await gateway.client('b')];
    session = await b.sessionWith({ 'secret.md': 'of B' });
    run = (await b.startRun(session)).id;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await gateway.stop();
  });

  it('a repository without its condition on the tenant still shows nothing of another tenant', async () => {
    const { db } = gateway.infrastructure;
    const seen: (string | null)[] = [];
    const unscoped = <T>(query: () => Promise<T>) => {
      seen.push(currentTenant());
      return query();
    };
    jest
      .spyOn(SessionRepository.prototype, 'find')
      .mockImplementation((_, id) => unscoped(() => db.session.findFirst({ where: { ...broken, id } })));
    jest
      .spyOn(SessionRepository.prototype, 'page')
      .mockImplementation(() => unscoped(() => db.session.findMany()));
    jest
      .spyOn(SessionFileRepository.prototype, 'list')
      .mockImplementation(() => unscoped(() => db.sessionFile.findMany()));
    jest
      .spyOn(RunRepository.prototype, 'find')
      .mockImplementation((_, id) => unscoped(() => db.run.findFirst({ where: { ...broken, id } })));
    jest
      .spyOn(DecisionRepository.prototype, 'find')
      .mockImplementation(() => unscoped(() => db.task.findFirst({ include: { run: true, votes: true } })));

    expect((await a.get('/api/sessions')).json.items).toEqual([]);
    const foreign = [
      ['GET', `/api/sessions/${session}`],
      ['GET', `/api/sessions/${session}/inputs`],
      ['DELETE', `/api/sessions/${session}`],
      ['GET', `/api/agents/runs/${run}`],
      ['GET', `/api/agents/runs/${run}/events`],
      ['POST', `/api/agents/runs/${run}/cancel`],
      ['GET', '/api/decisions/tsk_x'],
    ] as const;
    for (const [method, path] of foreign)
      expect([path, (await a.request(method, path)).status]).toEqual([path, 404]);
    expect(seen.length).toBeGreaterThanOrEqual(foreign.length);
    expect(seen).not.toContain(null);
    expect((await b.get(`/api/sessions/${session}`)).status).toBe(200);
    expect((await b.get(`/api/agents/runs/${run}`)).json.status).toBe('queued');
  });

  it('a tenant’s own requests do all they did before', async () => {
    const own = await a.sessionWith({ 'notes.md': 'of A' });
    expect((await a.get(`/api/sessions/${own}/inputs`)).json.items).toHaveLength(1);
    const started = await a.startRun(own);
    expect((await a.post(`/api/agents/runs/${started.id}/cancel`)).status).toBe(200);
    expect((await a.events(started.id)).map(({ type }) => type)).toContain('done');
    expect((await a.request('DELETE', `/api/sessions/${own}`)).status).toBe(204);
    expect((await a.get('/api/audit')).json.items).not.toHaveLength(0);
    expect(await gateway.infrastructure.db.auditEntry.count({ where: { action: 'deleteSession' } })).toBe(1);
  });
});
