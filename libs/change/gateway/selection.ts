import type { Span } from '#contracts/findings.js';
import { ProblemError } from '#contracts/errors.js';
import { computeForRequest } from '#gateway/http/compute.js';
import type { Selection, SelectionProblem, SelectionRequest } from '#writing/selection.js';
import type { SelectionWork } from './selection.worker.js';

const WORKER = new URL('./selection.worker.js', import.meta.url);
/** Time limit for one text, in milliseconds. */
const LIMIT_MS = 15_000;

/** @throws ProblemError `invalid_request` if the request does not name exactly one part of the text */
export async function locate(tenantId: string, text: string, request: SelectionRequest): Promise<Selection> {
  const found = await compute<Selection | SelectionProblem>(tenantId, { op: 'locate', text, request });
  if (!('problem' in found)) return found;
  throw new ProblemError('invalid_request', found.problem, [
    { path: 'selection', message: 'does not name one part of the text' },
  ]);
}

/** Returns the text with other words in a span; everything else stays byte-identical. @throws ProblemError `invalid_request` */
export const replace = (tenantId: string, text: string, span: Span, replacement: string) =>
  compute<string>(tenantId, { op: 'replace', text, span, replacement });

const compute = <T>(tenantId: string, work: SelectionWork) =>
  computeForRequest<T>(WORKER, work, { tenantId, limitMs: LIMIT_MS });
