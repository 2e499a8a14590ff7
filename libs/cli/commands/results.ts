import { isHtmlFile } from '#contracts/text.js';
import { renderText } from '../language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import type { Acceptance, CoverageReport } from '#contracts/coverage.js';
import type { productKinds } from '#catalogue/registry.js';
import { coverageAppendix } from '#verbatim/report/appendix.js';
import type { Ledger } from '#verbatim/ledger.js';
import { appendFile, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ApiClient, OPEN_ENDED } from '../client/api-client.js';
import { download } from '../client/download-result.js';
import { CliError } from '../cli-error.js';
import type { z } from 'zod';
import type { Run } from './run-to-end.js';

const MANUSCRIPT = '/api/sessions/{session_id}/manuscript';
const LEDGER = '/api/sessions/{session_id}/ledger';

/** Output files for the results of a run. */
export interface Outputs {
  output: string;
  md?: string;
  ledger?: string;
}

/** Results of a run for the summary and for `--json`. */
export interface Results {
  session_id: string;
  run_id: string;
  status: string;
  model: string | null;
  chapters: string[];
  /** Number of lines of the manuscript. */
  lines: number;
  /** Share of the source lines that the manuscript carries, 0…1; null when nothing was validated. */
  coverage: number | null;
  /** Coverage in lines and bytes, with the incompletely carried files; null when nothing was validated. */
  coverage_report: CoverageReport | null;
  /** Failed validations that a person accepted, each with person, time and decision. */
  acceptances: Acceptance[];
  /** True if rules wrote in place of a failed model, because a person chose it. */
  used_fallback: boolean;
  /** What a run with `--update` took over; null if it took over nothing. */
  taken_over: DocumentDetails['taken_over'];
  usage: Run['usage'];
  files: { docx: string; md?: string; ledger?: string };
}

/**
 * Downloads the results of a completed document run.
 *
 * @throws CliError with the run's error message when it did not complete
 */
export async function fetchResults(client: ApiClient, run: Run, outputs: Outputs): Promise<Results> {
  if (run.status !== 'completed') {
    throw new CliError(
      run.error
        ? renderText(run.error.phrase, run.error.message)
        : phrase('cli_error.no_document', { status: phrase(`run_status.${run.status}`) }),
    );
  }
  const path = { session_id: run.session_id };
  const params = { path };
  const [items, manuscript] = await Promise.all([
    everyItem((query) =>
      unwrap(client.GET('/api/sessions/{session_id}/exports', { params: { path, query } })),
    ),
    outputs.md === undefined ? readManuscript(client, run) : '',
  ]);
  const docx = items.find(({ run_id, format }) => run_id === run.id && format === 'docx');
  if (docx === undefined) throw new CliError(phrase('cli_error.no_word_file', { run: run.id }));
  const files: Results['files'] = { docx: resolve(outputs.output) };
  const document = client.GET('/api/sessions/{session_id}/exports/{export_id}', {
    params: { path: { ...path, export_id: docx.id } },
    ...OPEN_ENDED,
  });
  await download(document, files.docx);
  if (outputs.md !== undefined) {
    files.md = resolve(outputs.md);
    await download(client.GET(MANUSCRIPT, { params, ...OPEN_ENDED }), files.md);
    await appendAcceptances(client, run, files.md);
  }
  const summary = summaryOf(run);
  // Nothing is traced if no file has text.
  if (outputs.ledger !== undefined && summary.coverage !== null) {
    files.ledger = resolve(outputs.ledger);
    const query = { format: isPage(files.ledger) ? ('html' as const) : ('json' as const) };
    await download(client.GET(LEDGER, { params: { path, query }, ...OPEN_ENDED }), files.ledger);
  }
  const text = files.md === undefined ? manuscript : await readFile(files.md, 'utf8');
  return { ...summary, lines: countLines(text), files };
}

/** Returns whether the ledger is written as HTML, not as JSON. */
function isPage(file: string): boolean {
  return isHtmlFile(file);
}

/** Appends the gaps that people accepted to the downloaded manuscript, in its language, as in the Word file. */
async function appendAcceptances(client: ApiClient, run: Run, file: string): Promise<void> {
  const { acceptances } = summaryOf(run);
  if (acceptances.length === 0) return;
  const params = { path: { session_id: run.session_id } };
  const { response } = await client.GET(LEDGER, { params, ...OPEN_ENDED });
  const ledger = (await response.json()) as Ledger;
  // Loaded on demand: the detection is large, and few documents have accepted gaps.
  const { languageOf } = await import('#writing/language.js');
  const language = languageOf(await readFile(file, 'utf8')) ?? 'en';
  const { title, markdown } = coverageAppendix(ledger, acceptances, await translatorFor(language));
  await appendFile(file, `\n# ${title}\n\n${markdown}`);
}

/** Progress details of a document run. */
type DocumentDetails = Partial<z.infer<(typeof productKinds)['document']['progress']>>;

function summaryOf(run: Run): Omit<Results, 'lines' | 'files'> {
  const {
    document_outline: outline = [],
    coverage = null,
    ...details
  } = run.progress.details as DocumentDetails;
  return {
    session_id: run.session_id,
    run_id: run.id,
    status: run.status,
    model: run.model,
    chapters: outline.filter(({ level }) => level === 1).map(({ title }) => title),
    coverage,
    coverage_report: details.coverage_report ?? null,
    acceptances: details.acceptances ?? [],
    used_fallback: details.used_fallback ?? false,
    taken_over: details.taken_over ?? null,
    usage: run.usage,
  };
}

async function readManuscript(client: ApiClient, run: Run): Promise<string> {
  const params = { path: { session_id: run.session_id } };
  return (await client.GET(MANUSCRIPT, { params, ...OPEN_ENDED })).response.text();
}

const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
