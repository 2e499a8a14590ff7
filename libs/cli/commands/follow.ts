import { unwrap } from '#contracts/api/responses.js';
import { join } from 'node:path';
import type { Command } from 'commander';
import { checkAnswers, readAnswers } from '../answers/given-answers.js';
import { isFolder, requireWritable } from '../outputs/output-file.js';
import { createProgress } from '../progress/progress.js';
import { withService } from '../stack/with-service.js';
import { deliver } from './deliver.js';
import { type DeliveryOptions, checkOutputs, withDeliveryOptions } from './shared-options.js';

/** `scriptorium follow run_… -o report.docx`: continues after an interrupted `write` or a missing answer. */
export function registerFollow(command: Command): void {
  withDeliveryOptions(command.argument('<run>', 'ID of the run, run_…')).action(follow);
}

async function follow(runId: string, options: DeliveryOptions): Promise<void> {
  const startedAt = Date.now();
  const given = readAnswers(options.answer);
  const { output, md, ledger, json, dataDir } = options;
  // The results are not known yet; they may be files in a folder.
  const inOutput = (await isFolder(output)) ? join(output, 'result') : output;
  await Promise.all([checkAnswers(given), ...[inOutput, md ?? [], ledger ?? []].flat().map(requireWritable)]);
  await withService(dataDir, createProgress(), async ({ client, progress, signal }) => {
    const { kind } = await unwrap(
      client.GET('/api/agents/runs/{run_id}', { params: { path: { run_id: runId } } }),
    );
    if (kind === 'document') await checkOutputs(options);
    await deliver({ client, runId, outputs: options, given, progress, signal, json, startedAt, dataDir });
  });
}
