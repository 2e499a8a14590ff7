import type { Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import { deleteSession } from '#engine/runs/delete.js';
import type { Engine } from '#engine/engine.js';
import { DATABASE, ENGINE, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Controller, Inject } from '@nestjs/common';
import { byTime, readPage } from '../http/page.js';
import { IdFromKey, Route, type EndpointRequest } from '../http/route.js';
import { RunsService } from '../runs/runs.service.js';
import { SESSION_DELETION_HOOKS, type SessionDeletionHook } from '../feature.js';
import { SessionAccess, sessionView } from '../tenants/session-access.js';

@Controller()
export class SessionsController {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SESSION_DELETION_HOOKS) private readonly hooks: readonly SessionDeletionHook[],
    private readonly access: SessionAccess,
    private readonly runs: RunsService,
    private readonly sessions: SessionRepository,
  ) {}

  @Route('createSession')
  async create(
    { tenantId, body }: EndpointRequest<'createSession'>,
    @IdFromKey('ses') id: string | undefined,
  ) {
    return sessionView(await this.sessions.create(tenantId, body.title ?? null, id));
  }

  @Route('listSessions')
  list({ tenantId, query }: EndpointRequest<'listSessions'>) {
    const { kind, title } = query;
    const read = (request: PageRequest) => this.sessions.page(tenantId, request, { kind, title });
    return readPage(query, byTime, read, async (rows) => {
      const ids = rows.map(({ id }) => id);
      const runs = await this.runs.latestOf(tenantId, ids, kind);
      return rows.map((row) => ({ ...sessionView(row), latest_run: runs.get(row.id) ?? null }));
    });
  }

  @Route('listWork')
  listWork({ tenantId, query }: EndpointRequest<'listWork'>) {
    return this.runs.listWork(tenantId, query);
  }

  @Route('getSession')
  async get({ tenantId, params: { session_id: sessionId } }: EndpointRequest<'getSession'>) {
    return sessionView(await this.access.require(tenantId, sessionId));
  }

  @Route('changeSession')
  async change({
    tenantId,
    params: { session_id: sessionId },
    body: { title },
  }: EndpointRequest<'changeSession'>) {
    const session = await this.access.require(tenantId, sessionId);
    await this.sessions.rename(tenantId, sessionId, title);
    return sessionView({ ...session, title });
  }

  @Route('deleteSession')
  async remove({ tenantId, params: { session_id: sessionId } }: EndpointRequest<'deleteSession'>) {
    await this.access.require(tenantId, sessionId);
    const afterwards = await Promise.all(
      this.hooks.map((hook) => hook(this.db, this.store, tenantId, sessionId)),
    );
    await deleteSession(this.engine, this.store, tenantId, sessionId);
    for (const removeRest of afterwards) await removeRest();
  }
}
