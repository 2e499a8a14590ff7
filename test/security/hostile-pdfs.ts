import { constants, deflateRawSync, deflateSync } from 'node:zlib';

const MB = 1024 * 1024;

/** Returns a PDF with the given objects, numbered from 1; the first is its catalogue. */
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

/**
 * Returns this many blanks, compressed: repeats one compressed megabyte, because compressing all of them takes seconds.
 */
function packedBlanks(bytes: number): Buffer {
  const megabyte = deflateRawSync(Buffer.alloc(MB, ' '), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const parts = [ZLIB_HEAD, ...Array<Buffer>(bytes / MB).fill(megabyte), deflateRawSync(Buffer.alloc(0))];
  return Buffer.concat([...parts, adlerOfBlanks(bytes)]);
}

const ZLIB_HEAD = Buffer.from([0x78, 0xda]);

/** Checksum at the end of zlib data. */
function adlerOfBlanks(bytes: number): Buffer {
  const [blank, count, prime] = [32n, BigInt(bytes), 65_521n];
  const sum = (1n + blank * count) % prime;
  const ofSums = (count + (blank * count * (count + 1n)) / 2n) % prime;
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(Number((ofSums << 16n) | sum));
  return checksum;
}

/** Returns a stream that nested filters decompress to this many bytes. */
function packed(bytes: number, times: number): Buffer {
  let content = packedBlanks(bytes);
  for (let time = 1; time < times; time++) content = deflateSync(content, { level: 9 });
  const filters = '/FlateDecode'.repeat(times);
  const head = `<</Length ${content.length}/Filter[${filters}]>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')]);
}

/** Files that need excessive memory or time: description, name, content. */
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
