import { isEmbeddedIn } from '#extraction/embedded-images.js';
import { findReferences } from '#markdown/references/find.js';
import { referenceResolver } from '#markdown/references/resolve.js';
import type { WorkOrder } from '../contract/work-order.js';
import type { AnsweredCall } from './conversation.js';
import { canPlaceImages } from './sources/kind.js';

/**
 * Returns the names of all inputs, from the work order if its list is complete, else from `list_files`; null
 * if that must be requested first.
 */
export function inputNames(order: WorkOrder, answered: AnsweredCall[]): string[] | null {
  if (order.files_complete && order.assets.length === order.asset_count) {
    return [...order.files.map((file) => file.name), ...order.assets];
  }
  const listed = answered.find((call) => call.name === 'list_files' && !call.failed)?.result;
  if (listed === undefined) return null;
  const entries: unknown = JSON.parse(listed);
  return Array.isArray(entries)
    ? entries.flatMap((entry: { name?: unknown }) => (typeof entry.name === 'string' ? [entry.name] : []))
    : [];
}

/**
 * Returns the undecided references of this text: open ones in the work order, and images that are not inputs.
 */
export function unansweredReferences(
  text: string,
  file: string,
  order: WorkOrder,
  names: string[] | null,
  asked: string[],
): string[] {
  if (!canPlaceImages(file)) return [];
  const open = new Set(order.open_references);
  const resolve = referenceResolver(names ?? []);
  const isMissing = (ref: string): boolean => names !== null && resolve(ref, file).match === null;
  const refs = findReferences(text, file)
    .filter(
      ({ ref, kind }) => open.has(ref) || (kind === 'image' && isMissing(ref) && !isEmbeddedIn(file, ref)),
    )
    .map(({ ref }) => ref);
  return [...new Set(refs)].filter((ref) => !Object.hasOwn(order.decisions, ref) && !asked.includes(ref));
}

/** Returns whether the text names any image. */
export function namesImages(text: string, file: string): boolean {
  return canPlaceImages(file) && findReferences(text, file).some(({ kind }) => kind === 'image');
}

/** Returns the indexes of the images that the text places. */
export function placedImages(text: string, file: string, images: string[]): number[] {
  const resolve = referenceResolver(images);
  return findReferences(text, file)
    .filter(({ kind }) => kind === 'image')
    .map(({ ref }) => images.indexOf(resolve(ref, file).match ?? ''))
    .filter((index) => index >= 0);
}
