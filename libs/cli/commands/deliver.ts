import type { RunStatus } from '#contracts/runs.js';
import { isPhraseCode, phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';
import type { Decision } from '../answers/choices.js';
import { decide } from '../answers/decide.js';
import type { GivenAnswers } from '../answers/given-answers.js';
import type { ApiClient } from '../client/api-client.js';
import type { Progress } from '../progress/progress.js';
import { renderSummary } from '../progress/summary.js';
import { interruptible } from '../stack/signals.js';
import { continueHint, withRecoveryHint, isFolder } from '../outputs/output-file.js';
import { print, renderLines } from './print-result.js';
import { fetchResults, type Outputs } from './results.js';
import { runToEnd, type Run } from './run-to-end.js';
import { join, resolve } from 'node:path';
import { unwrap } from '#contracts/api/responses.js';
import { downloadResult } from '../client/download-result.js';
import { CliError } from '../cli-error.js';

export interface Delivery {
  client: ApiClient;
  runId: string;
  outputs: Outputs;
  given: GivenAnswers;
  /** False if questions get their default answers without the command. */
  asks?: boolean | undefined;
  progress: Progress;
  signal: AbortSignal;
  /** One JSON object on standard output instead of the summary. */
  json: boolean;
  startedAt: number;
  dataDir: string;
}

/**
 * Follows a run to its end, writes its results into files and reports them on standard output.
 *
 * @throws CliError when the run does not complete or the person interrupts
 */
export async function deliver(delivery: Delivery): Promise<void> {
  const { client, runId, outputs, given, progress, signal, json } = delivery;
  const place = { output: outputs.output, dataDir: delivery.dataDir };
  const hint = continueHint(runId, place);
  const answer = async (decision: Decision) =>
    delivery.asks === false ? decision : decide(client, decision, given, signal, place);
  const run = await interruptible(signal, hint, () => runToEnd(client, runId, progress, signal, answer));
  const seconds = () => secondsSince(delivery.startedAt);
  if (run.status !== 'completed')
    print(
      json,
      { session_id: run.session_id, run_id: run.id, status: run.status, error: run.error },
      () => '',
    );
  if (!(await hasWordFile(client, run))) {
    const files = await withRecoveryHint(hint, () => fetchFiles(client, run, outputs.output));
    return print(
      json,
      { session_id: run.session_id, run_id: run.id, status: run.status, files, seconds: seconds() },
      (made) => `${endedIn(run, made)}\n${renderFiles(files)}`,
    );
  }
  const fetch = () => fetchResults(client, run, outputs);
  const results = run.status === 'completed' ? await withRecoveryHint(hint, fetch) : await fetch();
  print(json, { ...results, seconds: seconds() }, (made) => `${renderSummary(made, made.seconds)}\n`);
}

function endedIn(
  { kind }: { kind: string },
  { status, seconds }: { status: RunStatus; seconds: number },
): string {
  const code = `out.kind.${kind}`;
  const name = isPhraseCode(code) ? { code, params: {} } : kind;
  return translate(
    phrase('out.run_ended_in', { kind: name, status: phrase(`run_status.${status}`), seconds }),
  );
}

const renderFiles = renderLines((file: string) => `  ${file}`);

/**
 * Returns whether `fetchResults` delivers the run: it has a manuscript and a ledger, or no results at all, or
 * it did not complete.
 */
async function hasWordFile(client: ApiClient, run: Run): Promise<boolean> {
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
async function fetchFiles(client: ApiClient, run: Run, output: string): Promise<string[]> {
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

/** Seconds since `startedAt` (milliseconds), to a tenth. */
export const secondsSince = (startedAt: number): number => Math.round((Date.now() - startedAt) / 100) / 10;
