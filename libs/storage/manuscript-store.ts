import { sha256 } from '#contracts/sha256.js';
import { endsBlank, withoutEnding } from '#contracts/text.js';
import type { OutlineEntry } from '#contracts/manuscript.js';
import { scanText } from '#markdown/fences.js';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ObjectStore } from './object-store.js';
import { sessionKey } from './session-keys.js';

const manifestSchema = z.object({
  version: z.literal(1),
  lines: z.number().int(),
  bytes: z.number().int(),
  /** Code fence that is open at the end, so that a later append can continue a code block. */
  open_fence: z.string().nullable(),
  ends_blank: z.boolean(),
  outline: z.array(z.object({ level: z.number().int(), title: z.string(), line: z.number().int() })),
  segments: z.array(z.object({ key: z.string(), lines: z.number().int(), bytes: z.number().int() })),
});
type Manifest = z.infer<typeof manifestSchema>;

/** Description of a manuscript version, without its text. */
interface ManuscriptDescription {
  pointer: string;
  lines: number;
  bytes: number;
  outline: OutlineEntry[];
}

/** Returns a version's name for clients: an opaque text that reveals no object key. */
export function versionOf(pointer: string): string {
  return withoutEnding(pointer.slice(pointer.lastIndexOf('/') + 1), '.json');
}

/** Error for a line number outside the manuscript. */
export class LineOutOfRangeError extends Error {
  override readonly name = 'LineOutOfRangeError';
}

/** Number of segments that are read at the same time. */
const READ_TOGETHER = 16;

/** Number of segments from which reading a version costs more than storing its text once more. */
const MAX_SEGMENTS = 8;
/** Maximum size in bytes of a text that is stored once more: a larger one would need too much memory. */
const MAX_JOINED_BYTES = 8 * 1024 * 1024;

const EMPTY: Manifest = {
  version: 1,
  lines: 0,
  bytes: 0,
  open_fence: null,
  ends_blank: true,
  outline: [],
  segments: [],
};

/**
 * Immutable versions of a session's manuscript. A version is a small manifest that lists text segments. Both
 * are stored under the hash of their content, so writing one twice changes nothing, and an append writes only
 * its own text and a manifest, whatever the length of the manuscript. The manifest's key is the version's
 * pointer.
 */
export class ManuscriptStore {
  constructor(
    private readonly store: ObjectStore,
    private readonly tenantId: string,
    private readonly sessionId: string,
  ) {}

  /**
   * Appends text unchanged, adding a final newline if it lacks one. Outside an open code fence a blank line
   * separates it from the existing text (D9).
   */
  async append(pointer: string | null, content: string): Promise<ManuscriptDescription & { added: number }> {
    const before = await this.manifest(pointer);
    const separator =
      before.open_fence === null && !before.ends_blank && !content.startsWith('\n') ? '\n' : '';
    const text = separator + (content.endsWith('\n') ? content : `${content}\n`);
    const scan = scanText(text, before.lines + 1, before.open_fence);
    const segment = await this.putSegment(text, scan.lines);
    const after = await this.putManifest({
      version: 1,
      lines: before.lines + scan.lines,
      bytes: before.bytes + segment.bytes,
      open_fence: scan.openFence,
      ends_blank: endsBlank(text),
      outline: [...before.outline, ...scan.outline],
      segments: [...before.segments, segment],
    });
    return { ...after, added: scan.lines };
  }

  /**
   * Replaces a line (1-based).
   *
   * @throws LineOutOfRangeError
   */
  async editLine(
    pointer: string | null,
    lineNumber: number,
    content: string,
  ): Promise<ManuscriptDescription> {
    return this.replaceLines(pointer, lineNumber, lineNumber, `${withoutEnding(content, '\n')}\n`);
  }

  /**
   * Replaces the lines from `from` to `to` (1-based, both included). Inserts before `from` if `to` is one less;
   * removes the lines if the content is empty.
   *
   * @throws LineOutOfRangeError
   */
  async replaceLines(
    pointer: string | null,
    from: number,
    to: number,
    content: string,
  ): Promise<ManuscriptDescription> {
    const lines = await this.lines(pointer);
    const named = to < from ? [to].filter((line) => line > 0) : [from, to];
    for (const line of named) requireLine(lines, line);
    const added = content === '' ? [] : withoutEnding(content, '\n').split('\n');
    return this.replaceAll([...lines.slice(0, from - 1), ...added, ...lines.slice(to)]);
  }

  /**
   * Moves the lines from `from` to `to` behind line `after`, which is outside of them; 0 moves them to the start.
   *
   * @throws LineOutOfRangeError
   */
  async moveLines(
    pointer: string | null,
    from: number,
    to: number,
    after: number,
  ): Promise<ManuscriptDescription> {
    const lines = await this.lines(pointer);
    for (const line of [from, to, Math.max(1, after)]) requireLine(lines, line);
    if (from > to || (after >= from && after <= to))
      throw new LineOutOfRangeError(`the lines ${from} to ${to} cannot be moved after line ${after}`);
    const moved = lines.slice(from - 1, to);
    const head = after < from ? lines.slice(0, after) : lines.slice(0, from - 1);
    const between = after < from ? lines.slice(after, from - 1) : lines.slice(to, after);
    const tail = after < from ? lines.slice(to) : lines.slice(after);
    const order = after < from ? [...head, ...moved, ...between] : [...head, ...between, ...moved];
    return this.replaceAll([...order, ...tail]);
  }

  /** Returns the lines without their line feeds. */
  async lines(pointer: string | null): Promise<string[]> {
    return (await this.read(pointer)).split('\n').slice(0, -1);
  }

  private replaceAll(lines: string[]): Promise<ManuscriptDescription> {
    return this.replace(lines.map((line) => `${line}\n`).join(''));
  }

  /** Stores a complete text as a new version. */
  async replace(text: string): Promise<ManuscriptDescription> {
    const complete = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    const scan = scanText(complete);
    const segment = await this.putSegment(complete, scan.lines);
    return this.putManifest({
      version: 1,
      lines: scan.lines,
      bytes: segment.bytes,
      open_fence: scan.openFence,
      ends_blank: endsBlank(complete),
      outline: scan.outline,
      segments: complete === '' ? [] : [segment],
    });
  }

  /** Returns a version with the same text in one segment; the version itself if it has only a few, or is large. */
  async joined(pointer: string): Promise<string> {
    const { segments, bytes } = await this.manifest(pointer);
    if (segments.length <= MAX_SEGMENTS || bytes > MAX_JOINED_BYTES) return pointer;
    return (await this.replace(await this.read(pointer))).pointer;
  }

  /** Returns the last lines, or `""` without a manuscript (D8). Reads only the segments that it needs. */
  async tail(pointer: string | null, lines: number): Promise<string> {
    const { segments } = await this.manifest(pointer);
    let text = '';
    let have = 0;
    for (let index = segments.length - 1; index >= 0 && have < lines; index--) {
      text = (await this.segmentText(segments[index]!.key)) + text;
      have += segments[index]!.lines;
    }
    return text
      .split('\n')
      .slice(-lines - 1)
      .join('\n');
  }

  /** Returns the complete text. */
  async read(pointer: string | null): Promise<string> {
    return Buffer.from(await this.readBytes(pointer)).toString('utf8');
  }

  /** Returns the complete text in UTF-8. */
  async readBytes(pointer: string | null): Promise<Uint8Array> {
    return this.bytesOf((await this.manifest(pointer)).segments);
  }

  private async bytesOf(segments: Manifest['segments']): Promise<Uint8Array> {
    const [only] = segments;
    if (only && segments.length === 1) return this.store.getBytes(only.key);
    // A few at a time: a long text has hundreds of segments, which would all be in memory twice.
    const all = Buffer.alloc(segments.reduce((sum, { bytes }) => sum + bytes, 0));
    let at = 0;
    for (let from = 0; from < segments.length; from += READ_TOGETHER) {
      const few = segments.slice(from, from + READ_TOGETHER);
      for (const part of await Promise.all(few.map(({ key }) => this.store.getBytes(key)))) {
        all.set(part, at);
        at += part.length;
      }
    }
    return all;
  }

  /**
   * Returns the text appended since an earlier version, in UTF-8; null if the version does not start with the earlier
   * one, because a line was edited or the manuscript was rolled back.
   */
  async addedSince(pointer: string, earlier: string): Promise<Uint8Array | null> {
    const [now, before] = await Promise.all([this.manifest(pointer), this.manifest(earlier)]);
    const isBeginning = before.segments.every(({ key }, index) => now.segments[index]?.key === key);
    return isBeginning ? this.bytesOf(now.segments.slice(before.segments.length)) : null;
  }

  /** Returns the complete text as a stream of bytes. */
  async stream(pointer: string): Promise<Readable> {
    const { segments } = await this.manifest(pointer);
    const store = this.store;
    return Readable.from(
      (async function* () {
        for (const { key } of segments) yield* await store.get(key);
      })(),
    );
  }

  async describe(pointer: string): Promise<ManuscriptDescription> {
    const { lines, bytes, outline } = await this.manifest(pointer);
    return { pointer, lines, bytes, outline };
  }

  /** Returns the pointer of this session's version with that name, or null. */
  async find(version: string): Promise<string | null> {
    if (!/^[0-9a-f]{64}$/.test(version)) return null;
    const pointer = sessionKey(this.tenantId, this.sessionId, 'manuscript', `${version}.json`);
    return (await this.store.head(pointer)) ? pointer : null;
  }

  /** Returns the keys of all objects of a version. @throws ObjectNotFoundError */
  async keysOf(pointer: string): Promise<string[]> {
    return [pointer, ...(await this.manifest(pointer)).segments.map(({ key }) => key)];
  }

  /**
   * Copies another session's version into this session; its segments must have been copied.
   *
   * @param segmentKey returns the key of a segment's copy
   * @returns the pointer in this session; the same for each repetition
   */
  async adopt(pointer: string, segmentKey: (key: string) => string): Promise<string> {
    const manifest = await this.manifest(pointer);
    const segments = manifest.segments.map((segment) => ({ ...segment, key: segmentKey(segment.key) }));
    return (await this.putManifest({ ...manifest, segments })).pointer;
  }

  private async manifest(pointer: string | null): Promise<Manifest> {
    if (pointer === null) return EMPTY;
    const bytes = await this.store.getBytes(pointer);
    return manifestSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  }

  private async segmentText(key: string): Promise<string> {
    return Buffer.from(await this.store.getBytes(key)).toString('utf8');
  }

  private async putSegment(text: string, lines: number): Promise<Manifest['segments'][number]> {
    const body = Buffer.from(text, 'utf8');
    const key = sessionKey(this.tenantId, this.sessionId, 'manuscript', `segments/${sha256(text)}.md`);
    await this.store.put(key, body, { contentType: 'text/markdown; charset=utf-8' });
    return { key, lines, bytes: body.length };
  }

  private async putManifest(manifest: Manifest): Promise<ManuscriptDescription> {
    const text = JSON.stringify(manifest);
    const pointer = sessionKey(this.tenantId, this.sessionId, 'manuscript', `${sha256(text)}.json`);
    await this.store.put(pointer, Buffer.from(text), { contentType: 'application/json' });
    return { pointer, lines: manifest.lines, bytes: manifest.bytes, outline: manifest.outline };
  }
}

function requireLine(lines: string[], line: number): void {
  if (line < 1 || line > lines.length)
    throw new LineOutOfRangeError(`line ${line} is out of range: the manuscript has ${lines.length} lines`);
}
