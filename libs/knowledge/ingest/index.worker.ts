import { detailOf, type Detail } from '#contracts/phrases/detail.js';
import { ExtractionError } from '#extraction/errors.js';
import type { Segment } from '../index/segment.js';
import { inlineWork, type IndexWork } from './work.js';

/** One call of `IndexWork`, by name. */
export type IndexCall = {
  [Name in keyof IndexWork]: { name: Name; input: Parameters<IndexWork[Name]> };
}[keyof IndexWork];
export type IndexAnswer = { value: unknown } | { problem: Detail };

/** Converts bytes back to a Buffer: data from another thread arrives as Uint8Array. */
const withBuffers = (segment: Segment): Segment => ({
  ...segment,
  buckets: segment.buckets.map((bucket) => ({
    ...bucket,
    bytes: Buffer.from(bucket.bytes.buffer, bucket.bytes.byteOffset, bucket.bytes.byteLength),
  })),
});

/** Does one computation of indexing. Runs in a thread. */
export default async function index(call: IndexCall): Promise<IndexAnswer> {
  try {
    return { value: await run(call) };
  } catch (error) {
    if (error instanceof ExtractionError) return { problem: detailOf(error) };
    throw error;
  }
}

function run(call: IndexCall): Promise<unknown> {
  switch (call.name) {
    case 'extract':
      return inlineWork.extract(...call.input);
    case 'tidy':
      return inlineWork.tidy(...call.input);
    case 'plan':
      return inlineWork.plan(...call.input);
    case 'build':
      return inlineWork.build(...call.input);
    case 'merge':
      return inlineWork.merge(call.input[0].map(withBuffers));
  }
}
