import { stat } from 'node:fs/promises';
import type { ReadableStream } from 'node:stream/web';
import { writeOutput } from '../outputs/output-file.js';

/**
 * Streams the response of an `OPEN_ENDED` call into a file, which appears complete or not at all.
 *
 * @returns its size in bytes
 */
export async function download(call: Promise<{ response: Response }>, file: string): Promise<number> {
  const { response } = await call;
  await writeOutput(file, response.body as ReadableStream<Uint8Array>);
  return (await stat(file)).size;
}
