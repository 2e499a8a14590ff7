import fc from 'fast-check';
import type { WordEditor } from './word-editor.js';

/** Manuscript whose Word file is edited; the edits begin at its title. */
export const REVIEWED = `${[
  '# Title',
  'One **bold** word and `code`, then more.',
  '- First\n- Second *item* here\n- Third',
  'A [link](https://example.org) ends.',
  '> A quotation\n> in two lines.',
  '1. Step\n2. Next\n\n   Continued.',
  'Last paragraph.',
].join('\n\n')}\n`;

export const AUTHORS = ['Ann', 'Bob', 'Cid'] as const;

const word = fc.constantFrom(
  ...['alpha', 'beta', 'gamma *x*', 'delta_e', '1. one', '# two', 'żółw', 'a|b', 'x < y', '&amp;'],
);

/** Edits of three people. */
export const randomEdits = fc.array(
  fc.record({
    kind: fc.constantFrom('insert', 'delete', 'split', 'insertParagraph', 'deleteParagraph', 'join'),
    paragraph: fc.nat(),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 12 }),
    author: fc.constantFrom(...AUTHORS),
    word,
  }),
  { minLength: 1, maxLength: 12 },
);
type RandomEdit = (typeof randomEdits extends fc.Arbitrary<infer T> ? T : never)[number];

/** Formatting of words that are typed; undefined for that of the words next to them. */
export const randomFormats = fc.array(fc.constantFrom(undefined, '<w:b/>', '<w:i/>', '<w:b/><w:strike/>'), {
  minLength: 12,
});

/** Edits the Word file of `REVIEWED`, tracked. */
export function editRandomly(
  editor: WordEditor,
  edits: readonly RandomEdit[],
  formats: readonly (string | undefined)[] = [],
): void {
  const first = editor.find('Title');
  for (const [i, edit] of edits.entries()) {
    const { kind, paragraph, at, length, author, word: text } = edit;
    const index = first + (paragraph % (editor.paragraphs.length - first));
    const size = editor.paragraphs[index]!.items.filter(({ char }) => char !== null).length;
    const from = at % (size + 1);
    if (kind === 'insert') editor.insert(index, from, text, author, formats[i]);
    else if (kind === 'delete') editor.delete(index, from, from + length, author);
    else if (kind === 'split') editor.split(index, from, author);
    else if (index + 1 >= editor.paragraphs.length) continue;
    else if (kind === 'join') editor.join(index, author);
    else if (kind === 'insertParagraph') editor.insertParagraph(index, text, author);
    else editor.deleteParagraph(index, author);
  }
}

/** Texts of the paragraphs that are not empty, with single blanks. */
export const shownWords = (texts: readonly string[]): string[] =>
  texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');
