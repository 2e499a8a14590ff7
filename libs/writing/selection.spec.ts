import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import { anyMarkdown } from '#testing/any-markdown.js';
import {
  keepsSurroundings,
  locateSelection,
  replaceSpan,
  type Selection,
  type SelectionProblem,
} from './selection.js';

const TEXT = '# Tower\n\nThe tower is high.\nIt is grey.\n\n- one\n- two\n\nThe end.\n';
const located = (text: string, request: Parameters<typeof locateSelection>[1]) => {
  const found = locateSelection(text, request);
  if ('problem' in found) throw new Error(englishText(found.problem));
  return found;
};
const problemOf = (request: Parameters<typeof locateSelection>[1]) =>
  englishText((locateSelection(TEXT, request) as SelectionProblem).problem);

describe('a selection of a text', () => {
  it('is found by its words or its lines, without the white space at its ends', () => {
    expect(located(TEXT, { quote: ' is grey' }).selected).toBe('is grey');
    expect(located(TEXT, { first_line: 3, last_line: 5 }).selected).toBe('The tower is high.\nIt is grey.');
    expect(located(TEXT, { first_line: 9, last_line: 9 }).selected).toBe('The end.');
    expect(located('a b a', { quote: 'a', occurrence: 2 }).span).toEqual({ start: 4, end: 5 });
    expect(located('a\r\nb\r\n', { first_line: 1, last_line: 1 }).selected).toBe('a');
  });

  it('is rejected with a reason if it matches nothing, or more than one place', () => {
    expect(problemOf({ quote: 'The castle' })).toContain('does not contain');
    expect(problemOf({ quote: 'is' })).toContain('more than once');
    expect(problemOf({ quote: 'is', occurrence: 9 })).toContain('fewer than 9');
    expect(problemOf({ quote: '\n\n', occurrence: 1 })).toContain('no words');
    expect(problemOf({ first_line: 2, last_line: 2 })).toContain('no words');
    expect(locateSelection('a \u0000 b', { quote: '\u0000' })).toEqual({
      problem: phrase('selection.no_words'),
    });
    expect(problemOf({ first_line: 4, last_line: 3 })).toContain('before');
    expect(problemOf({ first_line: 3, last_line: 90 })).toContain('only 10 lines');
    expect(problemOf({ first_line: 80, last_line: 90 })).toContain('only 10 lines');
  });

  it('includes the surrounding blocks', () => {
    const { before, selected, after } = located(TEXT, { quote: 'It is grey.' });
    expect(before).toBe('# Tower\n\nThe tower is high.\n');
    expect(selected).toBe('It is grey.');
    expect(after).toBe('\n\n- one\n- two\n\nThe end.');
  });

  it.each(['```\nopen', '- list', '<!-- open'.concat('\n\n```')])(
    'rejects words that would absorb adjacent blocks: %j',
    (words) => {
      const { span } = located(TEXT, { quote: 'The tower is high.\nIt is grey.' });
      expect(keepsSurroundings(TEXT, span, words)).toBe(false);
    },
  );

  const FORMS =
    '# Tower\n\n| Part | Height |\n| --- | --- |\n| tower | 31 m |\n\n- one\n- two\n\n```\na = 1\nb = 2\n```\n\n> said he\n\nÉnd 🗼 of it.\n';
  it.each([
    ['Tower', 'The tower', true],
    ['Tower', 'Tower\n\nIt is high.', false],
    ['# Tower', '## Tower', true],
    ['31 m', '31 metres', true],
    ['31 m', '31 m\nor so', false],
    ['31 m', '31 m | high', false],
    ['31 m', '31 m \\| high', true],
    ['| tower | 31 m |', '| tower | 31 m |\n| pier | 9 m |', true],
    ['one', 'one\n- and a half', true],
    ['one', 'one\n\nNo item.', false],
    ['a = 1', 'a = 2', true],
    ['a = 1', '```\nwords\n```', false],
    ['said he', 'said she', true],
    ['said he', 'said\n\nhe', false],
    ['🗼', 'é\n\n🗼', true],
  ])(
    'a part of a heading, table, list or code block keeps its form: %j → %j is %p',
    (quote, words, isKept) => {
      const { span } = located(FORMS, { quote });
      expect(keepsSurroundings(FORMS, span, words)).toBe(isKept);
    },
  );

  it('may be replaced by several blocks, or by nothing', () => {
    const { span } = located(TEXT, { quote: 'It is grey.' });
    expect(keepsSurroundings(TEXT, span, 'It is grey.\n\nIt is old.')).toBe(true);
    expect(keepsSurroundings(TEXT, span, '')).toBe(true);
    const all = located(TEXT, { first_line: 1, last_line: 9 });
    expect(keepsSurroundings(TEXT, all.span, 'Other words.')).toBe(true);
  });

  it('B9 a change keeps every byte outside the selection, for random texts and selections', () => {
    fc.assert(
      fc.property(anyMarkdown, fc.nat(), fc.nat(), fc.string({ unit: 'grapheme' }), (text, a, b, words) => {
        const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const quote = text.slice(start, end);
        const occurrence = occurrenceOf(text, quote, start);
        const found = locateSelection(text, { quote, occurrence });
        if ('problem' in found) return;
        const { span, selected, before, after } = found satisfies Selection;
        expect(text.slice(span.start, span.end)).toBe(selected);
        expect(text.slice(span.start - before.length, span.end + after.length)).toBe(
          before + selected + after,
        );
        const changed = replaceSpan(text, span, words);
        expect(changed.startsWith(text.slice(0, span.start))).toBe(true);
        expect(changed.endsWith(text.slice(span.end))).toBe(true);
        const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
        const middle = changed.slice(span.start, changed.length - (text.length - span.end));
        expect(middle).toBe(words.replace(/\r?\n/g, lineEnd));
        expect(replaceSpan(text, span, selected)).toBe(
          text.slice(0, span.start) + selected.replace(/\r?\n/g, lineEnd) + text.slice(span.end),
        );
      }),
      { numRuns: 300 },
    );
  });
});

function occurrenceOf(text: string, quote: string, at: number): number {
  let count = 1;
  for (let from = text.indexOf(quote); from >= 0 && from < at; from = text.indexOf(quote, from + 1)) count++;
  return count;
}
