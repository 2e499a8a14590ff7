import { unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { checkAnswers, readAnswers } from '#cli/answers/given-answers.js';
import { type DeliveryOptions, checkOutputs, withDeliveryOptions } from '#cli/commands/shared-options.js';
import { deliver } from '#cli/commands/deliver.js';
import { createProgress } from '#cli/progress/progress.js';
import { interruptible } from '#cli/stack/signals.js';
import { withService } from '#cli/stack/with-service.js';
import type { Command } from 'commander';

interface ExportOptions extends DeliveryOptions {
  title?: string;
  language?: string;
  listOfFigures?: boolean;
  wordTemplate?: string;
  tracked?: boolean;
}

/** `scriptorium export ses_… -o report.docx`: converts the manuscript of a document as it is now. */
export function registerExport(command: Command): void {
  withDeliveryOptions(command.argument('<session>', 'ID of the session of the document, ses_…'))
    .option('--title <text>', 'title of the document')
    .option('--language <tag>', 'language of the document, such as en or pl')
    .option('--list-of-figures', 'list figures and tables after the contents')
    .option('--no-list-of-figures', 'omit these lists')
    .option('--word-template <name>', 'take styles, headers, footers and page setup from this Word template')
    .option('--tracked', 'write open proposals as tracked changes and comments')
    .action(exportDocument);
}

async function exportDocument(sessionId: string, options: ExportOptions): Promise<void> {
  const startedAt = Date.now();
  const given = readAnswers(options.answer);
  await Promise.all([checkAnswers(given), checkOutputs(options)]);
  const { title, language, listOfFigures: list_of_figures, wordTemplate: word_template } = options;
  const { tracked, json, dataDir } = options;
  await withService(dataDir, createProgress(), async ({ client, progress, signal }) => {
    const params = { path: { session_id: sessionId } };
    const looks = { list_of_figures, word_template };
    const body = { title, language, ...looks, ...(tracked && { proposals: 'tracked' as const }) };
    const start = async () =>
      (await unwrap(client.POST('/api/sessions/{session_id}/exports', { params, body }))).id;
    const runId = await interruptible(signal, phrase('cli_error.run_not_started'), start);
    await deliver({ client, runId, outputs: options, given, progress, signal, json, startedAt, dataDir });
  });
}
