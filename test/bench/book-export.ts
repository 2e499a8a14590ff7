/**
 * Measures memory and time of the export of a long book:
 * `npm run bench:book-export [-- --chapters 500] [--words 1000] [epub] [--json file]`.
 * Each format is created in a separate process, by the threads of the converter; reports the process's peak memory.
 */
import { ConverterPool } from '#kit/runtime/converter-pool.js';
import { chapterOf } from '#testing/book-model.js';
import { assemble, type CitedText } from '#writing/bibliography/assemble.js';
import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { benchOptions } from './options.js';
import { zipSync, strToU8 } from 'fflate';

const FORMATS = ['docx', 'pdf', 'epub', 'md'] as const;
type Format = (typeof FORMATS)[number];

const { sizes, named, save } = benchOptions({ chapters: [500, 5], words: [1_000, 200] });
const FRONT = { title: 'A very long book', language: 'en' };
/** As much as the threads of the converter may have. */
const LIMITS = { timeLimitMs: 600_000, memoryLimitMb: 1_280, threads: 1 };

/** A chapter whose every paragraph cites a passage. */
function chapter(number: number): CitedText {
  const content = chapterOf(`Part${number}`, sizes.words).replace(/too\.$/gm, `too. [^s1]`);
  const citation = {
    label: 's1',
    source_id: `src_${number % 20}`,
    reference: { title: `Source ${number % 20}` },
    author: null,
    page: null,
    heading_path: ['A part'],
  };
  return { title: `Part ${number}`, content, citations: [citation], prefix: `c${number}-` };
}

async function make(format: Format): Promise<{ bytes: number; seconds: number }> {
  const from = performance.now();
  const chapters = Array.from({ length: sizes.chapters }, (_, n) => chapter(n + 1));
  const { markdown } = assemble(FRONT, chapters);
  const pool = new ConverterPool(LIMITS);
  const none = () => Promise.resolve(null);
  const structure = await pool.structure(markdown);
  const options = { ...FRONT, toc: true, cover: true, chaptersOnNewPages: true };
  const made =
    format === 'md'
      ? zipSync({ 'book.md': strToU8(markdown) })
      : format === 'docx'
        ? (await pool.convert({ structure }, none, options)).docx
        : await pool.publish({ format, structure, options }, none);
  await pool.close();
  return { bytes: made.byteLength, seconds: Math.round((performance.now() - from) / 100) / 10 };
}

const one = FORMATS.find((format) => named.includes(format));
if (one) {
  const made = await make(one);
  console.log(JSON.stringify({ ...made, maxRssMb: Math.round(process.resourceUsage().maxRSS / 1_024) }));
} else {
  const figures: Record<string, unknown> = { ...sizes };
  const size = ['--chapters', String(sizes.chapters), '--words', String(sizes.words)];
  for (const format of FORMATS) {
    const args = [fileURLToPath(import.meta.url), ...size, format];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    figures[format] = JSON.parse(stdout);
  }
  figures['loadAverage'] = loadavg()[0];
  console.log(figures);
  save(figures);
}
