import { findReferences, type SourceReference } from '#markdown/references/find.js';
import { referenceResolver, type Resolution } from '#markdown/references/resolve.js';

export interface ReferenceWork {
  text: string;
  name: string;
  /** Names of the session's files. */
  available: string[];
}

export type FoundReference = SourceReference & Resolution;

/** Runs in a thread. Returns the references of a source, each with its file or a hint. */
export default function find({ text, name, available }: ReferenceWork): FoundReference[] {
  const resolve = referenceResolver(available);
  return findReferences(text, name).map((found) => ({ ...found, ...resolve(found.ref, name) }));
}
