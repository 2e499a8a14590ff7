import { readFileSync } from 'node:fs';
import type { Finding } from '#contracts/findings.js';
import { cited, paraphrasedSources, passageOf } from '#testing/writing/paraphrased.js';
import { checkCitations } from '../citations.js';
import { type Calculation, withCalculations } from './calculations.js';

/** Calculations of a reviewer who did not know which sentences are inventions, by the name of the source. */
const calculations = JSON.parse(
  readFileSync(
    new URL('../../../test/fixtures/honest/calculated/calculations.json', import.meta.url),
    'utf8',
  ),
) as Record<string, Calculation[]>;

describe.each(paraphrasedSources('calculated/sources.txt'))(
  'B26 sentences about $name, a third of them calculated',
  ({ name, text, honest, invented }) => {
    /** Findings about the sentences, before and after the review. */
    function findings(sentences: string[]): { before: Finding[]; after: Finding[] } {
      const draft = `${sentences.map(cited).join('\n\n')}\n`;
      const before = checkCitations(draft, [passageOf(text)]).findings;
      return { before, after: withCalculations(draft, before, calculations[name] ?? []) };
    }

    it('have no finding after the review if they are honest', () => {
      const { after } = findings(honest);
      expect(after.filter(({ rule }) => rule !== 'citation-calculated')).toEqual([]);
    });

    it('keep every finding if they are inventions', () => {
      const { before, after } = findings(invented.map((one) => one.text));
      expect(before.length).toBeGreaterThan(0);
      expect(after).toEqual(before);
    });
  },
);
