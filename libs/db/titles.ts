import type { Prisma } from './client.js';

/** Returns a condition on a text column: it contains `part`, regardless of case. */
export const containsText = (part: string) => ({ contains: literal(part), mode: 'insensitive' as const });

/** Returns a condition on runs: the title that their kind gives them (`progress.details.title`) contains `part`. */
export const runTitleContains = (part: string): Prisma.RunWhereInput => ({
  summary: { path: ['details', 'title'], string_contains: literal(part), mode: 'insensitive' },
});

/** Escapes the wildcards of LIKE. */
export const literal = (part: string) => part.replace(/[\\%_]/g, '\\$&');
