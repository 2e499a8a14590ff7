import { renderLines } from '#cli/commands/print-result.js';
import { renderText, translate } from '#cli/language.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { CliError } from '#cli/cli-error.js';
import type { ApiClient } from '#cli/client/api-client.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
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

export type Collection = Schemas['KnowledgeCollection'];

export const listCollections = (client: ApiClient): Promise<Collection[]> =>
  everyItem((query) => unwrap(client.GET('/api/knowledge/collections', { params: { query } })));

/** Returns a collection by name or ID. @throws CliError if it does not exist */
export async function requireCollection(client: ApiClient, name: string): Promise<Collection> {
  const found = (await listCollections(client)).find((one) => one.id === name || one.name === name);
  if (!found) throw new CliError(phrase('cli_error.no_such_collection', { name }));
  return found;
}

const WIDTH = 30;

/**
 * Shows on a terminal how much of the sources is indexed; quiet in a pipe.
 *
 * @param share of the work, 0…1
 */
export function showBar(done: number, all: number, share: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\x1b[2K${bar(share)} ${translate(phrase('out.indexed_of', { done, all }))}`);
}

/** Ends the line of the bar. */
export function endBar(): void {
  if (process.stderr.isTTY) process.stderr.write('\n');
}

function bar(share: number): string {
  const filled = Math.floor(share * WIDTH);
  return '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
}
