import { findReferences, type SourceReference } from '#markdown/references/find.js';
import { resolveReference } from '#markdown/references/resolve.js';

export interface ReferenceWork {
  text: string;
  name: string;
  /** Names of the session's files. */
  available: string[];
}

export type FoundReference = SourceReference & ReturnType<typeof resolveReference>;

/** Runs in a thread: the references of a source, each with the file that it means or a hint at one. */
export default function find({ text, name, available }: ReferenceWork): FoundReference[] {
  return findReferences(text, name).map((found) => ({ ...found, ...resolveReference(found.ref, available) }));
}
