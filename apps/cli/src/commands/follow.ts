import type { Command } from 'commander';
import { checkAnswers, readAnswers } from '../answers/given-answers.js';
import { createProgress } from '../progress/progress.js';
import { connectOrStart } from '../stack/connect.js';
import { endOnSignal } from '../stack/signals.js';
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
  const progress = createProgress();
  const say = (message: string) => progress.say(message);
  const { signal, fail } = endOnSignal(say);
  const connection = await connectOrStart(options.dataDir, say, fail);
  try {
    const { client } = connection;
    await deliver({
      client,
      runId,
      outputs: options,
      given,
      progress,
      signal,
      json: options.json,
      startedAt,
      dataDir: options.dataDir,
    });
  } finally {
    progress.pause();
    await connection.close();
  }
}
