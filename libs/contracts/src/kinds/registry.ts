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

/** Returns the contracts of all kinds. */
export function runKinds(): RunKind[] {
  return Object.values(productKinds);
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
  return runKinds().find(({ kind }) => kind === name);
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
  const all = runKinds();
  return (all.find(({ ofProjects }) => project !== undefined && ofProjects) ?? all[0])!.kind;
}

/** The names of all kinds. */
export function runKindNames(): string[] {
  return runKinds().map(({ kind }) => kind);
}
