/** Bytes of a table's entry in the directory of a font: tag, checksum, offset, length. */
const ENTRY = 16;
const HEADER = 12;
/** Bytes of a record of the name table: platform, encoding, language, name, length, offset. */
const RECORD = 12;
/** Records that must stay as they are: copyright and trademark, which the licence requires. */
const LEGAL = [0, 7];
/** Position of the checksum of the whole font in its table `head`, and the sum that it completes. */
const WHOLE_CHECKSUM = 8;
const WHOLE_SUM = 0xb1b0afba;

/**
 * Returns a copy of a TrueType font in which every name is replaced, except in its copyright and trademark. Required
 * for a modified font whose licence reserves the name of the original.
 *
 * @param rename returns the new text of a name
 */
export function renameFont(font: Buffer, rename: (name: string) => string): Buffer {
  const tables = readTables(font).map(({ tag, bytes }) => ({
    tag,
    bytes: tag === 'name' ? renameRecords(bytes, rename) : bytes,
  }));
  return writeTables(font.subarray(0, HEADER), tables);
}

interface Table {
  readonly tag: string;
  readonly bytes: Buffer;
}

const readTables = (font: Buffer): Table[] =>
  Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const entry = HEADER + index * ENTRY;
    const start = font.readUInt32BE(entry + 8);
    return {
      tag: font.toString('latin1', entry, entry + 4),
      bytes: font.subarray(start, start + font.readUInt32BE(entry + 12)),
    };
  });

/** Renames the records of a name table of format 0, whose texts are UTF-16. */
function renameRecords(table: Buffer, rename: (name: string) => string): Buffer {
  const records = Buffer.from(table.subarray(0, 6 + table.readUInt16BE(2) * RECORD));
  const texts: Buffer[] = [];
  let length = 0;
  for (let at = 6; at < records.length; at += RECORD) {
    const start = table.readUInt16BE(4) + table.readUInt16BE(at + 10);
    const old = Buffer.from(table.subarray(start, start + table.readUInt16BE(at + 8)));
    const isLegal = LEGAL.includes(table.readUInt16BE(at + 6));
    const text = isLegal ? old : swapped(Buffer.from(rename(swapped(old).toString('utf16le')), 'utf16le'));
    records.writeUInt16BE(text.length, at + 8);
    records.writeUInt16BE(length, at + 10);
    texts.push(text);
    length += text.length;
  }
  records.writeUInt16BE(records.length, 4);
  return Buffer.concat([records, ...texts]);
}

/** Node reads and writes UTF-16 in the other byte order only. */
const swapped = (text: Buffer): Buffer => Buffer.from(text).swap16();

function writeTables(header: Buffer, tables: readonly Table[]): Buffer {
  const directory = Buffer.alloc(tables.length * ENTRY);
  const parts: Buffer[] = [];
  let at = HEADER + directory.length;
  let head = 0;
  for (const [index, { tag, bytes }] of tables.entries()) {
    const padded = Buffer.concat([bytes], Math.ceil(bytes.length / 4) * 4);
    if (tag === 'head') {
      head = at;
      padded.writeUInt32BE(0, WHOLE_CHECKSUM);
    }
    directory.write(tag, index * ENTRY, 'latin1');
    directory.writeUInt32BE(checksum(padded), index * ENTRY + 4);
    directory.writeUInt32BE(at, index * ENTRY + 8);
    directory.writeUInt32BE(bytes.length, index * ENTRY + 12);
    parts.push(padded);
    at += padded.length;
  }
  const font = Buffer.concat([header, directory, ...parts]);
  font.writeUInt32BE((WHOLE_SUM - checksum(font)) >>> 0, head + WHOLE_CHECKSUM);
  return font;
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}
