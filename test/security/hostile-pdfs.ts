import { deflateSync } from 'node:zlib';

const MB = 1024 * 1024;

/** A PDF of the given objects, numbered from 1; the first is its catalogue. */
function pdf(objects: (string | Buffer)[]): Uint8Array {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(length());
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${length()}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R>>';
const ONE_PAGE = '<</Type/Pages/Kids[3 0 R]/Count 1>>';

/** So many blanks, packed; to make it takes seconds. */
const blanks = new Map<number, Buffer>();
function packedBlanks(bytes: number): Buffer {
  const made = blanks.get(bytes) ?? deflateSync(Buffer.alloc(bytes, ' '), { level: 9 });
  blanks.set(bytes, made);
  return made;
}

/** A stream that the filters, so many times one in the other, unpack to so many bytes. */
function packed(bytes: number, times: number): Buffer {
  let content = packedBlanks(bytes);
  for (let time = 1; time < times; time++) content = deflateSync(content, { level: 9 });
  const filters = '/FlateDecode'.repeat(times);
  const head = `<</Length ${content.length}/Filter[${filters}]>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')]);
}

/** Files that take more memory or time than they should. Of each: what it is, its name, its content. */
export const HOSTILE_PDFS: [string, string, () => Uint8Array][] = [
  [
    'a PDF of 1 MB whose text unpacks to 1 GB',
    'big.pdf',
    () => pdf([CATALOG, ONE_PAGE, PAGE, packed(1024 * MB, 1)]),
  ],
  [
    'a small PDF whose text unpacks twice',
    'small.pdf',
    () => pdf([CATALOG, ONE_PAGE, PAGE, packed(1024 * MB, 2)]),
  ],
  [
    'a PDF whose pages are their own parents',
    'loop.pdf',
    () => pdf([CATALOG, '<</Type/Pages/Kids[2 0 R]/Count 3>>']),
  ],
];
