import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { UNKNOWN_ENCODING, type FileFolder, type NewSessionFile } from '#db/repositories/session-files.js';
import { isKnownEncoding, markedEncoding, detectEncoding } from '#extraction/encoding.js';
import { encodingOf, encodingRules } from '#extraction/encoding-rules.js';
import { isTextName } from '#contracts/file-kinds.js';
import { SETTINGS, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore, PutResult } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { Inject, Injectable } from '@nestjs/common';
import { lookup } from 'mime-types';
import { PassThrough, Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { normalizeSourceName } from '#contracts/source-name.js';
import iconv from 'iconv-lite';

type EncodingRules = ReturnType<typeof encodingRules>;

/**
 * Parses the encodings of a request; see `encodingRules`.
 *
 * @throws ProblemError `invalid_request` for an unknown one
 */
export function readEncodings(text = ''): EncodingRules {
  const rules = encodingRules(text);
  if (rules.every(({ encoding }) => isKnownEncoding(encoding))) return rules;
  throw new ProblemError('invalid_request', phrase('invalid_request.encoding'));
}

/** An arriving file: a part of a multipart request, or an equivalent stream. */
export interface ArrivingFile {
  filename?: string;
  file: Readable & { truncated?: boolean };
}

/** Options for text that is not UTF-8 and lacks a byte order mark. */
interface TextOptions {
  encodings?: EncodingRules;
  /** Id of the API key that gave the encodings. */
  by?: string;
  /**
   * Whether text that no rule matches is stored as it is, so that a person can name its encoding later;
   * otherwise it is refused.
   */
  keepUnknown?: boolean;
}

/** A stored file. */
type StoredFile = Omit<NewSessionFile, 'sessionId' | 'folder'>;

/** A stored text, and the encoding that it was converted from. */
type StoredText = { stored: PutResult } & Pick<NewSessionFile, 'encoding' | 'encodingBy'>;

/** Streams uploaded files into the object store, checks them on the way, and generates their keys. */
@Injectable()
export class FileIntake {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /**
   * Stores one part of a multipart request.
   *
   * @param options for text that is not UTF-8 and lacks a byte order mark
   * @returns the file; if it is empty, its size is 0 and nothing is stored
   * @throws ProblemError if name, size or content is not acceptable; nothing stays stored then
   */
  async storePart(
    tenantId: string,
    sessionId: string,
    folder: FileFolder,
    part: ArrivingFile,
    options: TextOptions = {},
  ): Promise<NewSessionFile> {
    const objectKey = sessionKey(tenantId, sessionId, folder, newId('fil'));
    return { sessionId, folder, ...(await this.storeAt(objectKey, part, options)) };
  }

  /** Stores one part under the given key; otherwise like `storePart`. */
  async storeAt(objectKey: string, part: ArrivingFile, options: TextOptions = {}): Promise<StoredFile> {
    const name = fileNameOf(part.filename ?? '');
    const mediaType = lookup(name) || (isTextName(name) ? 'text/plain' : 'application/octet-stream');
    const { stored, ...converted } = await (
      isTextName(name)
        ? this.storeText(name, objectKey, mediaType, part.file, options)
        : this.put(objectKey, mediaType, part.file, [new PassThrough()]).then((result): StoredText => ({
            stored: result,
          }))
    ).catch(async (error: unknown) => {
      await this.store.delete(objectKey);
      throw error;
    });
    if (part.file.truncated || stored.size === 0) await this.store.delete(objectKey);
    if (part.file.truncated) {
      const limit = Math.floor(this.settings.MAX_FILE_BYTES / 1024 / 1024);
      throw new ProblemError('file_too_large', phrase('file_too_large.input', { name, limit }));
    }
    return { name, objectKey, size: stored.size, sha256: stored.sha256, mediaType, ...converted };
  }

  /**
   * Stores text as UTF-8. A byte order mark or valid UTF-8 takes precedence; only other text is converted by
   * the given rules.
   */
  private async storeText(
    name: string,
    objectKey: string,
    mediaType: string,
    file: Readable,
    { encodings = [], by, keepUnknown = false }: TextOptions,
  ): Promise<StoredText> {
    const { first, whole } = await peek(file);
    const marked = markedEncoding(first) ?? 'utf-8';
    if (marked !== 'utf-8') {
      const stored = await this.put(objectKey, mediaType, whole, conversion(name, marked));
      return { stored, encoding: marked, encodingBy: 'byte order mark' };
    }
    const encoding = encodingOf(encodings, name);
    if (encoding === undefined && !keepUnknown)
      return { stored: await this.put(objectKey, mediaType, whole, [utf8Check(name)]) };
    const watch = new Utf8Watch(name);
    const stored = await this.put(objectKey, mediaType, whole, [watch]);
    if (watch.isUtf8) return { stored };
    if (encoding === undefined) {
      watch.requireText();
      return { stored, encoding: UNKNOWN_ENCODING };
    }
    return {
      stored: await this.convert(name, objectKey, mediaType, encoding),
      encoding,
      encodingBy: by ?? null,
    };
  }

  /** Converts a stored object in place. */
  private async convert(
    name: string,
    objectKey: string,
    mediaType: string,
    encoding: string,
  ): Promise<PutResult> {
    const unread = `${objectKey}.unread`;
    try {
      await this.put(unread, mediaType, await this.store.get(objectKey), [new PassThrough()]);
      return await this.put(objectKey, mediaType, await this.store.get(unread), conversion(name, encoding));
    } finally {
      await this.store.delete(unread);
    }
  }

  private async put(
    objectKey: string,
    contentType: string,
    file: Readable,
    steps: Transform[],
  ): Promise<PutResult> {
    const [stored] = await Promise.all([
      this.store.put(objectKey, steps.at(-1)!, { contentType }),
      pipeline([file, ...steps]),
    ]);
    return stored;
  }

  /** Deletes stored files when the request as a whole fails. */
  async drop(files: Pick<StoredFile, 'objectKey'>[]): Promise<void> {
    for (const file of files) await this.store.delete(file.objectKey);
  }
}

/**
 * Returns the name under which an uploaded file is known: a relative path in Unicode NFC (D7).
 *
 * @throws ProblemError `invalid_file_name`
 */
function fileNameOf(given: string): string {
  const { name, problem } = normalizeSourceName(given);
  if (name !== undefined) return name;
  throw new ProblemError('invalid_file_name', phrase('invalid_file_name.rename', { problem }));
}

/** Bytes at the start of a file from which its encoding is guessed. */
const SAMPLE_BYTES = 64 * 1024;

/** Returns a problem that says what a file with a text name is instead of UTF-8, judging by its beginning. */
function problemOf(name: string, sample: Uint8Array): ProblemError {
  const { binary, utf8, encoding, confidence } = detectEncoding(sample);
  if (binary) {
    return new ProblemError('not_text', phrase('not_text.binary', { name }));
  }
  if (sample.includes(0) && utf8) {
    return new ProblemError('not_text', phrase('not_text.nul', { name }));
  }
  const guess = encoding === 'utf-8' ? 'unknown' : `${encoding} (${Math.round(confidence * 100)} % sure)`;
  return new ProblemError('not_utf8', phrase('not_utf8.guess', { name, guess }));
}

/** Returns a transform that passes bytes through and fails unless they are UTF-8 text. */
function utf8Check(name: string): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const sample: Buffer[] = [];
  let sampled = 0;
  const decodes = (chunk?: Buffer): boolean => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
      return chunk === undefined || !chunk.includes(0);
    } catch {
      return false;
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (sampled < SAMPLE_BYTES) sample.push(chunk);
      sampled += chunk.length;
      if (decodes(chunk)) done(null, chunk);
      else done(problemOf(name, Buffer.concat(sample)));
    },
    flush(done) {
      if (decodes()) done();
      else done(problemOf(name, Buffer.concat(sample)));
    },
  });
}

/** Passes bytes through; records whether they are UTF-8 text, and their beginning. */
class Utf8Watch extends Transform {
  isUtf8 = true;
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private readonly sample: Buffer[] = [];
  private sampled = 0;

  constructor(private readonly name: string) {
    super();
  }

  /** @throws ProblemError `not_text` if the beginning looks binary in every encoding */
  requireText(): void {
    const sample = Buffer.concat(this.sample);
    if (sample.length === 0 || detectEncoding(sample).binary) throw problemOf(this.name, sample);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    // A log that was truncated while in use starts with NUL bytes, which do not indicate its encoding.
    const isHole = this.sampled === 0 && chunk.every((byte) => byte === 0);
    if (!isHole && this.sampled < SAMPLE_BYTES) this.sample.push(chunk);
    if (!isHole) this.sampled += chunk.length;
    this.decode(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.decode();
    done();
  }

  private decode(chunk?: Buffer): void {
    if (!this.isUtf8) return;
    try {
      this.decoder.decode(chunk, { stream: chunk !== undefined });
      if (chunk?.includes(0)) this.isUtf8 = false;
    } catch {
      this.isUtf8 = false;
    }
  }
}

/** Returns transforms that convert text to UTF-8; they fail if the text is not in that encoding. */
function conversion(name: string, encoding: string): Transform[] {
  const check = new Transform({
    decodeStrings: false,
    encoding: 'utf8',
    transform(chunk: string, _encoding, done) {
      if (!chunk.includes('\uFFFD')) return done(null, chunk);
      done(new ProblemError('not_utf8', phrase('not_utf8.other_encoding', { name, encoding })));
    },
  });
  return [iconv.decodeStream(encoding) as Transform, check, utf8Check(name)];
}

/** Returns the first bytes of a stream, enough for a byte order mark, and a stream of all its bytes. */
async function peek(stream: Readable): Promise<{ first: Buffer; whole: Readable }> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let first = Buffer.alloc(0);
  while (first.length < 4) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first = Buffer.concat([first, value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    if (first.length > 0) yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { first, whole: Readable.from(whole(), { objectMode: false }) };
}
