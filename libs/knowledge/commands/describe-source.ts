import { renderLines } from '#cli/commands/print.js';
import { renderText, translate } from '#cli/language.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { sourceStates } from '../contract.js';

/** Fields of a source that say how far it is indexed. */
interface IndexedSource {
  state: (typeof sourceStates)[number];
  chunks: number;
  problem: string | null;
  problem_phrase?: Phrase | undefined;
}

/** Returns the state of a source, in a column. */
export const describeState = ({ state }: Pick<IndexedSource, 'state'>): string =>
  translate(phrase(`source_state.${state}`)).padEnd(8);

/** Returns state and number of passages, in columns. */
export const describeIndexing = (source: Pick<IndexedSource, 'state' | 'chunks'>): string =>
  `${describeState(source)} ${translate(phrase('out.passages', { count: source.chunks })).padStart(15)}`;

/** Returns a line about a source with its problem, if it has one. */
export function withProblem(text: string, { problem, problem_phrase }: IndexedSource): string {
  if (!problem) return text;
  return translate(phrase('out.with_reason', { text, reason: renderText(problem_phrase, problem) }));
}

/** Returns a line for each source: its ID, state, number of passages and name. */
export const renderSources = renderLines(
  (source: IndexedSource & { id: string; name: string }) =>
    `${source.id}  ${describeIndexing(source)}  ${withProblem(source.name, source)}`,
);
