import type { UserDecisions } from '#contracts/references.js';
import { referenceResolver } from '#markdown/references/resolve.js';
import type { DocumentState } from './state.js';

/**
 * Returns the decisions about references that an input still does not answer: a picture that was added after a person
 * skipped it is shown (X6). Assets do not count, because answers to other references are among them.
 */
export function openDecisions(
  decisions: UserDecisions,
  { input_files, text_files }: Pick<DocumentState, 'input_files' | 'text_files'>,
): UserDecisions {
  const resolve = referenceResolver(input_files);
  const isOpen = ([ref]: [string, string]) => text_files.some((name) => resolve(ref, name).match === null);
  return Object.fromEntries(Object.entries(decisions).filter(isOpen));
}
