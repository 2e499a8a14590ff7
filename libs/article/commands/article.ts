import { phrase } from '#contracts/phrases/phrase.js';
import { fingerprintOf } from '#writing/style/fingerprint.js';
import { reviewGenerally, reviewStyle } from '#writing/style/review.js';
import type { Fingerprint } from '#contracts/style.js';
import { Option, type Command } from 'commander';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, parse } from 'node:path';
import { CliError } from '#cli/cli-error.js';
import { sayOnTerminal } from '#cli/progress/say-on-terminal.js';
import { requireWritable, writeOutput } from '#cli/outputs/output-file.js';
import { registerArticleCorpus } from './corpus.js';
import { registerArticleRepurpose } from './repurpose.js';
import { registerArticleExport } from './export.js';
import { registerArticleOverrule } from './overrule.js';
import { registerArticleWrite } from './write.js';
import { renderFingerprint, renderReview } from './view.js';
import { print } from '#cli/commands/print.js';
import { renderSideBySide } from '#cli/commands/side-by-side.js';

interface ShadowOptions {
  corpus?: string;
  rules?: 'general';
  output?: string;
  sideBySide: boolean;
  json: boolean;
}

/** Width of a terminal that does not report one, in columns. */
const WIDTH = 100;
/** File extensions of corpus texts. */
const TEXTS = new Set(['.md', '.markdown', '.txt']);

/** `scriptorium article …`. `shadow` and `fingerprint` use rules and need neither the stack nor a model. */
export function registerArticle(article: Command): void {
  registerArticleWrite(article);
  registerArticleCorpus(article);
  registerArticleRepurpose(article);
  registerArticleExport(article);
  registerArticleOverrule(article);
  article
    .command('shadow')
    .description(
      'Report where a draft deviates from the style of a corpus, and write a corrected version (no stack needed)',
    )
    .argument('<draft>', 'Markdown or text file')
    .option('--corpus <folder>', 'folder of texts that set the style (.md, .txt)')
    .addOption(
      new Option('--rules <rules>', 'general: review the text without a corpus')
        .choices(['general'])
        .conflicts('corpus'),
    )
    .option(
      '-o, --output <file>',
      'file for the corrected text (default: DRAFT.corrected.md next to the draft)',
    )
    .option('--side-by-side', 'show the changed paragraphs side by side, before and after', false)
    .option('--json', 'print the whole report as one JSON object', false)
    .action(shadow);
  article
    .command('fingerprint')
    .description('Describe the style of a corpus (no stack needed)')
    .argument('<folder>', 'folder of texts (.md, .txt)')
    .option('--json', 'print one JSON object', false)
    .action(async (folder: string, { json }: { json: boolean }) => {
      print(json, await readCorpus(folder), renderFingerprint);
    });
}

async function shadow(draft: string, options: ShadowOptions): Promise<void> {
  const { dir, name, ext } = parse(draft);
  const output = options.output ?? join(dir, `${name}.corrected${ext || '.md'}`);
  const { corpus: folder, rules } = options;
  if (folder === undefined && rules === undefined) throw new CliError(phrase('cli_error.corpus_needed'));
  const [text, corpus] = await Promise.all([
    readText(draft),
    folder === undefined ? null : readCorpus(folder),
  ]);
  await requireWritable(output);
  sayOnTerminal(phrase('cli.reviewing_file', { file: draft }));
  const report = corpus ? reviewStyle(text, corpus) : reviewGenerally(text);
  await writeOutput(output, report.corrected);
  print(
    options.json,
    { ...report, output },
    () =>
      renderReview(text, report, corpus, draft, output) +
      (options.sideBySide
        ? `\n${renderSideBySide(text, report.corrected, process.stdout.columns || WIDTH)}`
        : ''),
  );
}

/** @throws CliError for a file that cannot be read or is not UTF-8 */
async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(phrase('cli_error.cannot_read', { file: path, code: String(error.code) }));
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(phrase('cli_error.not_utf8', { file: path }));
  }
}

/** @throws CliError for a folder without texts */
async function readCorpus(folder: string): Promise<Fingerprint> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(phrase('cli_error.cannot_read_folder', { folder, code: String(error.code) }));
  });
  const texts = names.filter((name) => TEXTS.has(extname(name).toLowerCase())).sort();
  if (texts.length === 0) throw new CliError(phrase('cli_error.corpus_folder_empty', { folder }));
  sayOnTerminal(phrase('cli.measuring_texts', { count: texts.length }));
  return fingerprintOf(
    await Promise.all(texts.map(async (name) => ({ title: name, text: await readText(join(folder, name)) }))),
  );
}
