import type { ChapterResearch } from './state.js';

/** Returns what a chapter's research leaves open, in words for its author. */
export const openWords = ({ questions, conflicts }: ChapterResearch): string[] => [
  ...questions.filter(({ status }) => status === 'open').map(({ question }) => `Open: ${question}`),
  ...conflicts.map(
    ({ about, sides }) =>
      `Sources disagree on ${about}: ${sides.map(({ label, quote }) => `[${label}] "${quote}"`).join(', ')}`,
  ),
];
