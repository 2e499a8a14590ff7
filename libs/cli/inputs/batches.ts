import type { InputFile } from './collect-files.js';

/** Files per request; few, so that a failed request costs little. */
const FILES_AT_ONCE = 20;

/** Yields the parts of one multipart request per batch of files. */
export function* batchesOf(files: InputFile[]) {
  for (let at = 0; at < files.length; at += FILES_AT_ONCE)
    yield files
      .slice(at, at + FILES_AT_ONCE)
      .map(({ name, path }) => ({ name: 'file', filename: name, path }));
}
