import { decisionRows, END, isOver, otherwise, returningRows, type Row } from '#kit/graph/routing.js';
import type { ArticleState } from './state.js';

export const articleNodes = [
  'route_mode',
  'check_duplicates',
  'confirm_topic',
  'author_research',
  'research_round',
  'write_report',
  'approve_research',
  'author_structure',
  'author_draft',
  'rag_retriever',
  'author_style',
  'author_approve',
  'save_metadata',
  'shadow_analyze',
  'shadow_annotate',
  'shadow_approve',
  'repurpose',
  'choose_article',
  'export_article',
  'budget_decision',
  'model_decision',
] as const;
export type ArticleNode = (typeof articleNodes)[number];

/** Another round follows: the first, the next, or an extra round that a person requested. */
const hasSearches = {
  when: 'searches are planned',
  holds: ({ research_end: end }: ArticleState) => end === null,
};
const isShadow = { when: 'mode shadow', holds: ({ mode }: ArticleState) => mode === 'shadow' };
/**
 * Nodes that call a model. On a budget shortfall or a failed model they route to the decision about it, which
 * routes back to them.
 */
export const CALLING = [
  'author_research',
  'research_round',
  'write_report',
  'author_structure',
  'author_draft',
  'author_style',
  'shadow_analyze',
  'shadow_annotate',
  'repurpose',
] as const;

/** Routes of the article graph (A1, A3, A4, A7). A node follows its first row with a true condition. */
export const routingTable: Row<ArticleNode, ArticleState>[] = [
  ...decisionRows(CALLING),
  { from: 'route_mode', to: END, ...isOver },
  { from: 'route_mode', to: 'rag_retriever', ...isShadow },
  {
    from: 'route_mode',
    to: 'repurpose',
    when: 'mode repurpose',
    holds: ({ mode }) => mode === 'repurpose',
  },
  {
    from: 'route_mode',
    to: 'choose_article',
    when: 'mode export',
    holds: ({ mode }) => mode === 'export',
  },
  { from: 'route_mode', to: 'check_duplicates', ...otherwise },
  {
    from: 'check_duplicates',
    to: 'confirm_topic',
    when: 'the topic resembles an article, and nobody has allowed it',
    holds: ({ duplicate_detected: found, inputs }) => found && inputs.allow_duplicate !== true,
  },
  { from: 'check_duplicates', to: 'author_research', ...otherwise },
  { from: 'confirm_topic', to: END, ...isOver },
  { from: 'confirm_topic', to: 'author_research', ...otherwise },
  { from: 'author_research', to: END, ...isOver },
  { from: 'author_research', to: 'research_round', ...hasSearches },
  { from: 'author_research', to: 'write_report', ...otherwise },
  { from: 'research_round', to: 'research_round', ...hasSearches },
  { from: 'research_round', to: 'write_report', ...otherwise },
  { from: 'write_report', to: END, ...isOver },
  { from: 'write_report', to: 'approve_research', ...otherwise },
  { from: 'approve_research', to: END, ...isOver },
  { from: 'approve_research', to: 'research_round', ...hasSearches },
  { from: 'approve_research', to: 'author_structure', ...otherwise },
  { from: 'author_structure', to: 'author_draft', ...otherwise },
  { from: 'author_draft', to: 'rag_retriever', ...otherwise },
  { from: 'rag_retriever', to: 'shadow_analyze', ...isShadow },
  { from: 'rag_retriever', to: 'author_style', ...otherwise },
  { from: 'author_style', to: 'author_approve', ...otherwise },
  { from: 'author_approve', to: END, ...isOver },
  {
    from: 'author_approve',
    to: 'save_metadata',
    when: 'approved, or an edited text was handed back',
    holds: ({ approved }) => approved,
  },
  {
    from: 'author_approve',
    to: 'author_draft',
    when: 'rejected, as a whole at most twice',
    holds: () => true,
  },
  { from: 'save_metadata', to: END, ...otherwise },
  { from: 'shadow_analyze', to: END, ...isOver },
  { from: 'shadow_analyze', to: 'shadow_annotate', ...otherwise },
  { from: 'shadow_annotate', to: 'shadow_approve', ...otherwise },
  { from: 'shadow_approve', to: END, ...isOver },
  {
    from: 'shadow_approve',
    to: 'shadow_analyze',
    when: 'rejected, as a whole at most twice',
    holds: () => true,
  },
  { from: 'repurpose', to: END, ...otherwise },
  { from: 'choose_article', to: END, ...isOver },
  { from: 'choose_article', to: 'export_article', ...otherwise },
  { from: 'export_article', to: END, ...isOver },
  { from: 'export_article', to: 'export_article', when: 'formats are missing', holds: () => true },
  ...returningRows(CALLING),
];
