import {
  decisionRows,
  END,
  isOver,
  nextByTable,
  otherwise,
  returningRows,
  type Row,
} from '#kit/graph/routing.js';
import { MAX_REVISIONS } from '../contract/review.js';
import type { BookState } from './state.js';

export const bookNodes = [
  'run_toc',
  'run_refine_toc',
  'next_chapter',
  'write_chapter',
  'chapter_retrieve_context',
  'chapter_research',
  'chapter_plan',
  'chapter_draft',
  'chapter_review',
  'chapter_persist',
  'run_export',
  'assist_profile',
  'budget_decision',
  'model_decision',
] as const;
export type BookNode = (typeof bookNodes)[number];

/**
 * Nodes that call a model. On a budget shortfall or a failed model they route to the decision about it, which
 * routes back to them.
 */
const CALLING = [
  'run_toc',
  'run_refine_toc',
  'chapter_research',
  'chapter_plan',
  'chapter_draft',
  'chapter_review',
  'assist_profile',
] as const;

/** Routes of the book graph (B7–B10). A node follows its first row with a true condition. */
export const routingTable: Row<BookNode, BookState>[] = [
  ...decisionRows(CALLING),
  { from: 'run_toc', to: END, ...isOver },
  { from: 'run_toc', to: 'run_toc', when: 'parts of the outline are missing', holds: () => true },
  { from: 'run_refine_toc', to: END, ...otherwise },
  { from: 'next_chapter', to: END, ...isOver },
  {
    from: 'next_chapter',
    to: 'write_chapter',
    when: 'the mode is book: each chapter is a run of its own',
    holds: ({ mode }) => mode === 'book',
  },
  { from: 'next_chapter', to: 'chapter_retrieve_context', ...otherwise },
  { from: 'write_chapter', to: END, ...isOver },
  { from: 'write_chapter', to: 'next_chapter', ...otherwise },
  { from: 'chapter_retrieve_context', to: END, ...isOver },
  { from: 'chapter_retrieve_context', to: 'chapter_research', ...otherwise },
  {
    from: 'chapter_research',
    to: 'chapter_research',
    when: 'searches are planned',
    holds: ({ research }) => research?.end === null,
  },
  { from: 'chapter_research', to: 'chapter_plan', ...otherwise },
  { from: 'chapter_plan', to: 'chapter_draft', ...otherwise },
  { from: 'chapter_draft', to: END, ...isOver },
  {
    from: 'chapter_draft',
    to: 'chapter_persist',
    when: 'a revision changed nothing: another review would say the same',
    holds: ({ best_draft: best, draft, revision_count: count }) => count > 0 && best?.content === draft,
  },
  { from: 'chapter_draft', to: 'chapter_review', ...otherwise },
  {
    from: 'chapter_review',
    to: 'chapter_draft',
    when: 'revise: should_revise, a score below 80 or a guardrail, at most twice',
    holds: ({ review_result: review, revision_count: count }) =>
      review?.effective_should_revise === true && count < MAX_REVISIONS,
  },
  { from: 'chapter_review', to: 'chapter_persist', ...otherwise },
  { from: 'chapter_persist', to: END, ...otherwise },
  { from: 'run_export', to: END, ...isOver },
  { from: 'run_export', to: 'run_export', when: 'formats are missing', holds: () => true },
  { from: 'assist_profile', to: END, ...otherwise },
  ...returningRows(CALLING),
];

/** Returns the first node of a mode (B7). */
export function firstNode({ mode }: BookState): BookNode {
  switch (mode) {
    case 'toc':
      return 'run_toc';
    case 'refine_toc':
      return 'run_refine_toc';
    case 'export':
      return 'run_export';
    case 'assist_profile':
      return 'assist_profile';
    default:
      return 'next_chapter';
  }
}

export function nextNode(from: BookNode, state: BookState): BookNode | typeof END {
  return nextByTable(routingTable, from, state);
}
