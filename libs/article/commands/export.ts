import { citationStyles, type CitationStyle } from '#contracts/bibliography-names.js';
import { pdfStandards, type ExportFormat, type PdfStandard } from '#contracts/file-kinds.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import type { z } from 'zod';
import type { articleKind } from '../contract.js';
import { CliError, failedRun } from '#cli/cli-error.js';
import { type ApiClient, OPEN_ENDED } from '#cli/client/api-client.js';
import { download } from '#cli/client/download-result.js';
import { type PrintOptions, createPrinter, withPrintOptions } from '#cli/commands/print-result.js';
import { runToEnd } from '#cli/commands/run-to-end.js';
import { exportFormatOf, requireWritable } from '#cli/outputs/output-file.js';
import { LineProgress } from '#cli/progress/line-progress.js';
import type { Work } from '#cli/stack/with-service.js';

/** How an article is exported. */
export interface ArticleExportOptions {
  output: string;
  citationStyle?: CitationStyle;
  pdfStandard?: PdfStandard;
  author?: string;
  tracked?: boolean;
}

/** Adds the options about the exported file. */
export const withExportOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--citation-style <style>', 'form of notes and bibliography of an exported file').choices([
        ...citationStyles,
      ]),
    )
    .addOption(
      new Option(
        '--pdf-standard <standard>',
        'standard that a .pdf keeps: accessible, or for archives',
      ).choices([...pdfStandards]),
    )
    .option('--author <name>', 'author of an exported file');

/** `scriptorium article export RUN -o article.docx`: writes an approved article to a file. */
export function registerArticleExport(article: Command): void {
  const command = article
    .command('export')
    .description('Export an approved article as .docx, .pdf, .epub, or .zip (Markdown with its images)')
    .argument('<run>', 'ID of the run that wrote the article')
    .requiredOption('-o, --output <file>', 'the file to write')
    .option('--tracked', 'write open proposals into a .docx as tracked changes and comments');
  withPrintOptions(withExportOptions(command)).action(
    async (runId: string, options: PrintOptions & ArticleExportOptions) => {
      requireFormat(options.output);
      await requireWritable(options.output);
      const printWork = createPrinter(
        new LineProgress(),
        phrase('cli_error.status_saved', { command: 'scriptorium status RUN' }),
      );
      await printWork(
        options,
        (work) => exportOfRun(work, runId, options),
        ({ file }) => `${file}\n`,
      );
    },
  );
}

/** @throws CliError for another file extension */
function requireFormat(file: string): ExportFormat {
  const format = exportFormatOf(file);
  if (!format) throw new CliError(phrase('cli_error.article_format', { file }));
  return format;
}

async function exportOfRun(work: Work, runId: string, options: ArticleExportOptions) {
  const { client } = work;
  const run = await unwrap(client.GET('/api/agents/runs/{run_id}', { params: { path: { run_id: runId } } }));
  return { run_id: runId, file: await exportArticle(work, run.session_id, options) };
}

/**
 * Exports the approved article of a session to a file.
 *
 * @returns the path of the file
 * @throws CliError if the run does not complete
 */
export async function exportArticle(
  { client, progress, signal }: Pick<Work, 'client' | 'progress' | 'signal'>,
  sessionId: string,
  { output, citationStyle, pdfStandard, author, tracked }: ArticleExportOptions,
): Promise<string> {
  const inputs = {
    formats: [requireFormat(output)],
    ...(citationStyle && { citation_style: citationStyle }),
    ...(pdfStandard && { pdf_standard: pdfStandard }),
    ...(author && { author }),
    ...(tracked && { proposals: 'tracked' }),
  };
  const body = { session_id: sessionId, kind: 'article' as const, mode: 'export', inputs };
  const started = await unwrap(client.POST('/api/agents/runs', { body }));
  const run = await runToEnd(client, started.id, progress, signal);
  if (run.status !== 'completed') throw failedRun(run);
  const { exports = [] } = run.progress.details as z.infer<typeof articleKind.progress>;
  return downloadExport(client, sessionId, exports[0]!.id, output);
}

async function downloadExport(client: ApiClient, session_id: string, export_id: string, output: string) {
  const params = { path: { session_id, export_id } };
  const path = resolve(output);
  await download(
    client.GET('/api/sessions/{session_id}/exports/{export_id}', { params, ...OPEN_ENDED }),
    path,
  );
  return path;
}
