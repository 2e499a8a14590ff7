import { CliError } from '#cli/cli-error.js';
import type { ApiClient } from '#cli/client/api-client.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';

export type Collection = Schemas['KnowledgeCollection'];

export const listCollections = (client: ApiClient): Promise<Collection[]> =>
  everyItem((query) => unwrap(client.GET('/api/knowledge/collections', { params: { query } })));

/** Returns a collection by name or ID. @throws CliError if it does not exist */
export async function requireCollection(client: ApiClient, name: string): Promise<Collection> {
  const found = (await listCollections(client)).find((one) => one.id === name || one.name === name);
  if (!found) throw new CliError(phrase('cli_error.no_such_collection', { name }));
  return found;
}
