import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { atDepth } from '#testing/depth.js';
import { WordEditor } from '#testing/docx/word-editor.js';
import { buildStructure } from '../structure/build.js';
import { writeDocx } from '../docx/write/write.js';
import { leavesOf } from './leaves.js';
import { readMarkedText } from './marked-text.js';
import { readSent } from './original.js';
import { readProposals } from './propose.js';
import { applyProposals, reviewDocx } from './review.js';

const manuscript = `# Incident

The pool was **too small** at noon. Nobody saw it.

- First cause
- Second cause

| Time | Event |
| --- | --- |
| 12:00 | Alarm |
| 12:05 | Restart |

\`\`\`sh
systemctl restart pool
journalctl -u pool
\`\`\`

The end.
`;

async function sentFile(markdown: string): Promise<Uint8Array> {
  const digest = createHash('sha256').update(markdown).digest('hex');
  return writeDocx(buildStructure(markdown), () => Promise.resolve(null), { manuscript: digest });
}

/** Edits the file, and returns the proposals and the manuscript with all of them. */
async function reviewed(edit: (editor: WordEditor) => void, markdown = manuscript) {
  const sent = await sentFile(markdown);
  const editor = new WordEditor(sent);
  edit(editor);
  const proposals = reviewDocx(sent, editor.save(), markdown);
  return { proposals, all: applyProposals(markdown, proposals, () => true).text };
}

describe('reviewDocx', () => {
  it('X9 finds nothing in a file that nobody changed', async () => {
    const { proposals, all } = await reviewed(() => undefined);
    expect(proposals).toEqual([]);
    expect(all).toBe(manuscript);
  });

  it('X9 reads a tracked replacement, with who made it and when', async () => {
    const { proposals, all } = await reviewed((editor) => {
      const at = editor.find('The pool');
      editor.delete(at, 4, 8, 'Ann');
      editor.insert(at, 4, 'tank', 'Ann');
    });
    expect(proposals).toMatchObject([
      { kind: 'replace', author: 'Ann', date: '2026-11-28T12:00:00Z', before: 'pool', after: 'tank' },
    ]);
    expect(all).toBe(manuscript.replace('The pool was', 'The tank was'));
  });

  it('X9 keeps marks around words that remain', async () => {
    const { all } = await reviewed((editor) => editor.delete(editor.find('The pool'), 13, 17, 'Ann'));
    expect(all).toContain('The pool was **small** at noon');
  });

  it('X9 removes marks around nothing', async () => {
    const { all } = await reviewed((editor) => editor.delete(editor.find('The pool'), 13, 23, 'Ann'));
    expect(all).toContain('The pool was at noon');
  });

  it('X9 reads paragraphs that were inserted, deleted, split and joined', async () => {
    const { all } = await reviewed((editor) => {
      editor.insertParagraph(editor.find('The end'), 'New *one*.', 'Ann');
      editor.insertParagraph(editor.find('Second cause'), 'Middle cause', 'Bob');
      editor.deleteParagraph(editor.find('First cause'), 'Bob');
      editor.split(editor.find('The pool'), 31, 'Cid');
    });
    expect(all).toContain('\n\nNew \\*one\\*.\n\nThe end.\n');
    expect(all).toContain('\n- Middle cause\n- Second cause\n');
    expect(all).not.toContain('First cause');
    expect(all).toContain('at noon.\n\n Nobody');
  });

  it('X9 reads changes in cells and code', async () => {
    const { all } = await reviewed((editor) => {
      editor.insert(editor.find('Alarm'), 5, ' | bell', 'Ann');
      editor.delete(editor.find('systemctl'), 0, 9, 'Bob');
      editor.insert(editor.find('journalctl'), 10, ' *', 'Bob');
    });
    expect(all).toContain('| 12:00 | Alarm \\| bell |');
    expect(all).toContain('```sh\n restart pool\njournalctl * -u pool\n```');
  });

  it('X9 reads changes that nobody tracked, by words', async () => {
    const { proposals, all } = await reviewed((editor) => {
      const at = editor.find('The pool');
      editor.delete(at, 4, 8, null);
      editor.insert(at, 4, 'tank', null);
    });
    expect(proposals).toMatchObject([{ kind: 'replace', author: null, before: 'pool', after: 'tank' }]);
    expect(all).toBe(manuscript.replace('The pool was', 'The tank was'));
  });

  it('X9 lets one person delete what another inserted', async () => {
    const { proposals } = await reviewed((editor) => {
      const at = editor.find('The end');
      editor.insert(at, 4, 'very ', 'Ann');
      editor.delete(at, 4, 9, 'Bob');
    });
    expect(proposals).toMatchObject([
      { kind: 'insert', author: 'Ann', after: 'very ' },
      { kind: 'delete', author: 'Bob', before: 'very ', within: 0 },
    ]);
    expect(applyProposals(manuscript, proposals, () => true).text).toBe(manuscript);
    expect(applyProposals(manuscript, proposals, (index) => index === 0).text).toContain('The very end.');
  });

  it('X9 reads comments across paragraphs, and replies', async () => {
    const { proposals } = await reviewed((editor) => {
      const [first, last] = [editor.find('First cause'), editor.find('Second cause')];
      editor.comment([first, 6], [last, 6], 'Ann', 'Both?');
      editor.comment([first, 6], [last, 6], 'Bob', 'Yes.', 0);
    });
    expect(proposals).toMatchObject([
      { kind: 'comment', author: 'Ann', before: 'cause\nSecond', comment: 'Both?', replyTo: null },
      { kind: 'comment', author: 'Bob', comment: 'Yes.', replyTo: 0 },
    ]);
    const { start, end } = proposals[0]!;
    expect(manuscript.slice(start, end)).toBe('cause\n- Second');
  });

  it('X9 does not join paragraphs by the end of a paragraph of a text box', async () => {
    const { proposals } = await reviewed((editor) => {
      const mark = '<w:pPr><w:rPr><w:del w:author="Ann"/></w:rPr></w:pPr>';
      const xml = `<w:r><w:txbxContent><w:p>${mark}</w:p></w:txbxContent></w:r>`;
      const raw = { char: null, xml, inserted: null, deleted: null };
      editor.paragraphs[editor.find('The pool')]!.items.unshift(raw);
    });
    expect(proposals).toMatchObject([{ kind: 'outside', place: 'text_box', author: 'Ann', before: '\n' }]);
  });

  it('X9 refuses a file with more changes than a review can have', () => {
    const change = { author: 'Ann', date: null, place: 'header' as const, before: '', after: 'x' };
    const read = (count: number) => {
      const returned = { stretches: [], comments: [], outside: Array.from({ length: count }, () => change) };
      return readProposals({ text: '', paragraphs: [], leaves: [] }, returned, null);
    };
    expect(read(10_000)).toHaveLength(10_000);
    expect(() => read(10_001)).toThrow('more changes than');
  });

  it('X9 names changes in headers', async () => {
    const { proposals } = await reviewed((editor) =>
      editor.replaceIn(
        'word/header1.xml',
        '</w:p>',
        '<w:ins w:author="Ann"><w:r><w:t>Draft</w:t></w:r></w:ins></w:p>',
      ),
    );
    expect(proposals).toMatchObject([{ kind: 'outside', place: 'header', author: 'Ann', after: 'Draft' }]);
  });
});

const word = fc.constantFrom(
  'alpha',
  'beta',
  'gamma *x*',
  'delta_e',
  '1. one',
  '# two',
  'żółw',
  'a|b',
  'x < y',
  '&amp;',
);
const editSchema = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'split', 'insertParagraph', 'deleteParagraph', 'join'),
  paragraph: fc.nat(),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 12 }),
  author: fc.constantFrom('Ann', 'Bob', 'Cid'),
  word,
});

/** Texts of the paragraphs that are not empty, with single blanks. */
const shown = (texts: readonly string[]): string[] =>
  texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');

it('X9 loses and misplaces no change of three authors, whoever is accepted', async () => {
  const plain = [
    '# Title',
    'One **bold** word and `code`, then more.',
    '- First\n- Second *item* here\n- Third',
    'A [link](https://example.org) ends.',
    '> A quotation\n> in two lines.',
    '1. Step\n2. Next\n\n   Continued.',
    'Last paragraph.',
  ];
  const markdown = `${plain.join('\n\n')}\n`;
  const sent = await sentFile(markdown);
  const original = readSent(sent, markdown);
  await fc.assert(
    fc.property(
      fc.array(editSchema, { minLength: 1, maxLength: 12 }),
      fc.subarray(['Ann', 'Bob', 'Cid']),
      (edits, accepted) => {
        const editor = new WordEditor(sent);
        const first = editor.find('Title');
        for (const { kind, paragraph, at, length, author, word: text } of edits) {
          const index = first + (paragraph % (editor.paragraphs.length - first));
          const size = editor.paragraphs[index]!.items.filter(({ char }) => char !== null).length;
          const from = at % (size + 1);
          if (kind === 'insert') editor.insert(index, from, text, author);
          else if (kind === 'delete') editor.delete(index, from, from + length, author);
          else if (kind === 'split') editor.split(index, from, author);
          else if (index + 1 >= editor.paragraphs.length) continue;
          else if (kind === 'join') editor.join(index, author);
          else if (kind === 'insertParagraph') editor.insertParagraph(index, text, author);
          else editor.deleteParagraph(index, author);
        }
        const proposals = readProposals(original, readMarkedText(editor.save()), null);
        const isAccepted = (author: string | null) => accepted.includes(author!);
        const { text, refused } = applyProposals(markdown, proposals, (index) =>
          isAccepted(proposals[index]!.author),
        );
        const found = shown(leavesOf(text).map((leaf) => leaf.text));
        if (refused.length === 0) expect(found).toEqual(shown(editor.texts(isAccepted).slice(first)));
        const isKept = (index: number) => isAccepted(proposals[index]!.author) && !refused.includes(index);
        expect(applyProposals(markdown, proposals, isKept)).toEqual({ text, refused: [] });
        expect(applyProposals(markdown, proposals, () => false)).toEqual({ text: markdown, refused: [] });
      },
    ),
    { numRuns: atDepth({ quick: 20, full: 60 }) },
  );
});
