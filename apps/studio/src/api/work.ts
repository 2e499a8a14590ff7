import { apiPages, type Schemas } from './api-query';

export type Work = Schemas['Work'];

export const WORK_KINDS = ['document', 'book', 'article', 'plan'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Selects works of a kind, or whose title contains a text. */
export interface WorkSelection {
  kind?: WorkKind | undefined;
  title?: string | undefined;
}

/** Query for works with their newest state, of the newest change first; refetched every few seconds. */
export const worksOf = ({ kind, title }: WorkSelection) =>
  apiPages(
    ['runs', 'work', kind ?? '', title ?? ''],
    '/api/work',
    { ...(kind && { kind }), ...(title && { title }) },
    5_000,
  );
