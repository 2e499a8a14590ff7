import { CliError } from '../cli-error.js';
import type { ApiClient } from '../client/api-client.js';
import type { Schema } from '../client/operation-types.js';
import type { InputFile } from './collect-files.js';

/**
 * Uploads files as inputs of a session.
 *
 * @param encoding of text that is not UTF-8; empty for none
 * @throws CliError
 */
export async function uploadInputs(
  client: ApiClient,
  sessionId: string,
  files: InputFile[],
  encoding: string,
  signal: AbortSignal,
): Promise<Schema<'File'>[]> {
  const params = { session_id: sessionId };
  const parts = files.map(({ name, path }) => ({ name: 'file', filename: name, path }));
  const query = encoding === '' ? {} : { encoding };
  try {
    return (await client.call('POST', '/api/sessions/{session_id}/inputs', { params, query, parts, signal }))
      .items;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'not_utf8') throw error;
    throw new CliError(`${error.message} Here that is --encoding NAME.`, error.code);
  }
}
