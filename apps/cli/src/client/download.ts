import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/**
 * Streams the body of a response into a file, which appears complete or not at all.
 *
 * @returns its size in bytes
 */
export async function download(response: Response, file: string): Promise<number> {
  const partial = `${file}.${process.pid}.part`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(partial));
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
  return (await stat(file)).size;
}
