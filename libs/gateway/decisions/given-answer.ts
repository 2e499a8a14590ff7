import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { NewSessionFile } from '#db/repositories/session-files.js';
import type { FastifyRequest } from 'fastify';
import { partsOf } from '../http/multipart.js';
import type { FileIntake } from '../sessions/file-intake.js';
import type { GivenAnswer } from '#engine/decisions/resolve-answer.js';

/** Field of an answer that contains the decisions about references. */
const DECISIONS = 'user_decisions';

/**
 * Reads an answer. A multipart part named like a field of the answer's schema is that field: text, or JSON if
 * the schema expects no text. The name of any other part is a reference; its value is a file, `skip` or
 * `use:NAME`.
 *
 * @param schema JSON schema of the answer
 */
export async function readAnswer(
  request: FastifyRequest,
  tenantId: string,
  sessionId: string,
  intake: FileIntake,
  schema: Record<string, unknown>,
): Promise<GivenAnswer> {
  const uploads = new Map<string, NewSessionFile>();
  if (!request.isMultipart()) {
    const body = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new ProblemError('invalid_answer', phrase('invalid_answer.json_or_multipart'));
    }
    return { body: body as Record<string, unknown>, uploads };
  }
  const fields = { ...(schema['properties'] as Record<string, JsonSchema> | undefined) };
  delete fields[DECISIONS];
  const body: Record<string, unknown> = {};
  const userDecisions: Record<string, string> = {};
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'file') {
        const file = await intake.storePart(tenantId, sessionId, 'assets', part);
        if (file.size === 0)
          throw new ProblemError('empty_upload', phrase('empty_upload.answer_file', { name: file.name }));
        uploads.set(part.fieldname, file);
      } else if (Object.hasOwn(fields, part.fieldname))
        body[part.fieldname] = valueOf(String(part.value), fields[part.fieldname]!);
      else userDecisions[part.fieldname] = String(part.value);
    }
  } catch (error) {
    await intake.drop([...uploads.values()]);
    throw error;
  }
  const hasDecisions = uploads.size > 0 || Object.keys(userDecisions).length > 0;
  return { body: hasDecisions ? { ...body, [DECISIONS]: userDecisions } : body, uploads };
}

interface JsonSchema {
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
