import { locateSelection, replaceSpan } from '#writing/selection.js';
import fc from 'fast-check';
import { changedLines } from '../../apps/studio/src/api/changed-lines.js';

const text = fc
  .array(fc.constantFrom('a', 'b c', 'd', '', '- e', '    f'), { minLength: 1, maxLength: 8 })
  .map((lines) => lines.join('\n'));
const words = (content: string) => content.split(/\s+/).filter((word) => word !== '');

describe('the lines that an edit changed', () => {
  it('66.10 name one part of the text, and replacing it gives the words of the edit', () => {
    fc.assert(
      fc.property(
        text.filter((content) => content.trim() !== ''),
        text,
        (content, edited) => {
          const { selection, replacement } = changedLines(content, edited);
          const found = locateSelection(content, selection);
          if ('problem' in found) throw new Error(found.problem.code);
          expect(words(replaceSpan(content, found.span, replacement.trim()))).toEqual(words(edited));
        },
      ),
    );
  });

  it('66.10 leave all other lines out', () => {
    expect(changedLines('# A\n\none\n\ntwo\n', '# A\n\none, changed\n\ntwo\n')).toEqual({
      selection: { quote: 'one', occurrence: 1 },
      replacement: 'one, changed',
    });
    expect(changedLines('one\ntwo\n', 'one\nnew\ntwo\n')).toEqual({
      selection: { quote: 'one', occurrence: 1 },
      replacement: 'one\nnew',
    });
  });

  it('66.10 are the same words after somebody else added lines above them, and none after these words changed', () => {
    const { selection, replacement } = changedLines('one\n\ntwo\n', 'one\n\ntwo, changed\n');
    const found = locateSelection('new\n\none\n\ntwo\n', selection);
    if ('problem' in found) throw new Error(found.problem.code);
    expect(replaceSpan('new\n\none\n\ntwo\n', found.span, replacement)).toBe('new\n\none\n\ntwo, changed\n');
    expect(locateSelection('one\n\nother\n', selection)).toMatchObject({
      problem: { code: 'selection.not_in_text' },
    });
  });
});
