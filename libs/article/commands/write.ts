import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { Command, Option } from 'commander';
import { withExportOptions } from './export.js';
import { type WriteOptions, writeArticle, type WrittenArticle } from './write-run.js';
import { wholeNumber } from '#cli/commands/shared-options.js';
import { requireWritable } from '#cli/outputs/output-file.js';
import { LineProgress } from '#cli/progress/line-progress.js';
import { type PrintOptions, createPrinter, withPrintOptions } from '#cli/commands/print-result.js';

type Options = WriteOptions & PrintOptions;

/** `scriptorium article write TOPIC [paths...] -o article.md`: author mode from a terminal (A3). */
export function registerArticleWrite(article: Command): void {
  const command = article
    .command('write')
    .description('Write a cited article on a topic; asks you to approve the research and the draft')
    .argument('<topic>', 'topic of the article')
    .argument('[paths...]', 'files or folders to research (default: the existing collections)')
    .requiredOption('-o, --output <file>', 'the file to write: .md, .docx, .pdf, .epub, or .zip')
    .option('--style <folder>', 'folder of texts that set the style (default: the existing style corpora)')
    .option('--keyword <word>', 'keyword (repeatable)', collect, [])
    .option('--words <number>', 'length of the article (default: what the sources give)', wholeNumber(5))
    .option('--headings <file>', 'Markdown file with the headings that the research and the article follow')
    .option(
      '--source <page or file>',
      'page (https://…) or file to research first (repeatable); with --source and without paths, the existing collections are searched too',
      collect,
      [],
    )
    .option('--only-sources', 'research only in the pages and files of --source', false)
    .addOption(
      new Option('--web', 'research on the web as well (needs SEARXNG_URL or EXA_API_KEY)')
        .default(false)
        .conflicts('onlySources'),
    )
    .option('--accept', 'accept the research and the draft without asking', false);
  withPrintOptions(withExportOptions(command)).action(write);
}

const collect = (value: string, before: string[]): string[] => [...before, value];

async function write(topic: string, paths: string[], options: Options): Promise<void> {
  await requireWritable(options.output);
  const printWork = createPrinter(
    new LineProgress(),
    phrase('cli_error.decisions_saved', { command: 'scriptorium decisions' }),
  );
  await printWork(options, (work) => writeArticle(work, topic, paths, options), render);
}

const render = ({ file, sources, used_fallback: compiled }: WrittenArticle): string =>
  `${translate(phrase('out.article_summary', { count: sources }))}${compiled ? translate(phrase('out.compiled')) : ''}\n  ${file}\n`;
