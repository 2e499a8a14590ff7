import { answerJsonSchema, decisionRequestSchema } from '#catalogue/decisions.js';
import type { PageRequest } from '#db/page.js';
import type { Caller } from '#db/repositories/tenants.js';
import type { GivenAnswer } from '#engine/decisions/resolve-answer.js';
import { Controller } from '@nestjs/common';
import { byTime, readPage } from '../http/page.js';
import { Route, type EndpointRequest } from '../http/route.js';
import { FileIntake } from '../sessions/file-intake.js';
import { QuotaService } from '../tenants/quota.service.js';
import { DecisionsService } from './decisions.service.js';
import { earlyAnswerView } from './views.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { NewSessionFile } from '#db/repositories/session-files.js';
import type { FastifyRequest } from 'fastify';
import { partsOf } from '../http/multipart.js';

@Controller()
export class DecisionsController {
  constructor(
    private readonly decisions: DecisionsService,
    private readonly intake: FileIntake,
    private readonly quota: QuotaService,
  ) {}

  @Route('listDecisions')
  list({ tenantId, query: { status, run_id, assignee, ...query } }: EndpointRequest<'listDecisions'>) {
    const selection = { status, runId: run_id, assignee };
    const read = (request: PageRequest) => this.decisions.page(tenantId, selection, request);
    return readPage(query, byTime, read, (rows) => this.decisions.views(tenantId, rows));
  }

  @Route('getDecision')
  async get({ tenantId, params: { decision_id: id } }: EndpointRequest<'getDecision'>) {
    return this.decisions.view(tenantId, await this.decisions.require(tenantId, id));
  }

  @Route('answerDecision')
  async answer({ caller, params: { decision_id: id }, raw: request }: EndpointRequest<'answerDecision'>) {
    const decision = await this.decisions.requireAnswerable(caller, id);
    if (request.isMultipart()) await this.quota.requireStorage(caller.tenantId, 0);
    const schema = () => answerJsonSchema(decisionRequestSchema.parse(decision.input));
    const given = await readAnswer(request, caller.tenantId, decision.run.sessionId, this.intake, schema);
    await this.limitUploads(caller, given);
    const answered = await this.decisions.answer(caller, decision, given);
    return this.decisions.view(caller.tenantId, answered);
  }

  @Route('changeDecisionFinding')
  changeFinding({ caller, params, body }: EndpointRequest<'changeDecisionFinding'>) {
    return this.decisions.changeFinding(caller, params.decision_id, params.finding_id, body);
  }

  @Route('giveEarlyAnswer')
  async answerEarly({ caller, params: { run_id: runId }, body }: EndpointRequest<'giveEarlyAnswer'>) {
    return earlyAnswerView(await this.decisions.answerEarly(caller, runId, body));
  }

  @Route('listEarlyAnswers')
  listEarly({ tenantId, params: { run_id: runId }, query }: EndpointRequest<'listEarlyAnswers'>) {
    const read = (request: PageRequest) => this.decisions.pageOfEarly(tenantId, runId, request);
    return readPage(query, byTime, read, (rows) => rows.map(earlyAnswerView));
  }

  /**
   * Refuses uploads that exceed the storage quota; concurrent uploads are counted again when the files are
   * added.
   */
  private async limitUploads({ tenantId }: Caller, given: GivenAnswer): Promise<void> {
    const uploads = [...given.uploads.values()];
    if (uploads.length === 0) return;
    given.maxStorageBytes = await this.quota.storageLimit(tenantId);
    const bytes = uploads.reduce((sum, { size }) => sum + size, 0);
    await this.quota.requireStorage(tenantId, bytes).catch(async (error: unknown) => {
      await this.intake.drop(uploads);
      throw error;
    });
  }
}

/** Field of an answer that contains the decisions about references. */
export const DECISIONS = 'user_decisions';

/**
 * Reads an answer. A multipart part named like a field of the answer's schema is that field: text, or JSON if
 * the schema expects no text. The name of any other part is a reference; its value is a file, `skip` or
 * `use:NAME`.
 *
 * @param schema returns the JSON schema of the answer
 */
export async function readAnswer(
  request: FastifyRequest,
  tenantId: string,
  sessionId: string,
  intake: FileIntake,
  schema: () => Record<string, unknown>,
): Promise<GivenAnswer> {
  const uploads = new Map<string, NewSessionFile>();
  if (!request.isMultipart()) {
    const body = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new ProblemError('invalid_answer', phrase('invalid_answer.json_or_multipart'));
    }
    return { body: body as Record<string, unknown>, uploads };
  }
  const fields: [name: string, text: string][] = [];
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'file') {
        const file = await intake.storePart(tenantId, sessionId, 'assets', part);
        if (file.size === 0)
          throw new ProblemError('empty_upload', phrase('empty_upload.answer_file', { name: file.name }));
        uploads.set(part.fieldname, file);
      } else fields.push([part.fieldname, String(part.value)]);
    }
  } catch (error) {
    await intake.drop([...uploads.values()]);
    throw error;
  }
  return { body: answerOfForm(fields, schema()), uploads };
}

/** Returns the answer in a form: a field of the schema by its type, and any other as the choice for a reference. */
export function answerOfForm(
  fields: Iterable<[name: string, text: string]>,
  schema: JsonSchema,
): Record<string, unknown> {
  const known = { ...schema.properties };
  delete known[DECISIONS];
  const body: Record<string, unknown> = {};
  const choices: Record<string, string> = {};
  for (const [name, text] of fields)
    if (Object.hasOwn(known, name)) body[name] = valueOf(text, known[name]!);
    else choices[name] = text;
  return Object.keys(choices).length > 0 ? { ...body, [DECISIONS]: choices } : body;
}

/** The part of an answer's schema that its forms use. */
export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  description?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
}

/**
 * Parses the value of a part; returns the text itself if the schema expects text or it is not JSON.
 * Validation of the whole answer refuses a wrong value.
 */
function valueOf(text: string, { type, enum: values, const: only }: JsonSchema): unknown {
  const isText = type === 'string' || values?.includes(text) || only === text;
  if (isText) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
