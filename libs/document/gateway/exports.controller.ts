import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { RunsService } from '#gateway/runs/runs.service.js';
import { SessionAccess } from '#gateway/sessions/session-access.js';
import { Controller } from '@nestjs/common';
import { documentKind } from '../contract.js';

/** Word files of manuscripts that have changed since they were written. */
@Controller()
export class DocumentExportsController {
  constructor(
    private readonly access: SessionAccess,
    private readonly results: SessionResultRepository,
    private readonly rows: RunRepository,
    private readonly runs: RunsService,
  ) {}

  @Route('exportDocument')
  async export(
    { tenantId, params: { session_id: sessionId }, body }: EndpointRequest<'exportDocument'>,
    @IdFromKey('run') runId: string | undefined,
  ) {
    await this.access.require(tenantId, sessionId);
    const manuscript = await this.results.find(tenantId, sessionId, 'manuscript', documentKind.kind);
    const last = manuscript && (await this.rows.find(tenantId, manuscript.runId));
    if (!last) throw new ProblemError('no_manuscript', phrase('no_manuscript.not_started'));
    const { ask_again: _, discard_changes: __, ...options } = documentKind.inputs.parse(last.inputs);
    // A manuscript that was not finished is not converted, as its coverage was neither reached nor accepted (D24).
    if (last.status !== 'completed' && options.export_only !== true)
      throw new ProblemError('no_manuscript', phrase('no_manuscript.unfinished'));
    const inputs = { ...options, ...body, export_only: true };
    const run = { session_id: sessionId, inputs, on_conflict: 'reject' as const, budget: {}, priority: 0 };
    return this.runs.start(tenantId, run, runId);
  }
}
