import type { ResearchNotes } from '#writing/research/rounds.js';

/** Returns the questions of a chapter's research that its sources do not answer. */
export const openQuestions = (research: ResearchNotes | null): string[] =>
  (research?.questions ?? []).filter(({ status }) => status === 'open').map(({ question }) => question);

/** Returns a message for the author about the open questions of a chapter's research. */
export const openWords = (research: ResearchNotes): string[] => [
  ...openQuestions(research).map((question) => `Open: ${question}`),
  ...research.conflicts.map(
    ({ about, sides }) =>
      `Sources disagree on ${about}: ${sides.map(({ label, quote }) => `[${label}] "${quote}"`).join(', ')}`,
  ),
];
