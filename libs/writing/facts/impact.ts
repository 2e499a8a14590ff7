import type { Fact } from '#contracts/facts.js';
import { describesSameThing } from './consistency.js';

/** A fact that a change removes from a text or adds to it. */
interface ChangedFact {
  fact: Fact;
  change: 'removed' | 'added';
}

/**
 * Returns the facts that a change removes or adds, each once. The number of mentions does not matter.
 */
export function changedFacts(before: Fact[], after: Fact[]): ChangedFact[] {
  const missing = (facts: Fact[], others: Fact[]) => {
    const stated = new Set(others.map(identity));
    const once = new Map(facts.map((fact) => [identity(fact), fact]));
    return [...once.values()].filter((fact) => !stated.has(identity(fact)));
  };
  return [
    ...missing(before, after).map((fact) => ({ fact, change: 'removed' as const })),
    ...missing(after, before).map((fact) => ({ fact, change: 'added' as const })),
  ];
}

/**
 * Returns the facts of a later text that rely on removed ones: the same name, or the same figure for the same
 * subject.
 */
export function relyingOn(changed: ChangedFact[], later: Fact[]): Fact[] {
  const removed = changed.filter(({ change }) => change === 'removed').map(({ fact }) => fact);
  return later.filter((fact) => removed.some((removedFact) => isSame(removedFact, fact)));
}

function isSame(missingFact: Fact, fact: Fact): boolean {
  if (missingFact.kind !== fact.kind || missingFact.key !== fact.key) return false;
  return missingFact.value === null || describesSameThing(new Set(missingFact.about), fact.about);
}

const identity = (fact: Fact): string => `${fact.kind} ${fact.key}`;
