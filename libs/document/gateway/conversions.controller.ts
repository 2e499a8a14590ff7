import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import { derivedId } from '#contracts/ids.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import type { Engine } from '#engine/engine.js';
import { deleteSession } from '#engine/runs/delete.js';
import { filesOf } from '#gateway/http/multipart.js';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { AT_ONCE, RunsService, SettledRuns } from '#gateway/runs/runs.service.js';
import { InputsService } from '#gateway/sessions/inputs.service.js';
import { ENGINE, LOGGER, SETTINGS, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Logger } from '#telemetry/logger.js';
import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CONVERSION } from '../contract.js';

/** Conversions of files by rules, in one request. */
@Controller()
export class ConversionsController {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly sessions: SessionRepository,
    private readonly inputs: InputsService,
    private readonly runs: RunsService,
    private readonly settled: SettledRuns,
  ) {}

  @Route('convertFiles')
  async convert(
    { caller, query: { sync, encoding, ...options }, raw }: EndpointRequest<'convertFiles'>,
    @IdFromKey('run') runId: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { tenantId } = caller;
    const given = runId === undefined ? undefined : derivedId('ses', runId);
    const session = await this.sessions.create(tenantId, options.title ?? null, given);
    try {
      await this.inputs.upload(
        caller,
        session.id,
        filesOf(raw, this.settings.MAX_FILES_PER_SESSION),
        encoding,
      );
      const request = {
        session_id: session.id,
        inputs: { ...options, ...CONVERSION },
        ...AT_ONCE,
      };
      const run = await this.runs.start(tenantId, request, runId);
      return await this.settled.answer(sync, caller, run, reply, 'end');
    } catch (error) {
      // After a failure of the service, a repeat with the same key works in the same session.
      const isRepeated = given !== undefined && !(error instanceof ProblemError && error.status < 500);
      if (!isRepeated) await this.remove(tenantId, session.id);
      throw error;
    }
  }

  /** Removes a session without a run: nothing names it, and its files would count towards the quota. */
  private async remove(tenantId: string, sessionId: string): Promise<void> {
    try {
      const started = await this.runs.latestOf(tenantId, [sessionId]);
      if (started.size === 0) await deleteSession(this.engine, this.store, tenantId, sessionId);
    } catch (error) {
      this.log.warn(
        { err: error, session_id: sessionId },
        'failed to remove the files of a refused conversion',
      );
    }
  }
}
