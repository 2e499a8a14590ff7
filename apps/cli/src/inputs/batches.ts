import type { InputFile } from './collect-files.js';

/** Files of one request: a request that fails has then cost little. */
const FILES_AT_ONCE = 20;

/** Files as the parts of one multipart request after the other. */
export function* batchesOf(files: InputFile[]) {
  for (let at = 0; at < files.length; at += FILES_AT_ONCE)
    yield files
      .slice(at, at + FILES_AT_ONCE)
      .map(({ name, path }) => ({ name: 'file', filename: name, path }));
}
