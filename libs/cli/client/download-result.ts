import { type ApiClient, OPEN_ENDED } from './api-client.js';
import { download } from './download.js';

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
