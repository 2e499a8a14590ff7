import { translate } from '#cli/language.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join, parse, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { decodeText } from '#extraction/encoding.js';
import type { AssetResolver, DocxOptions } from '#office/docx/write/write.js';
import type { Structure } from '#contracts/structure.js';
import { ConverterPool } from '#kit/runtime/converter-pool.js';
import { explain, isFileError, CliError } from '#cli/cli-error.js';
import { sayOnTerminal } from '#cli/progress/line-progress.js';
import { requireWritable, writeOutput } from '#cli/outputs/output-file.js';
import { dataDirOption } from '#cli/stack/data-dir.js';
import { filesBeside } from './convert-images.js';
import { imageName } from '#office/docx/write/inlines.js';
import type { WideTable } from '#office/structure/wide-tables.js';
import type { MissingImage } from '#office/worker.js';
import { frontMatterLines } from '#markdown/front-matter.js';
import { splitLines } from '#markdown/scan/scan.js';

interface ConvertFlags {
  output: string;
  reference?: string;
  title?: string;
  subtitle?: string;
  author?: string;
  language?: string;
  toc?: boolean;
  listOfFigures?: boolean;
  numberSections?: boolean;
  cover: boolean;
  codeColors?: boolean;
  lineNumbers?: boolean;
  pageSize?: string;
  engine: string;
  check?: boolean;
  allowMissing?: boolean;
  allowOutside?: boolean;
  encoding?: string;
  structure?: string;
  quiet?: boolean;
  timeLimit: string;
  ledger?: string | true;
  md?: string;
  dataDir: string;
}

/** Options that apply with `--ledger`. */
const WITH_LEDGER = new Set([
  'output',
  'title',
  'language',
  'listOfFigures',
  'codeColors',
  'lineNumbers',
  'encoding',
  'ledger',
  'md',
  'dataDir',
]);

/** Input longer than this, in characters, reports its progress. */
const LONG_INPUT = 500_000;

/** Documents longer than this number of characters (some ten pages) may get a table of contents by default. */
const LONG_DOCUMENT = 30_000;
/** Minimum number of headings for this table of contents. */
const MANY_HEADINGS = 8;

/**
 * `scriptorium convert in.md -o out.docx`: converts a file without the stack and without a network.
 *
 * @param workerUrl of the compiled worker; only tests, which run from sources, pass it
 */
export function registerConvert(command: Command, workerUrl?: URL): void {
  command
    .argument('<input>', 'Markdown file, or - for standard input; with --ledger, any file or folder')
    .requiredOption('-o, --output <file>', 'file to write: .docx, .pdf or .json')
    .option('--reference <docx>', 'Word file to copy styles, header, footer and page setup from')
    .option('--title <text>', 'title on the cover and in the document properties')
    .option('--subtitle <text>', 'second line on the cover')
    .option('--author <text>', 'author')
    .option('--language <tag>', 'language of the text, such as pl-PL')
    .option('--toc', 'add a table of contents with page numbers (default for long documents)')
    .option('--no-toc', 'omit the table of contents')
    .option(
      '--list-of-figures',
      'list figures and tables after the contents (default: if there are five of a kind)',
    )
    .option('--no-list-of-figures', 'omit these lists')
    .option('--number-sections', 'number the headings')
    .option('--no-cover', 'omit the title page')
    .option('--code-colors', 'highlight the syntax of code (Word)')
    .option('--line-numbers', 'number the lines of code (Word)')
    .option('--page-size <size>', 'A4 or Letter')
    .option('--engine <name>', 'PDF engine: auto, libreoffice or typst', 'auto')
    .option(
      '--check',
      'read the written file and check that it contains every word of the source; exit code 2 if it does not',
    )
    .option('--allow-missing', 'exit with code 0 even if images are omitted')
    .option('--allow-outside', "also use images outside the document's folder")
    .option('--encoding <name>', 'encoding of the input if it is not UTF-8, such as windows-1250')
    .option('--structure <file>', 'also write structure.json')
    .option('--time-limit <seconds>', 'abort the conversion after this time', '600')
    .option('-q, --quiet', 'print errors only')
    .option(
      '--ledger [file]',
      'convert files of any kind by rules, without a model, and write the ledger, which traces each source line: HTML if the name ends in .html, otherwise JSON (default: the name of the output with .ledger.html)',
    )
    .option('--md <file>', 'with --ledger: also write the Markdown')
    .addOption(dataDirOption())
    .action(async (input: string, flags: ConvertFlags) => {
      if (flags.ledger !== undefined) return convertWithLedger(input, flags, command);
      try {
        if (flags.md !== undefined) throw new CliError(phrase('convert.md_needs_ledger'));
        process.exitCode = await convert(input, flags, workerUrl);
      } catch (error) {
        const reason = error instanceof Error && !isFileError(error) ? error.message : explain(error);
        report(phrase('convert.failed', { reason }));
        process.exitCode = 1;
      }
    });
}

/** Converts files of any kind as `write` does without a model; each question gets its default answer. */
async function convertWithLedger(input: string, flags: ConvertFlags, command: Command): Promise<void> {
  const other = command.options.find(
    (option) =>
      !WITH_LEDGER.has(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (other) throw new CliError(phrase('convert.not_with_ledger', { option: other.long ?? other.flags }));
  const { write } = await import('./write.js');
  const encoding = flags.encoding === undefined ? [] : [flags.encoding];
  const { dir, name } = parse(flags.output);
  const ledger = flags.ledger === true ? join(dir, `${name}.ledger.html`) : flags.ledger;
  const fixed = { answer: [], json: false, keepRunning: false, isConversion: true };
  await write([input], { ...flags, ...fixed, encoding, ledger });
}

/** Exit code if the file was written but lacks content of the source. */
const INCOMPLETE = 2;

/** Heap of the conversion, in megabytes. */
const MEMORY_MB = 3_072;

async function convert(input: string, flags: ConvertFlags, workerUrl?: URL): Promise<number> {
  const seconds = Number(flags.timeLimit);
  if (!(seconds > 0 && seconds <= 86_400)) throw new CliError(phrase('convert.time_limit'));
  const pool = new ConverterPool({
    timeLimitMs: seconds * 1000,
    // The user's limit is wall-clock time.
    stretch: 1,
    memoryLimitMb: MEMORY_MB,
    workerUrl,
  });
  try {
    return await convertIn(pool, input, flags);
  } finally {
    await pool.close();
  }
}

async function convertIn(pool: ConverterPool, input: string, flags: ConvertFlags): Promise<number> {
  const format = extname(flags.output).toLowerCase();
  if (!['.docx', '.pdf', '.json'].includes(format))
    throw new CliError(phrase('convert.output_name', { file: flags.output }));
  for (const file of [flags.output, flags.structure]) if (file !== undefined) await requireWritable(file);
  const bytes = input === '-' ? await buffer(process.stdin) : await readFile(input);
  const markdown = decodeText(bytes, input, flags.encoding);
  const reportProgress = progress(flags.quiet !== true && markdown.length > LONG_INPUT);
  reportProgress(phrase('convert.read', { number: markdown.length.toLocaleString('en') }));
  if (flags.quiet !== true) reportFrontMatter(markdown);
  if (format === '.json') {
    const structure = await pool.structure(markdown);
    for (const file of [flags.structure, flags.output]) if (file) await writeJson(file, structure);
    return 0;
  }
  const options = await docxOptions(flags);
  if (input !== '-') options.untitled = basename(input, extname(input));
  if (markdown.length > LONG_DOCUMENT) options.tocFromHeadings = MANY_HEADINGS;
  const folder = input === '-' ? process.cwd() : dirname(resolve(input));
  const assets = filesBeside(folder, flags.allowOutside === true);
  const { docx, structure, issues, missing } = await pool.convert({ markdown }, assets, {
    ...options,
    check: flags.check ?? false,
    withStructure: format === '.pdf' || flags.check === true || flags.structure !== undefined,
    onParsed: ({ headings, images, wideTables }) => {
      reportProgress(phrase('convert.parsed', { headings, images }));
      warnAboutWideTables(wideTables);
    },
  });
  reportProgress(phrase('convert.wrote', { number: docx.length.toLocaleString('en') }));
  if (flags.structure) await writeJson(flags.structure, structure);
  const written =
    format === '.pdf' && structure ? await pdfOf(docx, structure, assets, options, flags) : docx;
  await writeOutput(flags.output, written);
  const leftOut = reportLeftOut(missing) && flags.allowMissing !== true ? INCOMPLETE : 0;
  if (!flags.check) return leftOut;
  const {
    missingInPdf: lostInPdf,
    missingInWord: lostInWord,
    reportDifferences,
  } = await import('./convert-check.js');
  const differences = reportDifferences([
    ...issues,
    ...(format === '.docx'
      ? lostInWord(markdown, structure!, docx)
      : await lostInPdf(markdown, structure!, written)),
  ]);
  return differences ? INCOMPLETE : leftOut;
}

const writeJson = (file: string, structure: Structure | null): Promise<void> =>
  writeOutput(file, `${JSON.stringify(structure)}\n`);

async function pdfOf(
  docx: Uint8Array,
  structure: Structure,
  resolveAsset: AssetResolver,
  options: DocxOptions,
  flags: ConvertFlags,
): Promise<Uint8Array> {
  if (flags.quiet !== true) sayOnTerminal(phrase('cli.making_file', { file: flags.output }));
  const { writePdf } = await import('#office/pdf/write.js');
  const pdf = await writePdf(
    { docx, structure, resolveAsset },
    { ...options, engine: engineOf(flags.engine) },
  );
  if (pdf.failed !== null) report(phrase('convert.using_typst', { reason: pdf.failed }));
  if (flags.quiet !== true) report(phrase('convert.pdf_by', { engine: pdf.engine }));
  if (pdf.unshown.length > 0) report(withoutGlyph(pdf.unshown));
  return pdf.bytes;
}

function withoutGlyph(all: readonly string[]): Phrase {
  const shown = all.slice(0, 20).join(' ');
  const characters =
    all.length > 20
      ? phrase('convert.characters_more', { characters: shown, number: all.length - 20 })
      : shown;
  return phrase('convert.no_glyph', { characters });
}

async function docxOptions(flags: ConvertFlags): Promise<DocxOptions> {
  const { title, subtitle, author, language, toc, listOfFigures, numberSections, pageSize } = flags;
  if (pageSize !== undefined && pageSize !== 'A4' && pageSize !== 'Letter')
    throw new CliError(phrase('convert.page_size'));
  return {
    ...(title === undefined ? {} : { title }),
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(author === undefined ? {} : { author }),
    ...(language === undefined ? {} : { language }),
    ...(toc === undefined ? {} : { toc }),
    ...(listOfFigures === undefined ? {} : { listOfFigures }),
    ...(numberSections ? { numberSections } : {}),
    ...(flags.codeColors ? { codeColors: true } : {}),
    ...(flags.lineNumbers ? { lineNumbers: true } : {}),
    ...(flags.cover ? {} : { cover: false }),
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(flags.reference ? { referenceDocx: await readFile(flags.reference) } : {}),
  };
}

function engineOf(name: string): 'auto' | 'libreoffice' | 'typst' {
  if (name === 'auto' || name === 'libreoffice' || name === 'typst') return name;
  throw new CliError(phrase('convert.engine'));
}

function progress(enabled: boolean): (message: Phrase) => void {
  const start = performance.now();
  return (message) => {
    if (enabled)
      process.stderr.write(
        `${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${translate(message)}\n`,
      );
  };
}

/** Prints each image that is missing in the document, with line and reason. @returns whether there are any */
function reportLeftOut(missing: readonly MissingImage[]): boolean {
  for (const { ref, reason, line } of missing) {
    const why = phrase(`convert_image.${reason}`);
    reportAt(line, phrase('convert.image_omitted', { image: imageName(ref), reason: why }));
  }
  return missing.length > 0;
}

/** Warns of tables that were split because no page is wide enough. */
function warnAboutWideTables(tables: readonly WideTable[]): void {
  for (const { line, columns, parts } of tables)
    reportAt(line, phrase('convert.wide_table', { columns, parts }));
}

/** Reports front matter, which becomes the document's properties and is not shown. */
function reportFrontMatter(markdown: string): void {
  const count = frontMatterLines(splitLines(markdown));
  if (count > 0) report(phrase('convert.front_matter', { last: count }));
}

function reportAt(line: number, text: Phrase): void {
  report(phrase('convert.at_line', { line, text }));
}

/** Prints a message for the user in the terminal's language. */
function report(text: Phrase): void {
  process.stderr.write(`${translate(text)}\n`);
}
