import { checkCitations } from '#writing/citations.js';
import { PassageIndex } from '#writing/claims/passage-index.js';
import { exchange, type Exchanged, seeded } from './exchange.js';
import { passagesOf, rolePairs, sources } from './reviewed-set.js';

const ROUNDS = 30;
const MOST_LITERAL = 0.02;

/** Returns the sentences about whose items the rules say nothing, if each cites its passage. */
function literalOf(of: Exchanged[], all: Exchanged['passage'][]): Exchanged[] {
  const text = of.map(({ passage, sentence }) => `${sentence}[^${passage.label}]\n`).join('\n');
  const found = new Set(
    checkCitations(text, all).findings.map(({ span }) => text.slice(0, span!.start).split('\n\n').length - 1),
  );
  return of.filter((_, i) => !found.has(i));
}

describe('X15 sentences of a passage with one exchanged item', () => {
  const made = sources.flatMap((source) =>
    Array.from({ length: ROUNDS }, (_, round) =>
      exchange(passagesOf(source), source.language, seeded(round * 100 + Number(source.id.slice(1)))),
    ).flat(),
  );
  const unique = [...new Map(made.map((one) => [one.sentence, one])).values()];

  it('X15 the rules take at most 2 of 100 figures, dates and names for literal', () => {
    const random = seeded(1);
    const items = unique.filter(({ kind }) => kind !== 'roles');
    const sample = items.toSorted(() => random(3) - 1).slice(0, 2_000);
    expect(sample).toHaveLength(2_000);
    const literal = sources.flatMap((source) =>
      literalOf(
        sample.filter(({ passage }) => passage.source_id === source.id),
        passagesOf(source),
      ),
    );
    const shown = literal.map(({ kind, before, sentence }) => `${kind}: ${before} → ${sentence}`);
    expect([shown, literal.length <= sample.length * MOST_LITERAL]).toEqual([expect.any(Array), true]);
  });

  it('X15 the rules close no sentence with exchanged roles, which a reviewer has to read', () => {
    const pairs = rolePairs.map(({ source, label, exchanged }) => {
      const all = passagesOf(sources.find(({ id }) => id === source)!);
      return { passage: all.find((passage) => passage.label === label)!, sentence: exchanged };
    });
    const swapped = [...pairs, ...unique.filter(({ kind }) => kind === 'roles')];
    const closed = swapped.filter(({ passage, sentence }) =>
      new PassageIndex(passage.text, null).hasSentence(sentence),
    );
    expect(swapped.length).toBeGreaterThan(150);
    expect(closed).toEqual([]);
  });
});
