import { ProblemError } from '#contracts/errors.js';
import { Transform } from 'node:stream';

/**
 * Passes bytes through and ends with an error when they are not UTF-8 text: a file with a text name has to be.
 * NUL bytes mean binary content; anything else that UTF-8 does not allow means another encoding.
 */
export function utf8Check(name: string): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const notUtf8 = () =>
    new ProblemError(
      'not_utf8',
      `"${name}" is not UTF-8. Convert it (for instance: iconv -f latin1 -t utf-8) and send it again.`,
    );
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (chunk.includes(0)) {
        done(
          new ProblemError(
            'not_text',
            `"${name}" holds binary content under a text name. Give it its real ending, or leave it out.`,
          ),
        );
        return;
      }
      try {
        decoder.decode(chunk, { stream: true });
        done(null, chunk);
      } catch {
        done(notUtf8());
      }
    },
    flush(done) {
      try {
        decoder.decode();
        done();
      } catch {
        done(notUtf8());
      }
    },
  });
}
