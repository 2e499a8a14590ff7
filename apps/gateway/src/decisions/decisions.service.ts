import { answerSchema, decisionRequestSchema, type DecisionRequest } from '#contracts/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import type { Database } from '#db/client.js';
import { DecisionRepository, type DecisionFilter, type DecisionRow } from '#db/repositories/decisions.js';
import { RememberedDecisionRepository, type RememberedFile } from '#db/repositories/remembered-decisions.js';
import { SessionFileRepository, type NewSessionFile } from '#db/repositories/session-files.js';
import type { Caller } from '#db/repositories/tenants.js';
import { completeTask } from '#run-engine/complete.js';
import type { Engine } from '#run-engine/engine.js';
import { DATABASE, ENGINE } from '#runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';

/** An answer as it came in: JSON, and files for references. */
export interface GivenAnswer {
  body: Record<string, unknown>;
  uploads: Map<string, NewSessionFile>;
}

/** Questions to people and their answers (X3). */
@Injectable()
export class DecisionsService {
  private readonly decisions: DecisionRepository;
  private readonly files: SessionFileRepository;
  private readonly remembered: RememberedDecisionRepository;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(ENGINE) private readonly engine: Engine,
  ) {
    this.decisions = new DecisionRepository(db);
    this.files = new SessionFileRepository(db);
    this.remembered = new RememberedDecisionRepository(db);
  }

  list(tenantId: string, filter: DecisionFilter, runId?: string): Promise<DecisionRow[]> {
    return this.decisions.list(tenantId, filter, runId);
  }

  /** @throws ProblemError `not_found` */
  async require(tenantId: string, decisionId: string): Promise<DecisionRow> {
    const row = await this.decisions.find(tenantId, decisionId);
    if (!row)
      throw new ProblemError(
        'not_found',
        'There is no decision of that id. GET /api/decisions lists the open ones.',
      );
    return row;
  }

  /**
   * Takes an answer: the first wins, the same one again changes nothing, another one is refused.
   *
   * @throws ProblemError `invalid_answer`, `decision_answered`, `decision_stale`
   */
  async answer(caller: Caller, decisionId: string, given: GivenAnswer): Promise<DecisionRow> {
    const row = await this.require(caller.tenantId, decisionId);
    const request = decisionRequestSchema.parse(row.input);
    const output = await this.outputOf(caller.tenantId, row, request, given);
    const won = await completeTask(this.engine, row.id, row.runId, { ok: true, output }, caller.apiKeyId, {
      type: 'decision_answered',
      data: { decision_id: row.id, by: caller.apiKeyId, answer: output },
      effectKey: `decision_answered/${row.id}`,
    });
    const now = await this.require(caller.tenantId, decisionId);
    if (won) {
      await this.remember(caller.tenantId, now, output);
      return now;
    }
    if (now.status !== 'completed')
      throw new ProblemError('decision_stale', 'The run does not wait for this decision any more.');
    if (isDeepStrictEqual(now.output, output)) return now;
    throw new ProblemError(
      'decision_answered',
      'The first answer counts; it was another one. GET the decision to see it.',
    );
  }

  /** The answer as the run takes it: each reference is `skip` or the name of an asset of the session. */
  private async outputOf(
    tenantId: string,
    row: DecisionRow,
    request: DecisionRequest,
    { body, uploads }: GivenAnswer,
  ): Promise<Record<string, unknown>> {
    const uploaded = Object.fromEntries([...uploads].map(([ref, file]) => [ref, `use:${file.name}`]));
    const merged =
      uploads.size === 0
        ? body
        : { ...body, user_decisions: { ...(body.user_decisions as object | undefined), ...uploaded } };
    const parsed = answerSchema(request).safeParse(merged);
    if (!parsed.success) {
      const errors = parsed.error.issues.map((issue) => ({
        path: issue.path.join('.'),
        message: issue.message,
      }));
      throw new ProblemError(
        'invalid_answer',
        'Answer by the "answer_schema" of the decision; "errors" names what is wrong.',
        errors,
      );
    }
    const choices = parsed.data.user_decisions as Record<string, string> | undefined;
    if (!choices) return parsed.data;
    const userDecisions: Record<string, string> = {};
    for (const [ref, choice] of Object.entries(choices)) {
      const file = uploads.get(ref);
      userDecisions[ref] =
        choice === 'skip'
          ? 'skip'
          : await this.assetFor(tenantId, row.run.sessionId, choice.slice('use:'.length), file);
    }
    return { ...parsed.data, user_decisions: userDecisions };
  }

  /** Makes the chosen file an asset; an upload whose name is taken by other content gets its hash into the name. */
  private async assetFor(
    tenantId: string,
    sessionId: string,
    name: string,
    upload?: NewSessionFile,
  ): Promise<string> {
    if (upload) {
      const { file } = await this.files.add(tenantId, upload);
      if (file.sha256 === upload.sha256) return file.name;
      const renamed = { ...upload, name: `${upload.sha256.slice(0, 8)}-${upload.name}` };
      return (await this.files.add(tenantId, renamed)).file.name;
    }
    const asset = await this.files.find(tenantId, sessionId, 'assets', name);
    if (asset) return asset.name;
    const input = await this.files.find(tenantId, sessionId, 'inputs', name);
    if (!input) {
      const errors = [{ path: 'user_decisions', message: `the session has no file "${name}"` }];
      throw new ProblemError(
        'invalid_answer',
        'Choose a file that the session has, upload one, or skip.',
        errors,
      );
    }
    const { objectKey, size, sha256, mediaType } = input;
    return (
      await this.files.add(tenantId, {
        sessionId,
        folder: 'assets',
        name,
        objectKey,
        size,
        sha256,
        mediaType,
      })
    ).file.name;
  }

  /** X2: keeps the answers by the content of the sources, so that they are never asked twice. */
  private async remember(tenantId: string, row: DecisionRow, output: Record<string, unknown>): Promise<void> {
    const sessionId = row.run.sessionId;
    for (const [ref, choice] of Object.entries(
      (output.user_decisions as Record<string, string> | undefined) ?? {},
    )) {
      const asset = choice === 'skip' ? null : await this.files.find(tenantId, sessionId, 'assets', choice);
      const file: RememberedFile | null = asset && {
        name: asset.name,
        objectKey: asset.objectKey,
        size: asset.size,
        sha256: asset.sha256,
        mediaType: asset.mediaType,
      };
      for (const source of await this.decisions.sourcesOf(tenantId, row.runId, ref)) {
        const input = await this.files.find(tenantId, sessionId, 'inputs', source);
        if (input) await this.remembered.keep(tenantId, input.sha256, ref, file);
      }
    }
  }
}
