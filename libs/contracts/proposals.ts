/** Kinds of changes in a returned Word file. */
export const PROPOSAL_KINDS = [
  'insert',
  'delete',
  'replace',
  'split',
  'join',
  'format',
  'comment',
  'outside',
] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

/** Kinds that do not change the manuscript. */
export const READ_ONLY: ReadonlySet<string> = new Set<ProposalKind>(['comment', 'outside', 'format']);
