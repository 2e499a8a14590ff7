import { isAddress } from '../contract/named-sources.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { collectSources } from '#cli/inputs/collect-files.js';
import { uploadInputs } from '#cli/inputs/upload-inputs.js';

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
