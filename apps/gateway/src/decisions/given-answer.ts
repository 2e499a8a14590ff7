import { ProblemError } from '#contracts/errors.js';
import type { NewSessionFile } from '#db/repositories/session-files.js';
import type { FastifyRequest } from 'fastify';
import { partsOf } from '../http/multipart.js';
import type { FileIntake } from '../sessions/file-intake.js';
import type { GivenAnswer } from '#run-engine/decisions/resolve-answer.js';

/** Fields of a multipart answer that are not the name of a reference. */
const PLAIN_FIELDS = new Set(['text', 'action']);

/**
 * Reads an answer. In multipart the name of a part is the reference, its value a file, `skip` or `use:NAME`; the parts
 * `text` and `action` are what they are in JSON.
 */
export async function readAnswer(
  request: FastifyRequest,
  tenantId: string,
  sessionId: string,
  intake: FileIntake,
): Promise<GivenAnswer> {
  const uploads = new Map<string, NewSessionFile>();
  if (!request.isMultipart()) {
    const body = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new ProblemError(
        'invalid_answer',
        'Send a JSON object, or multipart/form-data with a part per reference.',
      );
    }
    return { body: body as Record<string, unknown>, uploads };
  }
  const body: Record<string, unknown> = {};
  const userDecisions: Record<string, string> = {};
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'file')
        uploads.set(part.fieldname, await intake.take(tenantId, sessionId, 'assets', part));
      else if (PLAIN_FIELDS.has(part.fieldname)) body[part.fieldname] = part.value;
      else userDecisions[part.fieldname] = String(part.value);
    }
  } catch (error) {
    await intake.drop([...uploads.values()]);
    throw error;
  }
  const hasDecisions = uploads.size > 0 || Object.keys(userDecisions).length > 0;
  return { body: hasDecisions ? { ...body, user_decisions: userDecisions } : body, uploads };
}
