import type { Command } from 'commander';
import { checkAnswers, readAnswers } from '../answers/given-answers.js';
import { createProgress } from '../progress/progress.js';
import { withService } from '../stack/with-service.js';
import { deliver } from './deliver.js';
import { type DeliveryOptions, checkOutputs, withDeliveryOptions } from './shared-options.js';

/** `scriptorium follow run_… -o report.docx`: goes on where `write` was interrupted or nobody answered. */
export function registerFollow(program: Command): void {
  const command = program
    .command('follow')
    .description('Go on with a run: follow it to its end, answer, download')
    .argument('<run>', 'id of the run, run_…');
  withDeliveryOptions(command).action(follow);
}

async function follow(runId: string, options: DeliveryOptions): Promise<void> {
  const startedAt = Date.now();
  const given = readAnswers(options.answer);
  await Promise.all([checkAnswers(given), checkOutputs(options)]);
  const { json, dataDir } = options;
  await withService(dataDir, createProgress(), ({ client, progress, signal }) =>
    deliver({ client, runId, outputs: options, given, progress, signal, json, startedAt, dataDir }),
  );
}
