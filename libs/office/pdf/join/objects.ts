/** Indirect object of a PDF: its text as a byte string, and its stream with the keywords around it. */
export interface PdfObject {
  text: string;
  stream: Buffer | null;
}

/** PDF as written by Typst: without object streams. */
export interface PdfFile {
  objects: Map<number, PdfObject>;
  /** One more than the highest object number. */
  size: number;
  root: number;
  info: number;
}

const STREAM = '\nstream\n';

/**
 * Reads the objects of a PDF with a complete cross-reference table.
 *
 * @throws Error for any other
 */
export function readPdf(bytes: Uint8Array): PdfFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tail = file.toString('latin1', Math.max(0, file.length - 64));
  const table = Number(/startxref\s+(\d+)/.exec(tail)?.[1] ?? Number.NaN);
  const listed = file.toString('latin1', table);
  const [head = '', first, count] = /^xref\s+(\d+) (\d+)\s+/.exec(listed) ?? [];
  if (first !== '0') throw new Error('The PDF has no table of all its objects.');
  const size = Number(count);
  const places = Array.from({ length: size }, (_, number) => {
    const entry = listed.slice(head.length + 20 * number, head.length + 20 * number + 18);
    return { number, at: entry.endsWith('n') ? Number(entry.slice(0, 10)) : 0 };
  });
  const used = places.filter(({ at }) => at > 0).sort((a, b) => a.at - b.at);
  const objects = new Map<number, PdfObject>();
  for (const [i, { number, at }] of used.entries())
    objects.set(number, objectOf(file.subarray(at, used[i + 1]?.at ?? table)));
  const trailer = listed.slice(listed.lastIndexOf('trailer'));
  return { objects, size, root: referenceIn(trailer, 'Root')!, info: referenceIn(trailer, 'Info')! };
}

function objectOf(bytes: Buffer): PdfObject {
  const from = bytes.indexOf(' obj') + ' obj'.length;
  const to = bytes.lastIndexOf('endobj');
  const stream = bytes.indexOf(STREAM, from, 'latin1');
  if (stream < 0) return { text: bytes.toString('latin1', from, to).trim(), stream: null };
  return { text: bytes.toString('latin1', from, stream).trim(), stream: bytes.subarray(stream, to) };
}

/** Returns the object number in an entry, or undefined if the entry is missing. */
export function referenceIn(text: string, key: string): number | undefined {
  const found = new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Returns the content of the array after a key, which must not nest arrays; empty if the key is missing. */
export function listIn(text: string, key: string): string {
  return new RegExp(`/${key} \\[([^\\]]*)\\]`).exec(text)?.[1] ?? '';
}

/** Matches string delimiters, and references and tag numbers outside strings. */
const TOKEN = /\\[^]|[()]|\/StructParents? \d+|\/(?:ID|Headers) \[?[(<]|\b\d+ 0 R\b/g;

/** Replaces each token outside strings with the result of `change`. */
export function changeTokens(text: string, change: (token: string) => string): string {
  let depth = 0;
  return text.replace(TOKEN, (token) => {
    if (token.startsWith('\\')) return token;
    const isOutside = depth === 0;
    if (token.endsWith('(')) depth += 1;
    if (token === ')') depth -= 1;
    return isOutside && token.length > 1 ? change(token) : token;
  });
}

/** Writes the objects in the order of their numbers. */
export function writePdf(objects: ReadonlyMap<number, PdfObject>, size: number, trailer: string): Uint8Array {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n%\u0080\u0080\u0080\u0080\n\n', 'latin1')];
  let length = chunks[0]!.length;
  const add = (...more: Buffer[]) => {
    chunks.push(...more);
    length += more.reduce((sum, { length: bytes }) => sum + bytes, 0);
  };
  const entries = ['0000000000 65535 f\r\n'];
  for (let number = 1; number < size; number++) {
    const object = objects.get(number);
    entries.push(object ? `${String(length).padStart(10, '0')} 00000 n\r\n` : '0000000000 65535 f\r\n');
    if (!object) continue;
    add(Buffer.from(`${number} 0 obj\n${object.text}`, 'latin1'));
    if (object.stream) add(object.stream);
    add(Buffer.from(object.stream ? 'endobj\n\n' : '\nendobj\n\n', 'latin1'));
  }
  const end = `xref\n0 ${size}\n${entries.join('')}trailer\n<<\n  /Size ${size}\n${trailer}\n>>\nstartxref\n${length}\n%%EOF`;
  return Buffer.concat([...chunks, Buffer.from(end, 'latin1')]);
}
