import { ProblemError } from '#contracts/errors.js';
import { detectEncoding } from '#extraction/encoding.js';
import { Transform } from 'node:stream';

/** Bytes from the beginning of a file that its encoding is guessed from. */
const SAMPLE_BYTES = 64 * 1024;

/** Says what a file with a text name is instead of UTF-8, as far as its beginning tells. */
function problemOf(name: string, sample: Uint8Array): ProblemError {
  const { binary, encoding, confidence } = detectEncoding(sample);
  if (binary) {
    return new ProblemError(
      'not_text',
      `"${name}" holds binary content under a text name. Give it its real ending, or leave it out.`,
    );
  }
  const guess = encoding === 'utf-8' ? 'unknown' : `${encoding} (${Math.round(confidence * 100)} % sure)`;
  return new ProblemError(
    'not_utf8',
    `"${name}" is not UTF-8. Its encoding looks like: ${guess}. Convert the file, or send it again with ?encoding=NAME to have it converted.`,
  );
}

/** Passes bytes through and ends with a problem when they are not UTF-8 text: a file with a text name has to be. */
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
