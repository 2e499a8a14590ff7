import { isSourceName } from '#contracts/file-kinds.js';
import { SessionFileRepository, type SessionFile } from '#db/repositories/session-files.js';
import type { Database } from '#db/client.js';
import { ToolError, type InputPage, type InputPort } from '../graph/ports.js';
import type { ObjectStore } from '#storage/object-store.js';
import { LineCounter } from './line-counter.js';

/** Inputs of a run's session, read page by page (D6, D7). */
export class SessionInputs implements InputPort {
  private readonly files: SessionFileRepository;
  private readonly lines: LineCounter;
  private listed: Promise<SessionFile[]> | null = null;

  constructor(
    db: Database,
    private readonly store: ObjectStore,
    private readonly tenantId: string,
    private readonly sessionId: string,
    private readonly pageBytes: number,
  ) {
    this.files = new SessionFileRepository(db);
    this.lines = new LineCounter(store);
  }

  async list(): Promise<{ name: string; bytes: number }[]> {
    return (await this.inputs()).map(({ name, size }) => ({ name, bytes: size }));
  }

  async readPage(name: string, cursor: number): Promise<InputPage> {
    const file = (await this.inputs()).find((input) => input.name === name);
    if (!file) throw new ToolError(`there is no input file "${name}"; list_files returns the names`);
    if (!isSourceName(name))
      throw new ToolError(`"${name}" is not a text file; refer to it as an image or attachment`);
    if (cursor > file.size)
      throw new ToolError(`the cursor ${cursor} is past the end of "${name}" (${file.size} bytes)`);
    const page = await this.pageBytesAt(file, cursor);
    const text = decode(page.bytes, name);
    const end = page.start + page.bytes.length;
    const before = await this.lines.newlinesBefore(file.objectKey, page.start);
    const newlines = countNewlines(page.bytes);
    this.lines.remember(file.objectKey, end, before + newlines);
    const endsLine = page.bytes.at(-1) === NEWLINE;
    return {
      text,
      first_line: file.size === 0 ? 0 : before + 1,
      last_line: before + newlines + (endsLine || page.bytes.length === 0 ? 0 : 1),
      start: page.start,
      end,
      size: file.size,
      next_cursor: end < file.size ? end : null,
    };
  }

  /**
   * Reads a page: from the start of a code point to the last line end that fits, else to a code point's end.
   */
  private async pageBytesAt(file: SessionFile, cursor: number): Promise<{ start: number; bytes: Buffer }> {
    if (file.size === 0) return { start: 0, bytes: Buffer.alloc(0) };
    const last = Math.min(file.size, cursor + this.pageBytes + MAX_CODE_POINT_BYTES);
    const chunk = await readRange(this.store, file.objectKey, cursor, last - 1);
    let skip = 0;
    while (skip < chunk.length && isContinuation(chunk[skip]!)) skip++;
    if (last === file.size && chunk.length <= this.pageBytes)
      return { start: cursor + skip, bytes: chunk.subarray(skip) };
    let end = chunk.lastIndexOf(NEWLINE, this.pageBytes - 1) + 1;
    if (end <= skip) {
      end = Math.min(this.pageBytes, chunk.length);
      while (end > skip && end < chunk.length && isContinuation(chunk[end]!)) end--;
    }
    return { start: cursor + skip, bytes: chunk.subarray(skip, end) };
  }

  private inputs(): Promise<SessionFile[]> {
    this.listed ??= this.files.listReadable(this.tenantId, this.sessionId);
    return this.listed;
  }
}

const NEWLINE = 0x0a;
const MAX_CODE_POINT_BYTES = 4;
const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError(`"${name}" is not UTF-8 text`);
  }
}

async function readRange(store: ObjectStore, key: string, start: number, end: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await store.get(key, { start, end }))
    chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
