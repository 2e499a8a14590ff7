import type { QuestionDefinition } from '#contracts/run-kind.js';
import {
  draftAnswerSchema,
  draftDetailsSchema,
  duplicateAnswerSchema,
  duplicateDetailsSchema,
  researchAnswerSchema,
  researchDetailsSchema,
  shadowAnswerSchema,
  shadowDetailsSchema,
} from './values.js';

/**
 * `article_duplicate` (A5: the topic resembles an article of the log), `article_research` (A3: report and
 * headings), `article_draft` (A3, A4), `article_shadow` (A7).
 */
export const articleQuestions = {
  article_duplicate: { details: duplicateDetailsSchema, answer: () => duplicateAnswerSchema },
  article_research: { details: researchDetailsSchema, answer: () => researchAnswerSchema },
  article_draft: { details: draftDetailsSchema, answer: () => draftAnswerSchema },
  article_shadow: { details: shadowDetailsSchema, answer: () => shadowAnswerSchema },
} as const satisfies Record<string, QuestionDefinition>;
