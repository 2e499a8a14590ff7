import { type ApiClient, OPEN_ENDED } from './api-client.js';
import { stat } from 'node:fs/promises';
import type { ReadableStream } from 'node:stream/web';
import { writeOutput } from '../outputs/output-file.js';

/** Downloads a named result of a session (`session_results`) into a file. @returns the file */
export async function downloadResult(
  client: ApiClient,
  session_id: string,
  kind: string,
  result_name: string,
  file: string,
): Promise<string> {
  const params = { path: { session_id, kind, result_name } };
  const path = '/api/sessions/{session_id}/results/{kind}/{result_name}';
  await download(client.GET(path, { params, ...OPEN_ENDED }), file);
  return file;
}

/**
 * Streams the response of an `OPEN_ENDED` call into a file, which appears complete or not at all.
 *
 * @returns its size in bytes
 */
export async function download(call: Promise<{ response: Response }>, file: string): Promise<number> {
  const { response } = await call;
  await writeOutput(file, response.body as ReadableStream<Uint8Array>);
  return (await stat(file)).size;
}
