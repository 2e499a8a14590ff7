import fc from 'fast-check';
import { piecesOf } from '../../apps/studio/src/ui/proposals/pieces.js';

const words = fc
  .array(fc.constantFrom('a', 'b', 'the', 'pool', '**x**', '\n\n', ' ', '[^1]', '✂️'), { maxLength: 30 })
  .map((parts) => parts.join(' '));

describe('the pieces of a paragraph with proposals', () => {
  it('X9 are the words before without the insertions, and the words after without the deletions', () => {
    fc.assert(
      fc.property(words, words, words, words, (head, before, after, tail) => {
        const span = { start: head.length, end: head.length + before.length };
        const pieces = piecesOf(head + before + tail, [{ id: '1', span, after }]);
        const without = (tag: string) =>
          pieces.flatMap(({ text, change }) => (change?.tag === tag ? [] : [text])).join('');
        expect(without('ins')).toBe(head + before + tail);
        expect(without('del')).toBe(head + after + tail);
      }),
    );
  });

  it('shows the changed words only, and whole paragraphs if hardly a word is kept', () => {
    const compare = (text: string, after: string) =>
      piecesOf(text, [{ id: '1', span: { start: 0, end: text.length }, after }]).map((piece) => [
        piece.change?.tag ?? '',
        piece.text,
      ]);
    expect(compare('We saw the pool there.', 'We saw a big tank there.')).toEqual([
      ['', 'We saw '],
      ['del', 'the pool '],
      ['ins', 'a big tank '],
      ['', 'there.'],
    ]);
    expect(compare('One, two and three.', 'A quite different sentence, and long.')).toEqual([
      ['del', 'One, two and three.'],
      ['ins', 'A quite different sentence, and long.'],
    ]);
  });

  it('leaves remarks and overlapping changes unchanged', () => {
    const pieces = piecesOf('One two.', [
      { id: '1', span: { start: 0, end: 3 }, after: 'Two' },
      { id: '2', span: { start: 2, end: 5 }, after: 'x' },
      { id: '3', span: { start: 4, end: 7 }, after: null },
      { id: '4', span: null, after: 'y' },
    ]);
    expect(pieces.map(({ text, change }) => [change?.proposal, change?.tag, text])).toEqual([
      ['1', 'del', 'One'],
      ['1', 'ins', 'Two'],
      [undefined, undefined, ' '],
      ['3', 'mark', 'two'],
      [undefined, undefined, '.'],
    ]);
  });
});
