import { articleKind } from './article.js';
import { bookKind } from './book.js';
import { documentKind } from './document.js';
import { planKind } from './plan.js';
import type { RunKind } from './run-kind.js';

/** The kinds of run of this product: one line each. Tasks, questions, events and the API's schemas are assembled from it. */
export const productKinds = {
  document: documentKind,
  plan: planKind,
  book: bookKind,
  article: articleKind,
};

const kinds = new Map<string, RunKind>(Object.entries(productKinds));
const listeners: ((kind: RunKind) => void)[] = [];

/**
 * Adds a kind to those of the product, in this process. The schemas of the API know those that were added before they were
 * loaded (`node --import`).
 *
 * @throws Error when the name is taken
 */
export function registerRunKind(kind: RunKind): void {
  if (kinds.has(kind.kind)) throw new Error(`There is a kind of run of the name ${kind.kind} already`);
  kinds.set(kind.kind, kind);
  for (const listener of listeners) listener(kind);
}

/** Calls the function with each kind, now and whenever another is added. */
export function forEachRunKind(take: (kind: RunKind) => void): void {
  for (const kind of kinds.values()) take(kind);
  listeners.push(take);
}

/**
 * Demands the other half of every kind that has a contract, where a process starts: without it a run would be accepted and go nowhere.
 *
 * @param has whether the process knows that half
 * @param file where it is added
 * @throws Error that says what to add
 */
export function requireEveryKind(has: (kind: string) => boolean, file: string): void {
  const missing = runKindNames().filter((kind) => !has(kind));
  if (missing.length > 0)
    throw new Error(`The kind of run ${missing.join(', ')} has a contract only: add its line to ${file}`);
}

/** The kind of that name, or undefined when this release has none. */
export function findRunKind(name: string): RunKind | undefined {
  return kinds.get(name);
}

/** The kind of a run that does not say: that of projects when it names one, else the first of the product. */
export function kindOf({
  kind,
  project_id: project,
}: {
  kind?: string | undefined;
  project_id?: string | undefined;
}): string {
  if (kind !== undefined) return kind;
  const all = [...kinds.values()];
  return (all.find(({ ofProjects }) => project !== undefined && ofProjects) ?? all[0])!.kind;
}

/** The names of all kinds, those of the product first. */
export function runKindNames(): string[] {
  return [...kinds.keys()];
}

/** Adds entries to a catalogue. @throws Error when a name is taken by another kind */
export function addAll<T>(catalogue: Record<string, T>, entries: Record<string, T>, what: string): void {
  for (const [name, entry] of Object.entries(entries)) {
    if (Object.hasOwn(catalogue, name)) throw new Error(`There are two ${what} of the name ${name}`);
    catalogue[name] = entry;
  }
}
