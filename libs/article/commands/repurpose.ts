import { phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import { Option, type Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { articleKind } from '../contract.js';
import { platforms, type Platform } from '../contract/repurpose.js';
import { CliError, failedRun } from '#cli/cli-error.js';
import { downloadResult } from '#cli/client/download-result.js';
import { continueHint, withRecoveryHint } from '#cli/outputs/kept-results.js';
import { requireWritable } from '#cli/outputs/output-file.js';
import { LineProgress } from '#cli/progress/line-progress.js';
import type { Place } from '#cli/stack/data-dir.js';
import type { Work } from '#cli/stack/with-service.js';
import { type PrintOptions, createPrinter, withPrintOptions } from '#cli/commands/print-result.js';
import { runToEnd } from '#cli/commands/run-to-end.js';

interface Options extends PrintOptions {
  output: string;
  platform: Platform[];
}
type Repurposed = Awaited<ReturnType<typeof repurpose>>;

/** `scriptorium article repurpose article.md -o folder`: rewrites an approved article per platform (A14). */
export function registerArticleRepurpose(article: Command): void {
  const command = article
    .command('repurpose')
    .description('Rewrite an approved article for LinkedIn, X, a newsletter and a short video')
    .argument('<article>', 'Markdown file')
    .requiredOption('-o, --output <folder>', 'output folder: one file per platform')
    .addOption(
      new Option('--platform <name>', 'only this platform (repeatable)')
        .choices([...platforms])
        .argParser((name: string, before: Platform[]) => [...before, platformOf(name)])
        .default([], 'all'),
    );
  withPrintOptions(command).action(async (file: string, options: Options) => {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new CliError(phrase('cli_error.cannot_read', { file, code: String(error.code) }));
    });
    const wanted = options.platform.length > 0 ? [...new Set(options.platform)] : [...platforms];
    for (const platform of wanted) await requireWritable(fileOf(options.output, platform));
    const printWork = createPrinter(
      new LineProgress(),
      phrase('cli_error.status_saved', { command: 'scriptorium status RUN' }),
    );
    await printWork(options, (work) => repurpose(work, text, wanted, options), render);
  });
}

const render = ({ used_fallback: compiled, files }: Repurposed): string =>
  `${compiled ? 'by rules, without a model' : 'by the model'}\n${Object.values(files)
    .map((path) => `  ${path}\n`)
    .join('')}`;

function platformOf(name: string): Platform {
  const found = platforms.find((platform) => platform === name);
  if (!found) throw new CliError(phrase('cli_error.unknown_platform', { name, names: platforms.join(', ') }));
  return found;
}

const fileOf = (folder: string, platform: Platform): string =>
  resolve(join(folder, articleKind.results[platform].fileName));

async function repurpose({ client, progress, signal }: Work, text: string, wanted: Platform[], place: Place) {
  const session = await unwrap(client.POST('/api/sessions', { body: { title: 'Repurposing' } }));
  const inputs = { user_text: text, platforms: wanted };
  const started = await unwrap(
    client.POST('/api/agents/runs', {
      body: { session_id: session.id, kind: 'article', mode: 'repurpose', inputs },
    }),
  );
  const run = await runToEnd(client, started.id, progress, signal);
  if (run.status !== 'completed') throw failedRun(run);
  const files: Partial<Record<Platform, string>> = {};
  await withRecoveryHint(continueHint(run.id, place), async () => {
    for (const platform of wanted) {
      const file = fileOf(place.output, platform);
      files[platform] = await downloadResult(client, session.id, 'article', platform, file);
    }
  });
  const { used_fallback } = run.progress.details as { used_fallback: boolean };
  return { run_id: run.id, session_id: session.id, used_fallback, files };
}
