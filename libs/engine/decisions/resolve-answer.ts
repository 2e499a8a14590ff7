import { answerSchema, decisionRequestSchema, type DecisionRequest } from '#catalogue/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import {
  DecisionRepository,
  type DecisionRow,
  RememberedDecisionRepository,
} from '#db/repositories/decisions.js';
import { SessionFileRepository, type NewSessionFile } from '#db/repositories/session-files.js';
import type { Engine } from '../engine.js';
import type { AnswerContext } from '../kind.js';

/** Answer as received: JSON, and uploaded files by reference. */
export interface GivenAnswer {
  body: Record<string, unknown>;
  uploads: Map<string, NewSessionFile>;
  /** Storage limit of the tenant in bytes, checked for uploads; no limit if omitted. */
  maxStorageBytes?: bigint;
  /** IDs of the early answers that the answer consists of. */
  early?: readonly string[];
}

/**
 * Returns the answer as the run receives it: for each reference, `skip` or the name of an asset of the
 * session. Chosen files become assets.
 *
 * @throws ProblemError `invalid_answer` with the parts that do not fit the question
 */
export async function resolveAnswer(
  { db, kinds }: Engine,
  decision: DecisionRow,
  { body, uploads, maxStorageBytes }: GivenAnswer,
): Promise<Record<string, unknown>> {
  const uploaded = Object.fromEntries([...uploads].map(([ref, file]) => [ref, `use:${file.name}`]));
  const merged =
    uploads.size === 0
      ? body
      : { ...body, user_decisions: { ...(body.user_decisions as object | undefined), ...uploaded } };
  const request = decisionRequestSchema.parse(decision.input);
  const parsed = answerSchema(request).safeParse(merged);
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => ({
      path: issue.path.join('.'),
      message: issue.message,
    }));
    throw new ProblemError('invalid_answer', phrase('invalid_answer.schema'), errors);
  }
  const answer = await chooseAssets(db, decision, parsed.data, uploads, maxStorageBytes);
  const resolver = resolverOf(kinds, decision, request);
  return (await resolver?.resolve?.(answer, request, contextOf(db, decision))) ?? answer;
}

/** Replaces the files that an answer chooses with the names of the session's assets. */
async function chooseAssets(
  db: Database,
  decision: DecisionRow,
  answer: Record<string, unknown>,
  uploads: GivenAnswer['uploads'],
  maxStorageBytes: bigint | undefined,
): Promise<Record<string, unknown>> {
  const choices = answer['user_decisions'] as Record<string, string> | undefined;
  if (!choices) return answer;
  const userDecisions: Record<string, string> = {};
  for (const [ref, choice] of Object.entries(choices)) {
    userDecisions[ref] =
      choice === 'skip'
        ? 'skip'
        : await assetFor(db, decision, choice.slice('use:'.length), uploads.get(ref), maxStorageBytes);
  }
  return { ...answer, user_decisions: userDecisions };
}

/**
 * Makes the chosen file an asset; an upload with the name of an asset of different content gets its hash as a
 * name prefix.
 */
async function assetFor(
  db: Database,
  { tenantId, run: { sessionId } }: DecisionRow,
  name: string,
  upload?: NewSessionFile,
  maxStorageBytes?: bigint,
): Promise<string> {
  const files = new SessionFileRepository(db);
  if (upload) {
    const add = async (file: NewSessionFile) => {
      if (maxStorageBytes === undefined) return (await files.add(tenantId, file)).file;
      const [added] = await files.addWithin(tenantId, [file], { bytes: maxStorageBytes });
      return added!.file;
    };
    const file = await add(upload);
    if (file.sha256 === upload.sha256) return file.name;
    return (await add({ ...upload, name: `${upload.sha256.slice(0, 8)}-${upload.name}` })).name;
  }
  const asset = await files.find(tenantId, sessionId, 'assets', name);
  if (asset) return asset.name;
  const input = await files.find(tenantId, sessionId, 'inputs', name);
  if (!input) {
    const errors = [{ path: 'user_decisions', message: `the session has no file "${name}"` }];
    throw new ProblemError('invalid_answer', phrase('invalid_answer.file_choice'), errors);
  }
  const { objectKey, size, sha256, mediaType } = input;
  const copy = { sessionId, folder: 'assets' as const, name, objectKey, size, sha256, mediaType };
  return (await files.add(tenantId, copy)).file.name;
}

/** Lets the run's kind store data from an accepted answer (X2). */
export async function rememberAnswer(
  { db, kinds }: Engine,
  decision: DecisionRow,
  answer: Record<string, unknown>,
): Promise<void> {
  const request = decisionRequestSchema.parse(decision.input);
  const resolver = resolverOf(kinds, decision, request);
  await resolver?.remember?.(answer, request, contextOf(db, decision));
}

const resolverOf = (kinds: Engine['kinds'], { run }: DecisionRow, { decision_type }: DecisionRequest) =>
  kinds.get(run.kind)?.answerResolvers[decision_type];

/** Returns the data access of a resolver, limited to the decision's session and tenant. */
function contextOf(db: Database, { tenantId, runId, run: { sessionId } }: DecisionRow): AnswerContext {
  const files = new SessionFileRepository(db);
  return {
    tenantId,
    async file(folder, name) {
      const row = await files.find(tenantId, sessionId, folder, name);
      if (!row) return null;
      const { objectKey, size, sha256, mediaType } = row;
      return { name: row.name, objectKey, size, sha256, mediaType };
    },
    taskOutput: (name) => new DecisionRepository(db).taskOutput(tenantId, runId, name),
    remember: (sha256, ref, file) => new RememberedDecisionRepository(db).keep(tenantId, sha256, ref, file),
  };
}
