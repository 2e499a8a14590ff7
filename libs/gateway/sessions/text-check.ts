import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { detectEncoding } from '#extraction/encoding.js';
import iconv from 'iconv-lite';
import { Readable, Transform, type TransformCallback } from 'node:stream';

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
export function utf8Check(name: string): Transform {
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
export class Utf8Watch extends Transform {
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
export function conversion(name: string, encoding: string): Transform[] {
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
export async function peek(stream: Readable): Promise<{ first: Buffer; whole: Readable }> {
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
