import type { KindFacts, KnownKinds } from '#engine/kind.js';
import { articleFacts } from '#article/facts.js';
import { bookFacts } from '#book/facts.js';
import { documentFacts } from '#document/facts.js';
import { planFacts } from '#plan/facts.js';

/** Facts about each kind of run, without its graph, one line per kind. */
const facts: Record<string, KindFacts> = {
  document: documentFacts,
  plan: planFacts,
  book: bookFacts,
  article: articleFacts,
};

export const knownKinds: KnownKinds = new Map(Object.entries(facts));
