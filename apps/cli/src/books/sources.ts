import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../cli-error.js';
import type { ApiClient } from '../client/api-client.js';
import { listAll } from '../client/list-all.js';
import type { Schema } from '../client/operation-types.js';
import type { InputFile } from '../inputs/collect-files.js';

export type BookSource = Schema<'BookSource'>;

const POLL_MS = 300;
/** Files of one request: a request that fails has then cost little. */
const FILES_AT_ONCE = 20;
const SOURCES = '/api/books/projects/{project_id}/sources';

export const listSources = (client: ApiClient, project_id: string): Promise<BookSource[]> =>
  listAll((query) => client.call('GET', SOURCES, { params: { project_id }, query }));

/**
 * Adds files to the sources of a book and waits until they are indexed.
 *
 * @returns all sources of the book
 * @throws CliError when none of them can be read
 */
export async function addSources(
  client: ApiClient,
  projectId: string,
  files: InputFile[],
  say: (message: string) => void,
  signal: AbortSignal,
): Promise<BookSource[]> {
  const collection_id = await collectionOf(client, projectId);
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const parts = files
      .slice(at, at + FILES_AT_ONCE)
      .map(({ name, path }) => ({ name: 'file', filename: name, path }));
    await client.call('POST', '/api/knowledge/collections/{collection_id}/sources', {
      params: { collection_id },
      parts,
      signal,
    });
  }
  say(`${files.length} source(s) uploaded`);
  const sources = await indexed(client, projectId, signal);
  for (const { title, metadata_json: about } of sources)
    if (about.state === 'failed') say(`left out, because ${about.problem ?? 'it cannot be read'}: ${title}`);
  const ready = sources.filter(({ metadata_json }) => metadata_json.state === 'ready');
  if (ready.length === 0)
    throw new CliError('None of the sources can be read, so there is nothing to write from.');
  say(`${ready.reduce((sum, { metadata_json }) => sum + metadata_json.chunks, 0)} passages indexed`);
  return sources;
}

/** The collection that holds the sources of a book; it is there once they were listed. */
async function collectionOf(client: ApiClient, project: string): Promise<string> {
  await listSources(client, project);
  const collections = await listAll((query) =>
    client.call('GET', '/api/knowledge/collections', { query: { ...query, project, purpose: 'knowledge' } }),
  );
  if (!collections[0]) throw new CliError(`Book ${project} has no collection for its sources.`);
  return collections[0].id;
}

async function indexed(client: ApiClient, projectId: string, signal: AbortSignal): Promise<BookSource[]> {
  for (;;) {
    const sources = await listSources(client, projectId);
    if (sources.every(({ metadata_json }) => ['ready', 'failed'].includes(metadata_json.state)))
      return sources;
    await delay(POLL_MS, undefined, { signal });
  }
}
