import { describe, expect, it } from '@jest/globals';
import { addedClaims } from './added-claims.js';
import type { CitedPassage } from './citations.js';
import { locateSelection, type Selection } from './selection.js';

const PASSAGE: CitedPassage = {
  label: 's1',
  source_id: 'src_1',
  source_title: 'Tower',
  text: 'The tower of Marrow Point is 31 metres high. Anna Kowalska built it in 1874.',
  span: { start: 0, end: 76 },
  heading_path: [],
};
const TEXT = '# Tower\n\nThe tower stands at Marrow Point. It is high.[^s1] People like it.\n';
const claims = (quote: string, replacement: string, instruction = 'Say more.', passages = [PASSAGE]) =>
  addedClaims(locateSelection(TEXT, { quote }) as Selection, replacement, instruction, passages).map(
    ({ rule }) => rule,
  );

describe('a statement that a change adds to a text with sources', () => {
  it('must be cited, and supported by the cited passage', () => {
    expect(claims('People like it.', 'It was opened by Queen Beatrix in 1999.')).toEqual([
      'uncited-addition-name',
      'uncited-addition-number',
    ]);
    expect(claims('It is high.', 'It is 93 metres high.')).toEqual(['citation-open-number']);
    expect(claims('People like it.', 'It is 31 metres high.[^s9]')).toEqual(['citation-unknown']);
  });

  it('may repeat the surrounding text, the instruction, and the content of a cited passage', () => {
    expect(claims('It is high.', 'It is 31 metres high.')).toEqual([]);
    expect(claims('People like it.', 'Anna Kowalska built it in 1874.[^s1]')).toEqual([]);
    expect(claims('People like it.', 'People of Marrow Point like it.')).toEqual([]);
    expect(claims('People like it.', 'It has 12 windows.', 'Say that it has 12 windows.')).toEqual([]);
    expect(claims('It is high.', 'It is tall, and people like to look at it from the sea.')).toEqual([]);
  });

  it('is not checked in a text without sources', () => {
    expect(claims('People like it.', 'It was opened in 1999.', 'Say when.', [])).toEqual([]);
  });
});
