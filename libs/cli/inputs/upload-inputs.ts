import { phrase } from '#contracts/phrases/phrase.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { CliError } from '../cli-error.js';
import type { ApiClient } from '../client/api-client.js';
import { upload } from '../client/multipart.js';
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
): Promise<Schemas['File'][]> {
  const parts = files.map(({ name, path }) => ({ name: 'file', filename: name, path }));
  const params = { path: { session_id: sessionId }, query: encoding === '' ? {} : { encoding } };
  try {
    return (await upload(client, '/api/sessions/{session_id}/inputs', { params, parts, signal })).items;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'not_utf8') throw error;
    throw new CliError(phrase('cli_error.name_encoding', { problem: error.message }), error.code);
  }
}

/** Files per request; few, so that a failed request costs little. */
const FILES_AT_ONCE = 20;

/** Yields the parts of one multipart request per batch of files. */
export function* batchesOf(files: InputFile[]) {
  for (let at = 0; at < files.length; at += FILES_AT_ONCE)
    yield files
      .slice(at, at + FILES_AT_ONCE)
      .map(({ name, path }) => ({ name: 'file', filename: name, path }));
}
