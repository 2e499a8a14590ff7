import { findReferences, type SourceReference } from '#markdown/references/find.js';
import { referenceResolver, type Resolution } from '#markdown/references/resolve.js';

export interface ReferenceWork {
  sources: { text: string; name: string }[];
  /** Names of the session's files. */
  available: string[];
}

export type FoundReference = SourceReference & Resolution;

/** Runs in a thread. Returns the references of each source, with their files or hints. */
export default function find({ sources, available }: ReferenceWork): FoundReference[][] {
  const resolve = referenceResolver(available);
  return sources.map(({ text, name }) =>
    findReferences(text, name).map((found) => ({ ...found, ...resolve(found.ref, name) })),
  );
}
