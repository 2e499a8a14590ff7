/** Kinds of callouts, apart from the schema so that a conversion does not load zod. */
export const CALLOUTS = ['note', 'tip', 'important', 'warning', 'caution'] as const;
