import type { Schemas } from '#catalogue/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '#cli/client/api-client.js';
import { upload } from '#cli/client/multipart.js';
import { batchesOf, uploadInputs } from '#cli/inputs/upload-inputs.js';
import { type InputFile, collectSources } from '#cli/inputs/collect-files.js';
import { isAddress } from '../contract/named-sources.js';

/**
 * Uploads the files among the pages and files that an author names.
 *
 * @param known names of sources that need no upload
 * @returns the names for the inputs of a run: addresses of pages, and names of the uploaded files
 * @throws CliError if a file cannot be read
 */
export async function uploadNamed(
  client: ApiClient,
  sessionId: string,
  named: string[],
  signal: AbortSignal,
  known: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const isThere = (name: string) => isAddress(name) || known.has(name);
  const paths = named.filter((name) => !isThere(name));
  const uploaded =
    paths.length === 0
      ? []
      : await uploadInputs(client, sessionId, (await collectSources(paths)).files, '', signal);
  return [...named.filter(isThere), ...uploaded.map(({ name }) => name)];
}

export type Source = Schemas['KnowledgeSource'];

const POLL_MS = 300;
const SOURCES = '/api/knowledge/collections/{collection_id}/sources';

/** Metadata for all sources of an upload. */
export interface AboutSources {
  author?: string;
  priority?: Source['priority'];
  language?: string;
}

export const listSources = (client: ApiClient, collection_id: string): Promise<Source[]> =>
  everyItem((query) => unwrap(client.GET(SOURCES, { params: { path: { collection_id }, query } })));

/** Adds files to a collection. @returns the ids of their sources */
export async function uploadSources(
  client: ApiClient,
  collection_id: string,
  files: InputFile[],
  about: AboutSources = {},
  signal?: AbortSignal,
): Promise<string[]> {
  const added: string[] = [];
  for (const parts of batchesOf(files)) {
    const params = { path: { collection_id }, query: { ...about } };
    const { items } = await upload(client, SOURCES, { params, parts, signal });
    added.push(...items.map(({ id }) => id));
  }
  return added;
}

/**
 * Waits until sources of a collection are indexed or have failed.
 *
 * @param ids of the sources to wait for
 * @param show see `untilSettled`
 */
export function untilIndexed(
  client: ApiClient,
  collectionId: string,
  ids: string[],
  show: ShowIndexing,
  signal?: AbortSignal,
): Promise<Source[]> {
  const wanted = new Set(ids);
  const list = async () => (await listSources(client, collectionId)).filter(({ id }) => wanted.has(id));
  return untilSettled(list, show, signal);
}

type ShowIndexing = (done: number, all: number, share: number) => void;

/**
 * Waits until all listed sources are indexed or have failed.
 *
 * @param show called after each poll with the number of finished sources, their total and the share of the
 * work, 0…1, which counts the chunks of unfinished sources
 */
export async function untilSettled(
  list: () => Promise<Source[]>,
  show: ShowIndexing,
  signal?: AbortSignal,
): Promise<Source[]> {
  for (;;) {
    const sources = await list();
    const done = sources.filter(isSettled);
    const shares = sources.reduce((sum, source) => sum + shareOf(source), 0);
    show(done.length, sources.length, sources.length === 0 ? 1 : shares / sources.length);
    if (done.length === sources.length) return sources;
    await delay(POLL_MS, undefined, { signal });
  }
}

const isSettled = ({ state }: Source) => state === 'ready' || state === 'failed';

function shareOf(source: Source): number {
  if (isSettled(source)) return 1;
  return source.state === 'indexing' && source.chunks > 0 ? source.chunks_done / source.chunks : 0;
}
