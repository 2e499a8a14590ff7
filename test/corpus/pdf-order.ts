import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ExtractionError } from '#extraction/errors.js';
import { EmbeddedImages } from '#extraction/embedded-images.js';
import { pdfText } from '#extraction/pdf/pdf.js';
import { followedShare, missingWords } from './pdf-words.js';

/**
 * `node dist/test/corpus/pdf-order.js DIR [--count 60] [--most-kb 800]`: reads PDFs of a folder with the product and with pdftotext. Prints for
 * each file how many words of pdftotext the product does not have, and how many pairs of words that follow each
 * other in pdftotext's reading order do so in the product's. `scripts/collect-pdfs.js` collects such files.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '60' },
    'most-kb': { type: 'string', default: '800' },
  },
});
const MIN_WORDS = 200;
const KB = 1_024;

const all = (await readdir(positionals[0] ?? '.', { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.pdf'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
const step = Math.max(1, Math.floor(all.length / (Number(values.count) * 2)));
let [files, words, missing, followed] = [0, 0, 0, 0];
for (let at = 0; at < all.length && files < Number(values.count); at += step) {
  const path = all[at]!;
  const bytes = await readFile(path);
  if (bytes.length > Number(values['most-kb']) * KB) continue;
  const layout = othersText(path, ['-layout']);
  const order = othersText(path, []);
  if (layout === null || order === null || order.split(/\s+/).length < MIN_WORDS) continue;
  const text = await pdfText(bytes, path, new EmbeddedImages(path)).catch((error: unknown) => {
    if (error instanceof ExtractionError) return null;
    throw error;
  });
  if (text === null) continue;
  const lost = missingWords(layout, text);
  const share = followedShare(order, text);
  const count = layout.split(/\s+/).length;
  [files, words, missing, followed] = [files + 1, words + count, missing + lost.length, followed + share];
  process.stdout.write(
    `${share.toFixed(3)}  ${lost.length} of ${count} missing  ${path}  ${lost.slice(0, 8).join(' ')}\n`,
  );
}
process.stdout.write(
  `${JSON.stringify({ files, words, missing, followed: followed / Math.max(1, files) })}\n`,
);

/** Returns the text that pdftotext reads; null if it cannot read the file. */
function othersText(path: string, options: string[]): string | null {
  try {
    return execFileSync('pdftotext', ['-enc', 'UTF-8', ...options, path, '-'], {
      maxBuffer: 256 * KB * KB,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
  } catch {
    return null;
  }
}
