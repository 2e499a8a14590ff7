import { articleKind } from '#article/contract.js';
import { bookKind } from '#book/contract.js';
import { changeKind } from '#change/contract.js';
import { documentKind } from '#document/contract.js';
import { planKind } from '#plan/contract.js';
import type { RunKind } from '#contracts/run-kind.js';
import { reviewKind } from '#review/contract.js';

/**
 * The kinds of run of this product, one line each; source of all tasks, questions, events and API schemas.
 */
export const productKinds = {
  document: documentKind,
  plan: planKind,
  book: bookKind,
  article: articleKind,
  change: changeKind,
  review: reviewKind,
};

/** Returns the contracts of all kinds. */
export function runKinds(): RunKind[] {
  return Object.values(productKinds);
}

/**
 * Checks at start-up that this process implements every kind with a contract; otherwise runs would be
 * accepted but never processed.
 *
 * @param has whether the process implements a kind
 * @param file the file in which kinds are added
 * @throws Error that names the missing kinds and the file
 */
export function requireEveryKind(has: (kind: string) => boolean, file: string): void {
  const missing = runKindNames().filter((kind) => !has(kind));
  if (missing.length > 0)
    throw new Error(`The kind of run ${missing.join(', ')} has a contract only: add its line to ${file}`);
}

/** Returns the kind with that name; undefined if this release does not have it. */
export function findRunKind(name: string): RunKind | undefined {
  return runKinds().find(({ kind }) => kind === name);
}

/** Returns the requested kind; by default the kind of projects if a project is given, else the first kind. */
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

/** Returns the names of all kinds. */
export function runKindNames(): string[] {
  return runKinds().map(({ kind }) => kind);
}
