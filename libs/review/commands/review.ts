import { everyItem, unwrap } from '#contracts/api/responses.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { readAnswers } from '#cli/answers/given-answers.js';
import { CliError, failedRun } from '#cli/cli-error.js';
import { type ApiClient, OPEN_ENDED } from '#cli/client/api-client.js';
import { download } from '#cli/client/download-result.js';
import { upload } from '#cli/client/multipart.js';
import { deliver } from '#cli/commands/deliver.js';
import { print, type PrintOptions, withPrintOptions } from '#cli/commands/print-result.js';
import { runToEnd } from '#cli/commands/run-to-end.js';
import { checkOutputs } from '#cli/commands/shared-options.js';
import { renderText, translate } from '#cli/language.js';
import { createProgress, type Progress } from '#cli/progress/progress.js';
import { ExtractionError } from '#extraction/errors.js';
import { madeOf } from '#office/docx/write/options.js';
import { openDocx, readProperties } from '#office/docx/read/read.js';
import { withService } from '#cli/stack/with-service.js';
import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

type Proposal = Schemas['Proposal'];
type Selection = { numbers: number[] } | { author: string } | { all: true };

interface Options extends PrintOptions {
  session?: string;
  accept: Selection[];
  reject: Selection[];
  output?: string;
}

/** `scriptorium review FILE.docx`: lists what people changed, and makes a new Word file of what is accepted. */
export function registerReview(command: Command): void {
  const repeated = (typed: string, list: Selection[]) => [...list, selectionOf(typed)];
  command
    .argument('<file>', 'the Word file that came back')
    .option('--session <id>', 'session of the document, ses_… (default: the one whose Word file this was)')
    .option(
      '--accept <what>',
      'accept proposals: all, numbers such as 1,3 or an author (repeatable)',
      repeated,
      [],
    )
    .option('--reject <what>', 'reject proposals, named in the same way (repeatable)', repeated, [])
    .option('-o, --output <file>', 'finish the review and write the new Word file');
  withPrintOptions(command).action(review);
}

async function review(file: string, options: Options): Promise<void> {
  const { output, json, dataDir } = options;
  if (output !== undefined) await checkOutputs({ output });
  const startedAt = Date.now();
  await withService(dataDir, createProgress(), async ({ client, progress, signal }) => {
    const run_id = await read(client, file, options.session ?? (await sessionOf(client, file)));
    const run = await runToEnd(client, run_id, progress, signal);
    if (run.status !== 'completed')
      throw new CliError(
        run.error ? renderText(run.error.phrase, run.error.message) : phrase('cli_error.no_proposal'),
      );
    const params = { path: { run_id } };
    await decide(client, run_id, 'accepted', options.accept);
    await decide(client, run_id, 'rejected', options.reject);
    const finished =
      output === undefined ? null : await unwrap(client.POST('/api/reviews/{run_id}/finish', { params }));
    const proposals = await everyItem((query) =>
      unwrap(client.GET('/api/reviews/{run_id}/proposals', { params: { ...params, query } })),
    );
    if (!finished || !json) print(json, { run_id, proposals }, render);
    if (!finished || output === undefined) return;
    if (finished.kind !== 'document') return saveExport(client, finished, output, progress, signal);
    const given = readAnswers([]);
    await deliver({
      client,
      runId: finished.id,
      outputs: { output },
      given,
      progress,
      signal,
      json,
      startedAt,
      dataDir,
    });
  });
}

/** Writes the Word file of a book or an article, when its export has ended. @throws CliError if it does not complete */
async function saveExport(
  client: ApiClient,
  { id, session_id }: Schemas['Run'],
  output: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const run = await runToEnd(client, id, progress, signal);
  if (run.status !== 'completed') throw failedRun(run);
  const path = { session_id };
  const { items } = await unwrap(
    client.GET('/api/sessions/{session_id}/exports', { params: { path, query: { limit: 100 } } }),
  );
  const made = items.find(({ run_id }) => run_id === id);
  if (!made) throw new CliError(phrase('cli_error.no_word_file', { run: id }));
  const params = { path: { ...path, export_id: made.id } };
  const file = client.GET('/api/sessions/{session_id}/exports/{export_id}', { params, ...OPEN_ENDED });
  await download(file, resolve(output));
}

/** Finds the session that made a Word file. @throws CliError if none or several did */
async function sessionOf(client: ApiClient, file: string): Promise<string> {
  const manuscript = manuscriptOf(await readFile(file));
  if (manuscript === null) throw new CliError(phrase('cli_error.not_our_file', { file }));
  const query = { manuscript, limit: 10 };
  const { items } = await unwrap(client.GET('/api/work', { params: { query } }));
  const [only, ...others] = items.map(({ id }) => id);
  if (only === undefined) throw new CliError(phrase('cli_error.no_session_of_file', { file }));
  if (others.length > 0)
    throw new CliError(
      phrase('cli_error.sessions_of_file', { file, sessions: [only, ...others].join(', ') }),
    );
  return only;
}

/** Returns the SHA-256 of the manuscript that a Word file says it shows; null if it is no Word file or not ours. */
function manuscriptOf(bytes: Uint8Array): string | null {
  try {
    return madeOf(readProperties(openDocx(bytes))).manuscript;
  } catch (error) {
    if (error instanceof ExtractionError) return null;
    throw error;
  }
}

async function read(client: ApiClient, file: string, session_id: string): Promise<string> {
  const parts = [{ name: 'file', filename: basename(file), path: file }];
  const path = '/api/sessions/{session_id}/reviews';
  return (await upload(client, path, { params: { path: { session_id } }, parts })).id;
}

async function decide(
  client: ApiClient,
  run_id: string,
  state: 'accepted' | 'rejected',
  selections: Selection[],
): Promise<void> {
  const params = { path: { run_id } };
  for (const selection of selections)
    await unwrap(client.POST('/api/reviews/{run_id}/decisions', { params, body: { state, ...selection } }));
}

function selectionOf(typed: string): Selection {
  if (typed === 'all') return { all: true };
  if (/^\d{1,9}(?:,\d{1,9})*$/.test(typed)) return { numbers: typed.split(',').map(Number) };
  return { author: typed };
}

function render({ proposals }: { proposals: Proposal[] }): string {
  return proposals.map((proposal) => `${renderProposal(proposal)}\n`).join('');
}

function renderProposal(proposal: Proposal): string {
  const { number, kind, author, line, before, after, comment, state, place } = proposal;
  const head = translate(
    phrase('out.proposal', {
      ...{ number, line, author: author ?? '–' },
      kind: phrase(`out.proposal_kind.${kind}`),
      state: phrase(`out.proposal_state.${state}`),
    }),
  );
  const lines = [before === '' ? [] : [`- ${before}`], after === '' ? [] : [`+ ${after}`]].flat();
  const notes = [
    comment,
    place === 'not_applicable' ? translate(phrase('out.proposal_not_applicable')) : null,
  ];
  return [head, ...lines, ...notes.flatMap((note) => (note === null ? [] : [`  ${note}`]))].join('\n');
}
