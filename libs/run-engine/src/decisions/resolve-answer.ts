import { answerSchema, decisionRequestSchema } from '#contracts/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import type { Database } from '#db/client.js';
import { DecisionRepository, type DecisionRow } from '#db/repositories/decisions.js';
import { RememberedDecisionRepository, type RememberedFile } from '#db/repositories/remembered-decisions.js';
import { SessionFileRepository, type NewSessionFile } from '#db/repositories/session-files.js';

/** An answer as it came in: JSON, and files for references. */
export interface GivenAnswer {
  body: Record<string, unknown>;
  uploads: Map<string, NewSessionFile>;
  /** Bytes that the tenant may keep, for uploads; without it they are not limited. */
  maxStorageBytes?: bigint;
}

/**
 * The answer as the run takes it: each reference is `skip` or the name of an asset of the session; chosen files become
 * assets.
 *
 * @throws ProblemError `invalid_answer` that names what does not fit the question
 */
export async function resolveAnswer(
  db: Database,
  decision: DecisionRow,
  { body, uploads, maxStorageBytes }: GivenAnswer,
): Promise<Record<string, unknown>> {
  const uploaded = Object.fromEntries([...uploads].map(([ref, file]) => [ref, `use:${file.name}`]));
  const merged =
    uploads.size === 0
      ? body
      : { ...body, user_decisions: { ...(body.user_decisions as object | undefined), ...uploaded } };
  const parsed = answerSchema(decisionRequestSchema.parse(decision.input)).safeParse(merged);
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
    userDecisions[ref] =
      choice === 'skip'
        ? 'skip'
        : await assetFor(db, decision, choice.slice('use:'.length), uploads.get(ref), maxStorageBytes);
  }
  return { ...parsed.data, user_decisions: userDecisions };
}

/** Makes the chosen file an asset; an upload whose name is taken by other content gets its hash into the name. */
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
    throw new ProblemError(
      'invalid_answer',
      'Choose a file that the session has, upload one, or skip.',
      errors,
    );
  }
  const { objectKey, size, sha256, mediaType } = input;
  const copy = { sessionId, folder: 'assets' as const, name, objectKey, size, sha256, mediaType };
  return (await files.add(tenantId, copy)).file.name;
}

/** X2: keeps the answers by the content of the sources, so that they are never asked twice. */
export async function rememberAnswer(
  db: Database,
  { tenantId, runId, run: { sessionId } }: DecisionRow,
  answer: Record<string, unknown>,
): Promise<void> {
  const files = new SessionFileRepository(db);
  const decisions = new DecisionRepository(db);
  const remembered = new RememberedDecisionRepository(db);
  const choices = (answer.user_decisions as Record<string, string> | undefined) ?? {};
  for (const [ref, choice] of Object.entries(choices)) {
    const asset = choice === 'skip' ? null : await files.find(tenantId, sessionId, 'assets', choice);
    const file: RememberedFile | null = asset && {
      name: asset.name,
      objectKey: asset.objectKey,
      size: asset.size,
      sha256: asset.sha256,
      mediaType: asset.mediaType,
    };
    for (const source of await decisions.sourcesOf(tenantId, runId, ref)) {
      const input = await files.find(tenantId, sessionId, 'inputs', source);
      if (input) await remembered.keep(tenantId, input.sha256, ref, file);
    }
  }
}
