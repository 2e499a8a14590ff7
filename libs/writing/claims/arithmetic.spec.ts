import { readFileSync } from 'node:fs';
import { checkCitations } from '../citations.js';

/** A source, sentences that restate or compute its figures (`+`), and inventions, of which many compute wrongly (`-`). */
interface Source {
  name: string;
  text: string;
  honest: string[];
  invented: string[];
}

const readSources = (file: string): Source[] =>
  readFileSync(new URL(`../../../test/fixtures/honest/arithmetic/${file}`, import.meta.url), 'utf8')
    .split(/^# /m)
    .filter((block) => block !== '')
    .map((block) => {
      const [name = '', text = '', ...lines] = block.trim().split('\n');
      const marked = (mark: string) =>
        lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
      return { name, text, honest: marked('+ '), invented: marked('- ') };
    });

const foundIn = (text: string, source: string): string[] => {
  const passage = {
    label: 's1',
    source_id: 'src_1',
    source_title: 'Notes',
    text: source,
    span: { start: 0, end: source.length },
    heading_path: [],
  };
  return checkCitations(text, [passage]).findings.map(({ span }) => text.slice(span?.start, span?.end));
};
const cited = (sentence: string): string => `${sentence}[^s1]`;

describe('B26 figures that follow from figures of the cited passage', () => {
  const sources = ['first', 'second', 'third', 'ordinary'].flatMap((name) => readSources(`${name}.txt`));

  it.each(sources.map((source) => [source.name, source] as const))(
    'B26 accepts sums, shares, averages, periods, other units and rounded figures: %s',
    (_name, { text, honest }) => {
      expect(foundIn(honest.map(cited).join('\n\n'), text)).toEqual([]);
    },
  );

  it.each(['', '[^s1]'])('B26 finds 95 of 100 wrong figures, with the note "%s"', (note) => {
    const misses = sources.flatMap(({ text, honest, invented }) =>
      invented.filter((sentence) => {
        const found = foundIn(`${honest.slice(0, 4).map(cited).join(' ')} ${sentence}${note}`, text);
        return !found.some((words) => words.startsWith(sentence.slice(0, -1)));
      }),
    );
    const count = sources.reduce((sum, { invented }) => sum + invented.length, 0);
    expect([misses, misses.length <= 0.05 * count]).toEqual([expect.any(Array), true]);
  });
});
