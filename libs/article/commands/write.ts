import { Command } from 'commander';
import { type WriteOptions, writeArticle, type WrittenArticle } from './write-run.js';
import { requireWritable } from '#cli/outputs/output-file.js';
import { LineProgress } from '#cli/progress/line-progress.js';
import { type PrintOptions, createPrinter, withPrintOptions } from '#cli/commands/print-result.js';

type Options = WriteOptions & PrintOptions;

/** `scriptorium article write TOPIC [paths...] -o article.md`: author mode from a terminal (A3). */
export function registerArticleWrite(article: Command): void {
  const command = article
    .command('write')
    .description('Write a cited article on a topic, and ask you about research and draft on the way')
    .argument('<topic>', 'what the article is about')
    .argument('[paths...]', 'files or folders to research in (default: the collections that there are)')
    .requiredOption('-o, --output <file>', 'the article, as markdown')
    .option('--style <folder>', 'texts whose style counts (default: the style corpora that there are)')
    .option('--keyword <word>', 'a keyword; may be given several times', collect, [])
    .option('--headings <file>', 'markdown file with the headings that research and article follow')
    .option('--web', 'research in the web (EXA_API_KEY)', false)
    .option('--accept', 'accept research and draft without asking', false);
  withPrintOptions(command).action(write);
}

const collect = (value: string, before: string[]): string[] => [...before, value];

async function write(topic: string, paths: string[], options: Options): Promise<void> {
  await requireWritable(options.output);
  const printWork = createPrinter(
    new LineProgress(),
    'The run is kept: "scriptorium decisions" lists its questions.',
  );
  await printWork(options, (work) => writeArticle(work, topic, paths, options), render);
}

const render = ({ file, sources, used_fallback: compiled }: WrittenArticle): string =>
  `${sources} sources${compiled ? ', compiled without a model' : ''}\n  ${file}\n`;
