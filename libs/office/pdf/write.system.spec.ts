import { pdfPages } from '#extraction/pdf/pdf.js';
import { expectOnlyLiveLinks, expectTour, tourAssets, writeTour } from '#testing/pdf-samples.js';
import { itWith } from '#testing/programs.js';
import { missingText } from '#verbatim/word/missing-text.js';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { visibleLines } from '../docx/check/check.js';
import { readDocx } from '../docx/read/read.js';
import { writeDocx } from '../docx/write/write.js';
import { buildStructure } from '../structure/build.js';
import { writePdf } from './write.js';

const SAME =
  '# One\n\nWords *here*, a [link](https://e.org).[^1]\n\n1. a\n   1. b\n- p\n\n> [!TIP]\n> tip\n\n| H | I |\n|---|--:|\n| c | 1 |\n\n' +
  'Table: Numbers\n\n![Chart](chart.svg)\n\n![gone](gone.png)\n\n```\ncode  x\n```\n\n## Two\n\n> quote\n\nend\n\n[^1]: note\n';

/** The words of a PDF as poppler reads them. */
async function popplerText(bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-pdf-test-'));
  try {
    await writeFile(join(folder, 'a.pdf'), bytes);
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', join(folder, 'a.pdf'), '-']);
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('a PDF in other programs', () => {
  itWith('pdftotext')('D33 sets it with Typst so that poppler reads it, too', async () => {
    const pdf = await writeTour({ engine: 'typst' });
    expectTour(pdf, await popplerText(pdf.bytes));
  });

  itWith('soffice', 'pdftotext')('converts the DOCX with LibreOffice where it is installed', async () => {
    const pdf = await writeTour({});
    expect(pdf.engine).toBe('libreoffice');
    expectTour(pdf, await popplerText(pdf.bytes));
  });

  itWith('soffice')('D33 has the same content in the same order, whichever engine sets it', async () => {
    const structure = buildStructure(SAME);
    const docx = await writeDocx(structure, tourAssets, { toc: true });
    // Marks of lists are drawn by the engines.
    const words = visibleLines(readDocx(docx)).map((text) => text.replace(/^(?:\d+[.)]|•) /, ''));
    const wanted = words.map((text, line) => ({
      source: '',
      line,
      text,
      moves: false,
    }));
    const normalise = (text: string) => text.normalize('NFKC');
    for (const engine of ['libreoffice', 'typst'] as const) {
      const { bytes } = await writePdf({ docx, structure, resolveAsset: tourAssets }, { engine, toc: true });
      const shown = (await pdfPages(bytes, engine)).flatMap((page) => page.split('\n'));
      expect([engine, missingText(wanted, shown, { normalise })]).toEqual([engine, []]);
    }
  });

  itWith('soffice')('LibreOffice writes the same bytes for the same input, at any time', async () => {
    const [first, second] = [
      await writeTour({ engine: 'libreoffice' }),
      await writeTour({ engine: 'libreoffice' }),
    ];
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    expect(Buffer.from(first.bytes).toString('latin1')).toContain('/CreationDate(D:20000101000000');
  });

  itWith('soffice')('D33 links of a PDF by LibreOffice lead to the web, to mail and within it only', () =>
    expectOnlyLiveLinks({ engine: 'libreoffice' }),
  );
});
