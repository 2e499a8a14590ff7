import { phrase } from '#contracts/phrases/phrase.js';
import { join, resolve } from 'node:path';
import { unwrap } from '#contracts/api/responses.js';
import type { ApiClient } from '../client/api-client.js';
import { downloadResult } from '../client/download-result.js';
import { CliError } from '../cli-error.js';
import { isFolder } from '../outputs/output-file.js';
import type { Run } from './run-to-end.js';

/**
 * Returns whether `fetchResults` delivers the run: it has a manuscript and a ledger, or no results at all, or
 * it did not complete.
 */
export async function hasWordFile(client: ApiClient, run: Run): Promise<boolean> {
  if (run.status !== 'completed' || run.kind === 'document') return true;
  const { items } = await listResults(client, run);
  return items.length === 0 || items.some(({ name }) => name === 'ledger');
}

/**
 * Downloads all results of a run. A single result is written to the path `output` unless that is a folder;
 * otherwise, the results are written into the folder `output`.
 *
 * @returns the absolute paths of the files
 * @throws CliError if the run produced no results
 */
export async function fetchFiles(client: ApiClient, run: Run, output: string): Promise<string[]> {
  const { items } = await listResults(client, run);
  if (items.length === 0)
    throw new CliError(
      phrase('cli_error.no_results', { run: run.id, status: phrase(`run_status.${run.status}`) }),
    );
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
