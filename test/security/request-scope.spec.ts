import { DecisionRepository } from '#db/repositories/decisions.js';
import { PlanCommandRepository } from '#plan/store/commands.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import { currentTenant } from '#db/tenant-scope.js';
import type { ApiClient, ApiResponse } from '#testing/api-client.js';
import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { GatewayInProcess } from '../api/gateway-in-process.js';

/** A repository without tenant conditions: the defect against which row-level security protects. */
const broken = { tenantId: undefined as never };

let gateway: GatewayInProcess;
let a: ApiClient;
let b: ApiClient;

beforeAll(async () => {
  gateway = await GatewayInProcess.start();
  [a, b] = [await gateway.client('a'), await gateway.client('b')];
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await gateway.stop();
});

describe('requests of tenants run within row-level security', () => {
  let session: string;
  let run: string;

  beforeAll(async () => {
    session = await b.sessionWith({ 'secret.md': 'of B' });
    run = (await b.startRun(session)).id;
  });

  it('a repository without its tenant condition still returns no rows of another tenant', async () => {
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
      .mockImplementation(() =>
        unscoped(() => db.task.findFirst({ include: { run: { include: { session: true } }, votes: true } })),
      );

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

  it('a tenant’s own requests still work', async () => {
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

describe('X3 a request with an Idempotency-Key whose response could not be stored', () => {
  let plan: string;

  beforeAll(async () => {
    const session_id = await a.sessionWith({ 'notes.md': 'of A' });
    const dag = { tasks: [{ id: 'list', tool: 'list_inputs' }] };
    plan = String((await a.post('/api/plans', { session_id, dag })).json.id);
    await gateway.infrastructure.db.$executeRaw`
      CREATE FUNCTION refuse_answer() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the disk is full'; END $$`;
  });

  /** Sends a request twice with one key; storing the first response fails. */
  async function sendTwice(path: string, body: object): Promise<[ApiResponse, ApiResponse]> {
    const { db } = gateway.infrastructure;
    const key = { 'idempotency-key': randomUUID() };
    await db.$executeRaw`
      CREATE TRIGGER refuse_answer BEFORE UPDATE ON idempotency_keys FOR EACH ROW
      WHEN (NEW.status IS NOT NULL) EXECUTE FUNCTION refuse_answer()`;
    const first = await a.request('POST', path, body, key);
    await db.$executeRaw`DROP TRIGGER refuse_answer ON idempotency_keys`;
    return [first, await a.request('POST', path, body, key)];
  }

  it('gets its response, and its repeat finds what it created', async () => {
    const [first, again] = await sendTwice('/api/sessions', { title: 'made once' });
    const made = await gateway.infrastructure.db.session.findMany({ where: { title: 'made once' } });
    expect(made.map(({ id }) => id)).toEqual([again.json.id]);
    expect([first.status, first.json.id]).toEqual([201, again.json.id]);
  });

  it('sends a command to a plan once, also if it was interrupted after storing the command', async () => {
    const anew = { type: 'replan_dag', new_requirement: 'zzz' };
    const path = `/api/plans/${plan}/commands`;
    const [first, again] = await sendTwice(path, anew);
    expect(again.json).toEqual(first.json);
    const { add } = PlanCommandRepository.prototype;
    jest.spyOn(PlanCommandRepository.prototype, 'add').mockImplementationOnce(async function (
      this: PlanCommandRepository,
      ...given
    ) {
      await add.apply(this, given);
      throw new Error('Connection terminated unexpectedly');
    });
    const key = { 'idempotency-key': randomUUID() };
    expect((await a.request('POST', path, anew, key)).status).toBe(503);
    expect((await a.request('POST', path, anew, key)).status).toBe(202);
    expect(await gateway.infrastructure.db.planCommand.count({ where: { runId: plan } })).toBe(2);
  });

  it('is not repeated if that would take effect twice', async () => {
    const [first, again] = await sendTwice('/api/tools/graph/reset', {});
    expect(first.status).toBe(200);
    expect([again.status, again.json.code]).toEqual([409, 'idempotency_outcome_unknown']);
  });
});
