import { findReferences } from '#markdown/references/find.js';
import { referenceResolver } from '#markdown/references/resolve.js';
import type { Place } from './sources/folders.js';
import { canPlaceImages } from './sources/kind.js';
import type { Written } from './writers/writer.js';
import { beginWriter, write, type WriterState } from './writers/writers.js';

/** The part of a source that is not written yet, as far as it is read. */
export interface SourcePart {
  file: string;
  text: string;
  /** Whether the file ends with the text. */
  last: boolean;
  /** State after the previous part; absent for the first one. */
  writer?: WriterState | undefined;
  /** Carries the file in one code fence. */
  asWritten: boolean;
  place: Place;
  /** Images of the session. */
  images: string[];
}

/** A written part. `images` are those that it names although its code fence does not show them. */
export type WrittenPart = Written<WriterState> & { images: string[] };

export type RulesWork = (
  ({ op: 'write' } & SourcePart) | { op: 'images'; file: string; text: string; images: string[] }
) & {
  /** True if the work already took too long: the source is then carried verbatim, unparsed. */
  isTooHard: boolean;
};

/** Runs in a thread, because the time that the rules take depends on the sources. */
export default function applyRules(work: RulesWork): WrittenPart | string[] {
  const { file, text, images } = work;
  if (work.op === 'images') return placedImages(text, file, images);
  const { last, asWritten, place, isTooHard } = work;
  const state = work.writer ?? beginWriter(file, text, { asWritten, place });
  const written = write(state, text, last, isTooHard);
  const fenced = asWritten && canPlaceImages(file) ? text.slice(0, written.consumed) : '';
  return { ...written, images: placedImages(fenced, file, images) };
}

/** Returns the images that the text places. */
function placedImages(text: string, file: string, images: string[]): string[] {
  if (text === '') return [];
  const resolve = referenceResolver(images);
  return findReferences(text, file)
    .filter(({ kind }) => kind === 'image')
    .flatMap(({ ref }) => resolve(ref, file).match ?? []);
}
