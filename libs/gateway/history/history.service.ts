import type {
  forkRequestSchema,
  promoteRequestSchema,
  restoreRequestSchema,
} from '#contracts/api/history-schemas.js';
import type { PageQuery } from '#contracts/api/paging.js';
import type { PageRequest, TimePosition } from '#db/page.js';
import type { Engine } from '#engine/engine.js';
import { forkSession, restoreSession } from '#engine/history/fork.js';
import { promoteFork } from '#engine/history/promote.js';
import { readHistory, type HistoryEntry, readStep } from '#engine/history/read-history.js';
import { ENGINE, STORE } from '#kit/runtime/infrastructure.module.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { byTime, readPage, type CursorFormat } from '../http/page.js';
import { RunsService } from '../runs/runs.service.js';
import { SessionAccess, sessionView } from '../tenants/session-access.js';
import { QuotaService } from '../tenants/quota.service.js';

const byEntry: CursorFormat<HistoryEntry, TimePosition> = {
  ...byTime,
  write: ({ at, checkpoint_id }) => [Date.parse(at), checkpoint_id],
};

/** Checkpoints of runs, and runs that continue from them (X5). */
@Injectable()
export class HistoryService {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly runs: RunsService,
    private readonly access: SessionAccess,
    private readonly quota: QuotaService,
  ) {}

  async list(tenantId: string, runId: string, query: PageQuery) {
    const run = await this.runs.require(tenantId, runId);
    const manuscripts = new ManuscriptStore(this.store, tenantId, run.sessionId);
    const read = (request: PageRequest) => readHistory(this.engine, manuscripts, run, request);
    return readPage(query, byEntry, read, (entries) => entries);
  }

  async step(tenantId: string, runId: string, checkpointId: string) {
    return readStep(this.engine, await this.runs.require(tenantId, runId), checkpointId);
  }

  /** @param id of the new run if the request may be a repeat, which then changes nothing more */
  async restore(
    tenantId: string,
    sessionId: string,
    request: z.infer<typeof restoreRequestSchema>,
    id?: string,
  ) {
    await this.access.require(tenantId, sessionId);
    await this.quota.requireModelBudget(tenantId, {});
    const runId = await restoreSession(this.engine, {
      ...(id === undefined ? {} : { id }),
      tenantId,
      sessionId,
      runId: request.run_id,
      checkpointId: request.checkpoint_id,
      onConflict: request.on_conflict,
    });
    return this.runs.read(tenantId, runId);
  }

  /** @param ids of the new session and run if the request may be a repeat, which then changes nothing more */
  async fork(
    tenantId: string,
    sessionId: string,
    request: z.infer<typeof forkRequestSchema>,
    ids?: { sessionId: string; runId: string },
  ) {
    await this.access.require(tenantId, sessionId);
    await this.quota.requireModelBudget(tenantId, {});
    const made = await forkSession(
      this.engine,
      this.store,
      {
        ...(ids ? { ids } : {}),
        tenantId,
        sessionId,
        runId: request.run_id,
        checkpointId: request.checkpoint_id,
        ...(request.title === undefined ? {} : { title: request.title }),
      },
      await this.quota.copyAdmission(tenantId),
    );
    const session = sessionView(await this.access.require(tenantId, made.sessionId));
    return { session, run: await this.runs.read(tenantId, made.runId) };
  }

  async promote(tenantId: string, sessionId: string, request: z.infer<typeof promoteRequestSchema>) {
    await this.access.require(tenantId, sessionId);
    await this.quota.requireModelBudget(tenantId, {});
    const runId = await promoteFork(
      this.engine,
      this.store,
      {
        tenantId,
        sessionId,
        forkSessionId: request.fork_session_id,
        onConflict: request.on_conflict,
      },
      await this.quota.copyAdmission(tenantId),
    );
    return this.runs.read(tenantId, runId);
  }
}
