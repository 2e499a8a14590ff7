import type { KindFacts, KnownKinds } from '#run-engine/kind.js';
import { articleFacts } from './article/facts.js';
import { bookFacts } from './book/facts.js';
import { documentFacts } from './document/facts.js';
import { planFacts } from './plan/facts.js';

const kinds = new Map<string, KindFacts>();

/** Adds the running half of a kind whose contract is registered already. @throws Error when it is there */
export function registerKindFacts(facts: KindFacts): void {
  if (kinds.has(facts.kind)) throw new Error(`The kind ${facts.kind} is registered twice`);
  kinds.set(facts.kind, facts);
}

/** What this release knows of each kind of run, without its graph. */
export const knownKinds: KnownKinds = kinds;

// One line a kind.
registerKindFacts(documentFacts);
registerKindFacts(planFacts);
registerKindFacts(bookFacts);
registerKindFacts(articleFacts);
