import { pdfStandards } from '#contracts/file-kinds.js';
import type { Structure } from '#contracts/structure.js';
import { itWhere } from '#testing/it-where.js';
import { tourAssets, tourStructure } from '#testing/pdf-samples.js';
import { hasVeraPdf, veraPdf } from '#testing/verapdf.js';
import { typstPdf } from './typst.js';

itWhere(hasVeraPdf)(
  'B12 keeps PDF/UA-1 and PDF/A-2b, as veraPDF finds, with every kind of block',
  async () => {
    const tour = JSON.stringify(await tourStructure());
    // Without what the fonts of a machine may lack.
    const structure = JSON.parse(tour.replace(/[\u3000-\u9fff\ud800-\udfff]/g, '')) as Structure;
    const files = await Promise.all(
      pdfStandards.flatMap((standard) =>
        [null, { trim: 'a5' as const }].map(async (book) => {
          const options = { standard, toc: true, cover: true, ...(book && { book }) };
          return { standard, bytes: await typstPdf(structure, tourAssets, options) };
        }),
      ),
    );
    expect(veraPdf(files)).toEqual({ failures: [], checked: files.length });
  },
);
