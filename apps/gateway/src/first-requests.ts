import { endpoints } from '#contracts/api/endpoints.js';
import { ProblemError } from '#contracts/errors.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import type { Database } from '#db/client.js';
import { asTenant } from '#db/tenant-scope.js';
import { DATABASE } from '#runtime/infrastructure.module.js';
import type { WarmsUp } from '#runtime/warm-up.js';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { RunsService } from './runs/runs.service.js';
import { InputsService } from './sessions/inputs.service.js';
import { SessionAccess } from './sessions/session-access.js';
import { QuotaService } from './tenants/quota.service.js';

/** No id is like it: whatever is asked for it finds nothing. */
const NOBODY = 'nobody';
/** Of the form that a key has, so that it is looked for. */
const NO_KEY = `scr_${'0'.repeat(12)}_${'0'.repeat(43)}`;
/** Longer than the first look at a run takes. */
const FOLLOW_MS = 200;

/**
 * What the requests of a run ask the database and check, for a tenant that does not exist: the first of them takes ten times as long as those
 * that follow. Only reads.
 */
@Injectable()
export class FirstRequests implements WarmsUp {
  private readonly keys: ApiKeyRepository;
  private readonly results: SessionResultRepository;
  private readonly exports: ExportRepository;

  constructor(
    @Inject(DATABASE) db: Database,
    private readonly host: HttpAdapterHost,
    private readonly access: SessionAccess,
    private readonly inputs: InputsService,
    private readonly quota: QuotaService,
    private readonly runs: RunsService,
  ) {
    this.keys = new ApiKeyRepository(db);
    this.results = new SessionResultRepository(db);
    this.exports = new ExportRepository(db);
  }

  async warmUp(signal: AbortSignal): Promise<void> {
    endpoints.createSession.body.safeParse({ title: 'A' });
    endpoints.startRun.body.safeParse({ session_id: NOBODY, inputs: { title: 'A' } });
    await this.host.httpAdapter.getInstance<FastifyInstance>().inject({ url: '/api/health/' });
    await this.keys.authenticate(NO_KEY);
    for (const ask of this.questions(signal)) {
      signal.throwIfAborted();
      await asTenant(NOBODY, ask).catch(passOverProblem);
    }
  }

  /** In the order of a run's requests. */
  private questions(signal: AbortSignal): (() => Promise<unknown>)[] {
    return [
      () => this.access.require(NOBODY, NOBODY),
      () => this.quota.requireStorage(NOBODY, 0),
      () => this.quota.addInputs(NOBODY, []),
      () => this.inputs.list(NOBODY, NOBODY),
      () => this.quota.requireModelBudget(NOBODY, {}),
      () => this.runs.requireId(NOBODY, NOBODY),
      () => this.runs.list(NOBODY, endpoints.listRuns.query.parse({ session_id: NOBODY })),
      () => this.runs.read(NOBODY, NOBODY),
      () => this.follow(signal),
      () => this.results.list(NOBODY, NOBODY),
      () => this.exports.page(NOBODY, NOBODY, { take: 1 }),
      () => this.exports.find(NOBODY, NOBODY, NOBODY),
    ];
  }

  /** A run that is not there has no last event: following it never ends by itself. */
  private async follow(signal: AbortSignal): Promise<void> {
    const until = AbortSignal.any([signal, AbortSignal.timeout(FOLLOW_MS)]);
    for await (const event of this.runs.follow(NOBODY, 0, until)) void event;
  }
}

/** Nothing of nobody is there: that is what the answers say. */
function passOverProblem(error: unknown): void {
  if (!(error instanceof ProblemError)) throw error;
}
