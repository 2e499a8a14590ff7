import { stat } from 'node:fs/promises';
import type { ReadableStream } from 'node:stream/web';
import { writeOutput } from '../outputs/output-file.js';

/**
 * Streams the body of a response into a file, which appears complete or not at all.
 *
 * @returns its size in bytes
 */
export async function download(response: Response, file: string): Promise<number> {
  await writeOutput(file, response.body as ReadableStream<Uint8Array>);
  return (await stat(file)).size;
}
