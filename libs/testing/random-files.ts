import { strToU8 } from 'fflate';
import fc from 'fast-check';
import { docx, epub, odp, ods, odt, pptx, rtf, xlsx, type FileWords } from './random-office-files.js';

export type { FileWords };

const word = fc
  .tuple(fc.stringMatching(/^[a-zäøłßж]{2,7}$/), fc.nat({ max: 999_999 }))
  .map(([letters, number]) => `${letters}${number}q`);

/** Unique words for one file, with letters of several alphabets. */
export const fileWords: fc.Arbitrary<FileWords> = fc
  .uniqueArray(word, { minLength: 16, maxLength: 40 })
  .map(([heading, note, comment, header, box, deleted, field, c1, c2, c3, c4, ...body]) => ({
    body,
    ...{
      heading: heading!,
      note: note!,
      comment: comment!,
      header: header!,
      box: box!,
      deleted: deleted!,
      field: field!,
    },
    cells: [c1!, c2!, c3!, c4!],
    raised: '6',
  }));

/** A writer of small files of one type, and the parts of `FileWords` that the type lacks. */
export interface RandomFileKind {
  name: string;
  lacks: (keyof FileWords)[];
  write: (words: FileWords) => Uint8Array;
}

const page = ({
  body,
  heading,
  cells,
  note,
  comment,
  header,
  box,
  deleted,
  field,
  raised,
}: FileWords): string =>
  `<!doctype html><meta charset="utf-8"><title>t</title><header>${header}</header><h1>${heading}</h1>${body.map((text) => `<p>${text}`).join('')}` +
  `<table><tr><th>${cells[0]}<th>${cells[1]}<tr><td>${cells[2]}<td>${cells[3]}</table><p>10<sup>${raised}</sup> <input value="${field}">` +
  `<iframe srcdoc="&lt;p&gt;${box}&lt;/p&gt;"></iframe><aside>${note}</aside><p><del>${deleted}</del> <img src="a.png" alt="${comment}">`;

const eml = ({ body, heading, cells, note, comment, box }: FileWords): Uint8Array =>
  strToU8(
    [
      ...[
        'From: a@example.org',
        `Subject: =?UTF-8?B?${Buffer.from(heading).toString('base64')}?=`,
        'MIME-Version: 1.0',
      ],
      ...[
        'Content-Type: multipart/mixed; boundary="b"',
        '',
        '--b',
        'Content-Type: text/plain; charset=utf-8',
        '',
        body.join('\r\n\r\n'),
      ],
      ...[
        '--b',
        'Content-Type: text/html; charset=utf-8',
        'Content-Disposition: attachment; filename="p.html"',
        '',
        `<p>${note}<p>${comment}`,
      ],
      ...[
        '--b',
        'Content-Type: text/csv; charset=utf-8',
        'Content-Disposition: attachment; filename="t.csv"',
        '',
        cells.join(','),
      ],
      ...[
        '--b',
        'Content-Type: message/rfc822',
        '',
        'From: b@example.org',
        'Subject: s',
        'Content-Type: text/plain; charset=utf-8',
        '',
        box,
        '--b--',
        '',
      ],
    ].join('\r\n'),
  );

function ipynb({ body, heading, cells, note, comment, box, field }: FileWords): Uint8Array {
  const output = (data: object) => ({
    output_type: 'execute_result',
    metadata: {},
    execution_count: 1,
    data,
  });
  return strToU8(
    JSON.stringify({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: [
        {
          cell_type: 'markdown',
          metadata: {},
          source: [`# ${heading}\n`, '\n', ...body.map((text) => `${text}\n`)],
        },
        {
          ...{ cell_type: 'code', metadata: {}, execution_count: 1, source: `${field} = 1` },
          outputs: [
            { output_type: 'stream', name: 'stdout', text: [`\u001b[31m${note}\u001b[0m\n`] },
            output({ 'text/plain': cells }),
            { output_type: 'error', ename: 'E', evalue: box, traceback: [`E: ${box}`] },
          ],
        },
        { cell_type: 'raw', metadata: {}, source: comment },
      ],
    }),
  );
}

/** Writes a PDF with one line per word. Its fonts only cover ASCII, so other letters are replaced. */
function pdf({ body, heading, cells }: FileWords): Uint8Array {
  const lines = [heading, ...body, ...cells].map((text) => text.replace(/[^\x20-\x7e]/g, 'x'));
  const drawn = lines
    .map((text, index) => `BT /F1 11 Tf 60 ${740 - index * 16} Td (${text}) Tj ET`)
    .join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  return strToU8(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

/** Writers for every file type from which text is extracted. */
export const RANDOM_FILE_KINDS: RandomFileKind[] = [
  { name: 'a.docx', lacks: [], write: docx },
  { name: 'a.odt', lacks: [], write: odt },
  { name: 'a.ods', lacks: ['note', 'deleted', 'field'], write: ods },
  { name: 'a.odp', lacks: ['deleted', 'field'], write: odp },
  { name: 'a.rtf', lacks: [], write: rtf },
  { name: 'a.html', lacks: [], write: (words) => strToU8(page(words)) },
  { name: 'a.eml', lacks: ['header', 'deleted', 'field'], write: eml },
  { name: 'a.ipynb', lacks: ['header', 'deleted'], write: ipynb },
  { name: 'a.xlsx', lacks: ['note', 'comment', 'header', 'box', 'deleted', 'field'], write: xlsx },
  { name: 'a.pptx', lacks: ['cells', 'comment', 'header', 'box', 'deleted', 'field'], write: pptx },
  { name: 'a.epub', lacks: ['note', 'comment', 'header', 'box', 'deleted', 'field'], write: epub },
  { name: 'a.pdf', lacks: ['note', 'comment', 'header', 'box', 'deleted', 'field'], write: pdf },
];
