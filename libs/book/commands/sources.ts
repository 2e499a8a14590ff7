import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import { CliError } from '#cli/cli-error.js';
import type { ApiClient } from '#cli/client/api-client.js';
import type { InputFile } from '#cli/inputs/collect-files.js';
import {
  listSources as listKnowledge,
  untilIndexed,
  uploadSources,
} from '#knowledge/commands/upload-sources.js';

type BookSource = Schemas['BookSource'];

const SOURCES = '/api/books/projects/{project_id}/sources';

export const listSources = (client: ApiClient, project_id: string): Promise<BookSource[]> =>
  everyItem((query) => unwrap(client.GET(SOURCES, { params: { path: { project_id }, query } })));

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
  await uploadSources(client, collection_id, files, {}, signal);
  say(translate(phrase('out.sources_uploaded', { count: files.length })));
  const ids = (await listKnowledge(client, collection_id)).map(({ id }) => id);
  await untilIndexed(client, collection_id, ids, () => undefined, signal);
  const sources = await listSources(client, projectId);
  for (const { title, metadata_json: about } of sources)
    if (about.state === 'failed')
      say(
        translate(
          phrase('cli.skipped', {
            path: title,
            reason: about.problem_phrase ?? about.problem ?? phrase('out.cannot_be_read'),
          }),
        ),
      );
  const ready = sources.filter(({ metadata_json }) => metadata_json.state === 'ready');
  if (ready.length === 0) throw new CliError(phrase('cli_error.no_source_readable'));
  const passages = ready.reduce((sum, { metadata_json }) => sum + metadata_json.chunks, 0);
  say(translate(phrase('out.passages_indexed', { count: passages })));
  return sources;
}

/** Returns the ID of the collection with the sources of a book. It exists once they were listed. */
async function collectionOf(client: ApiClient, project: string): Promise<string> {
  await listSources(client, project);
  const collections = await everyItem((query) =>
    unwrap(
      client.GET('/api/knowledge/collections', {
        params: { query: { ...query, project, purpose: 'knowledge' } },
      }),
    ),
  );
  if (!collections[0]) throw new CliError(phrase('cli_error.book_without_sources', { book: project }));
  return collections[0].id;
}
