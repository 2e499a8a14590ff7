import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { computeForRequest } from '#gateway/http/compute.js';
import type { RevisionChange } from '#writing/paragraph-decisions.js';
import type { ChapterTextWork, DecidedText, DerivedText, KeptText } from './chapter-texts.worker.js';

const WORKER = new URL('./chapter-texts.worker.js', import.meta.url);
/** Time limit for one text, in milliseconds. */
const LIMIT_MS = 15_000;

/**
 * Returns a person's text with its facts, its summary and its kept paragraphs: those of the text before, and new ones.
 *
 * @throws ProblemError `invalid_request` if that takes too long
 */
export const deriveText = (tenantId: string, content: string, before: KeptText | null) =>
  compute<DerivedText>(tenantId, { op: 'derive', content, before }, tooHard);

/** Returns the changes between two texts. @throws ProblemError `diff_too_large` */
export const compareTexts = (tenantId: string, base: string, revised: string) =>
  compute<RevisionChange[]>(tenantId, { op: 'changes', base, revised }, tooDifferent);

/**
 * Returns the text that results from the decisions. Its accepted paragraphs are kept, with those in `kept`.
 *
 * @throws ProblemError `diff_too_large`
 */
export const decideText = (tenantId: string, work: Omit<Extract<ChapterTextWork, { op: 'decide' }>, 'op'>) =>
  compute<DecidedText>(tenantId, { op: 'decide', ...work }, tooDifferent);

const compute = <T>(tenantId: string, work: ChapterTextWork, refusal: () => ProblemError) =>
  computeForRequest<T>(WORKER, work, { tenantId, limitMs: LIMIT_MS }, refusal);

const tooHard = () => new ProblemError('invalid_request', phrase('invalid_request.text_too_hard'));
const tooDifferent = () => new ProblemError('diff_too_large', phrase('diff_too_large.versions'));
