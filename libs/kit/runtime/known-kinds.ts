import { requireEveryKind } from '#catalogue/registry.js';
import type { KindFacts, KnownKinds } from '#engine/kind.js';

/**
 * Returns the facts about the kinds of run of an app's features.
 *
 * @param file the app's list of features, for the error
 * @throws Error if a kind with a contract is missing
 */
export function kindsOf(features: readonly { facts?: KindFacts }[], file: string): KnownKinds {
  const kinds = new Map(features.flatMap(({ facts }) => (facts ? [[facts.kind, facts] as const] : [])));
  requireEveryKind((kind) => kinds.has(kind), file);
  return kinds;
}
