import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { DocumentExports } from '#gateway/runs/feature-ports.js';
import { AT_ONCE, RunsService } from '#gateway/runs/runs.service.js';
import { SessionAccess } from '#gateway/tenants/session-access.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { Controller, Inject, Injectable } from '@nestjs/common';
import { documentKind } from '../contract.js';
import { findWrittenManuscript } from '../store/written-run.js';

/** Starts the runs that convert manuscripts. */
@Injectable()
export class DocumentExportsService implements DocumentExports {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    private readonly runs: RunsService,
  ) {}

  async start(tenantId: string, sessionId: string, body: object, runId?: string) {
    const written = await findWrittenManuscript(this.db, tenantId, sessionId);
    if (typeof written === 'string')
      throw new ProblemError('no_manuscript', phrase(`no_manuscript.${written}`));
    const options = documentKind.inputs.parse(written.run.inputs);
    const one = {
      export_only: true,
      ask_again: undefined,
      discard_changes: undefined,
      only_changed: undefined,
    };
    const inputs = { ...options, proposals: undefined, ...body, ...one };
    return this.runs.start(tenantId, { session_id: sessionId, inputs, ...AT_ONCE }, runId);
  }
}

/** Word files of manuscripts that have changed since they were written. */
@Controller()
export class DocumentExportsController {
  constructor(
    private readonly access: SessionAccess,
    private readonly exports: DocumentExports,
  ) {}

  @Route('exportDocument')
  async export(
    { tenantId, params: { session_id: sessionId }, body }: EndpointRequest<'exportDocument'>,
    @IdFromKey('run') runId: string | undefined,
  ) {
    await this.access.require(tenantId, sessionId);
    return this.exports.start(tenantId, sessionId, body, runId);
  }
}
