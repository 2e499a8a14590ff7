import { join, resolve } from 'node:path';
import { unwrap } from '#contracts/api/responses.js';
import type { ApiClient } from '../client/api-client.js';
import { downloadResult } from '../client/download-result.js';
import { CliError } from '../cli-error.js';
import { isFolder } from '../outputs/output-file.js';
import type { Run } from './run-to-end.js';

/** Whether the run is of a kind whose results are told about in detail: those with a manuscript and a ledger. */
export async function hasWordFile(client: ApiClient, run: Run): Promise<boolean> {
  if (run.status !== 'completed' || run.kind === 'document') return true;
  const { items } = await listResults(client, run);
  return items.length === 0 || items.some(({ name }) => name === 'ledger');
}

/**
 * Downloads every result of a run: a single one to the path given, several, or one when a folder is there, into a folder of that name.
 *
 * @returns the files, in full
 */
export async function fetchFiles(client: ApiClient, run: Run, output: string): Promise<string[]> {
  const { items } = await listResults(client, run);
  if (items.length === 0) throw new CliError(`Run ${run.id} ended as ${run.status} and left no result.`);
  const isSingle = items.length === 1 && !(await isFolder(output));
  const files: string[] = [];
  for (const { kind, name, file_name } of items) {
    const file = isSingle ? resolve(output) : join(resolve(output), file_name);
    files.push(await downloadResult(client, run.session_id, kind, name, file));
  }
  return files;
}

async function listResults(client: ApiClient, run: Run) {
  const params = { path: { session_id: run.session_id } };
  const { items } = await unwrap(client.GET('/api/sessions/{session_id}/results', { params }));
  return { items: items.filter(({ run_id }) => run_id === run.id) };
}
