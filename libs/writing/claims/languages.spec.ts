import { readFileSync } from 'node:fs';
import { checkCitations, type CitedPassage } from '../citations.js';

interface Case {
  passages: { text: string; honest: string[] }[];
  inventions: Record<string, string[]>;
}

const CASES = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/honest/passages.json', import.meta.url), 'utf8'),
) as Record<string, Case>;

const passagesOf = ({ passages }: Case): CitedPassage[] =>
  passages.map(({ text }, n) => ({
    label: `s${n + 1}`,
    source_id: 'src_1',
    source_title: 'Notes',
    text,
    span: { start: 0, end: text.length },
    heading_path: [],
  }));

const honestOf = ({ passages }: Case): string[] =>
  passages.flatMap(({ honest }, n) => honest.map((sentence) => `${sentence}[^s${n + 1}]`));

/** Returns the inventions of a kind that the rules miss among honest sentences of the language. */
function missed(one: Case, kinds: string[], note: string): string[] {
  const [before, behind] = [honestOf(one).slice(0, 6), honestOf(one).slice(6, 9)];
  return kinds
    .flatMap((kind) => one.inventions[kind]!)
    .filter((sentence) => {
      const text = `## Notes\n\n${[...before, sentence + note, ...behind].join(' ')}`;
      const { findings } = checkCitations(text, passagesOf(one));
      return !findings.some(
        ({ span }) => span && text.slice(span.start, span.end).startsWith(sentence.slice(0, -1)),
      );
    });
}

const HARD = ['figure', 'date', 'name', 'quotation'];

describe('B26 statements in English, German, Polish, French and Spanish', () => {
  it('B26 reports 95 of 100 uncited inventions of each kind', () => {
    const all = Object.values(CASES);
    const misses = all.flatMap((one) => missed(one, [...HARD, 'cause', 'superlative'], ''));
    expect([misses, misses.length <= 0.05 * 60]).toEqual([expect.any(Array), true]);
  });

  it('B26 reports 95 of 100 figures, dates, names and quotations that the cited passage lacks', () => {
    const misses = Object.values(CASES).flatMap((one) => missed(one, HARD, '[^s1]'));
    expect([misses, misses.length <= 0.05 * 40]).toEqual([expect.any(Array), true]);
  });

  it.each(Object.entries(CASES))('B26 reports nothing in honest sentences, in %s', (_language, one) => {
    const text = honestOf(one).join('\n\n');
    const { findings } = checkCitations(text, passagesOf(one));
    expect(findings.map(({ message, span }) => `${message} ${text.slice(span?.start, span?.end)}`)).toEqual(
      [],
    );
  });

  it('B26 accepts the time between two years of a passage, and no other', () => {
    const text = 'The works closed in 1954. The pans were cut up in 1956. The well was capped.';
    const [passage] = passagesOf({ passages: [{ text, honest: [] }], inventions: {} });
    const rules = (sentence: string) =>
      checkCitations(`${sentence}[^s1]`, [passage!]).findings.map(({ rule }) => rule);
    expect(rules('Two years later the pans were cut up.')).toEqual([]);
    expect(rules('Seven years later the pans were cut up.')).toEqual(['citation-unsupported-number']);
  });
});
