import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { atDepth } from '#testing/depth.js';
import {
  AUTHORS,
  editRandomly,
  randomEdits,
  randomFormats,
  REVIEWED,
  shownWords,
} from '#testing/docx/random-edits.js';
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

const raw = (xml: string) => ({ char: null, xml, inserted: null, deleted: null });

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

  it('X9 keeps the formatting of words that were typed', async () => {
    const { proposals, all } = await reviewed((editor) => {
      const pool = editor.find('The pool');
      editor.insert(pool, 32, ' *Really*?', 'Ann', '<w:i/>');
      editor.delete(pool, 4, 8, 'Ann');
      editor.insert(pool, 4, 'tank', 'Ann', '<w:b/>');
      editor.insert(editor.find('The end'), 4, 'very ', 'Bob', '<w:i/><w:b/>');
      editor.insert(editor.find('Second cause'), 0, 'un', 'Bob', '<w:strike/>');
      editor.insert(editor.find('Alarm'), 5, ' bell', 'Cid', '<w:b/>');
    });
    expect(all).toContain('The **tank** was');
    expect(all).toContain('The ***very*** end.');
    expect(all).toContain('- ~~un~~Second cause');
    expect(all).toContain('| Alarm **bell** |');
    expect(proposals.find(({ after }) => after === 'tank')!.text).toBe('**tank**');
    // Marks between punctuation and a letter would be shown.
    expect(all).toContain('at noon.  \\*Really\\*?Nobody');
  });

  it('X9 keeps links of words that were typed', async () => {
    const { all } = await reviewed((editor) => {
      const at = editor.find('The end');
      editor.insert(at, 7, ' (see notes)', 'Ann', '<w:b/>');
      const { items } = editor.paragraphs[at]!;
      const from = items.findIndex(
        ({ char, inserted }, i) => inserted && char === 'n' && items[i + 1]?.char === 'o',
      );
      items.splice(from + 5, 0, raw('</w:hyperlink>'));
      items.splice(from, 0, raw('<w:hyperlink r:id="rIdNotes">'));
      const target = 'Target="https://example.org/a (b)?c=1&amp;d=2" TargetMode="External"';
      const link = `<Relationship Id="rIdNotes" Type="http://x/hyperlink" ${target}/></Relationships>`;
      editor.replaceIn('word/_rels/document.xml.rels', '</Relationships>', link);
    });
    expect(all).toContain('[**notes**](https://example.org/a%20%28b%29?c=1&amp;d=2)');
    expect(leavesOf(all).at(-1)!.text).toBe('The end (see notes).');
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

  it('X9 reads comments inside of tracked insertions and deletions (jgm/pandoc#9833)', async () => {
    const { proposals, all } = await reviewed((editor) => {
      const at = editor.find('The end');
      editor.delete(at, 4, 7, 'Bob');
      editor.comment([at, 0], [at, 0], 'Ann', 'Added.');
      editor.comment([at, 4], [at, 7], 'Cid', 'Why?');
      const { items } = editor.paragraphs[at]!;
      const [start, end] = items.filter(({ xml }) => xml.includes('w:id="0"'));
      start!.xml = `<w:ins w:author="Ann">${start!.xml}<w:r><w:t>So </w:t></w:r>${end!.xml}</w:ins>`;
      end!.xml = '';
    });
    expect(proposals).toMatchObject([
      { kind: 'insert', author: 'Ann', after: 'So ' },
      { kind: 'delete', author: 'Bob', before: 'end' },
      { kind: 'comment', author: 'Ann', comment: 'Added.' },
      { kind: 'comment', author: 'Cid', comment: 'Why?', before: 'end' },
    ]);
    expect(all).toContain('So The .');
  });

  it('X9 reads paragraphs that were moved with their ends', async () => {
    const { proposals, all } = await reviewed((editor) => {
      const at = editor.find('The end');
      const by = 'w:author="Ann" w:date="2026-11-28T12:00:00Z"';
      const move = (name: string, text: string) =>
        `<w:${name}RangeStart w:id="1" w:name="m1" ${by}/><w:${name} ${by}><w:r><w:t>${text}</w:t></w:r></w:${name}><w:${name}RangeEnd w:id="1"/>`;
      const end = (name: string) => `<w:pPr><w:rPr><w:${name} ${by}/></w:rPr></w:pPr>`;
      editor.insertParagraph(editor.find('The pool'), 'x', 'Ann');
      const to = editor.paragraphs[editor.find('x')]!;
      Object.assign(to, { items: [raw(move('moveTo', 'The end.'))], end: { inserted: null, deleted: null } });
      to.properties = end('moveTo');
      const from = editor.paragraphs[at + 1]!;
      from.items.splice(0, from.items.length, raw(move('moveFrom', 'The end.')));
      from.properties = end('moveFrom');
    });
    expect(proposals.map(({ author }) => author)).toEqual(proposals.map(() => 'Ann'));
    expect(new Set(proposals.map(({ move }) => move)).size).toBe(1);
    expect(all.match(/The end\./g)).toHaveLength(1);
    expect(all.indexOf('The end.')).toBeLessThan(all.indexOf('The pool'));
  });

  it('X9 lists changes of formatting, next to a split and a deletion (ueberdosis/tiptap-docs#938)', async () => {
    const { proposals, all } = await reviewed((editor) => {
      const at = editor.find('The end');
      editor.split(at, 4, 'Bob');
      editor.delete(at + 1, 0, 3, 'Cid');
      const by = 'w:id="1" w:author="Ann" w:date="2026-11-28T12:00:00Z"';
      const first = editor.paragraphs[at]!.items.filter(({ char }) => char !== null).slice(0, 3);
      for (const item of first) item.xml = `<w:rPr><w:b/><w:rPrChange ${by}><w:rPr/></w:rPrChange></w:rPr>`;
    });
    const read = proposals.map(({ kind, author, before, after }) => [kind, author, before, after]);
    expect(read.filter(([kind]) => kind === 'format').map(([, author, , after]) => [author, after])).toEqual(
      ['T', 'h', 'e'].map((char) => ['Ann', `bold: ${char}`]),
    );
    expect(read).toEqual(
      expect.arrayContaining([
        ['split', 'Bob', '', '\n'],
        ['delete', 'Cid', 'end', ''],
      ]),
    );
    // Formatting is listed only.
    expect(all).toContain('The \n\n.');
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
      return readProposals({ text: '', paragraphs: [], leaves: [], comments: [] }, returned, null);
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

it('X9 loses and misplaces no change of three authors, whoever is accepted', async () => {
  const markdown = REVIEWED;
  const sent = await sentFile(markdown);
  const original = readSent(sent, markdown);
  await fc.assert(
    fc.property(randomEdits, fc.subarray([...AUTHORS]), randomFormats, (edits, accepted, formats) => {
      const editor = new WordEditor(sent);
      const first = editor.find('Title');
      editRandomly(editor, edits, formats);
      const proposals = readProposals(original, readMarkedText(editor.save()), null);
      const isAccepted = (author: string | null) => (accepted as string[]).includes(author!);
      const { text, refused } = applyProposals(markdown, proposals, (index) =>
        isAccepted(proposals[index]!.author),
      );
      const found = shownWords(leavesOf(text).map((leaf) => leaf.text));
      if (refused.length === 0) expect(found).toEqual(shownWords(editor.texts(isAccepted).slice(first)));
      const isKept = (index: number) => isAccepted(proposals[index]!.author) && !refused.includes(index);
      expect(applyProposals(markdown, proposals, isKept)).toEqual({ text, refused: [] });
      expect(applyProposals(markdown, proposals, () => false)).toEqual({ text: markdown, refused: [] });
    }),
    { numRuns: atDepth({ quick: 20, full: 60 }) },
  );
});

it('X9 keeps bold, italic and struck words that are typed, wherever they are typed', async () => {
  const sent = await sentFile(REVIEWED);
  const original = readSent(sent, REVIEWED);
  const format = fc.subarray(['bold', 'italic', 'strike'], { minLength: 1 });
  const tags: Record<string, string> = { bold: '<w:b/>', italic: '<w:i/>', strike: '<w:strike/>' };
  const blank = fc.constantFrom('', ' ');
  const place = fc.record({ paragraph: fc.nat(), at: fc.nat(), length: fc.nat({ max: 3 }) });
  await fc.assert(
    fc.property(place, format, blank, blank, ({ paragraph, at, length }, marks, before, after) => {
      const typed = (xml?: string) => {
        const editor = new WordEditor(sent);
        const first = editor.find('Title');
        const index = first + (paragraph % (editor.paragraphs.length - first));
        const size = editor.paragraphs[index]!.items.filter(({ char }) => char !== null).length;
        const from = at % (size + 1);
        editor.delete(index, from, from + length, 'Ann');
        editor.insert(index, from, `${before}zeta${after}`, 'Ann', xml);
        const proposals = readProposals(original, readMarkedText(editor.save()), null);
        return applyProposals(REVIEWED, proposals, () => true);
      };
      const { text, refused } = typed(marks.map((mark) => tags[mark]!).join(''));
      expect(refused).toEqual(refused.length > 0 ? typed('').refused : []);
      if (refused.length > 0) return;
      const leaf = leavesOf(text).find((each) => each.text.includes('zeta'))!;
      const own = leaf.text.indexOf('zeta');
      const kept = leaf.nodes.filter((node) => node.first <= own && own + 4 <= node.last);
      const names = kept.map(({ mark }) => mark).filter((mark) => mark !== 'link');
      // Next to the marks of another element, and in code, Markdown cannot express them.
      const isFree = original.leaves.find((each) => each.start === leaf.start)?.nodes.length === 0;
      const isApart = before !== '' && after !== '' && !names.includes('code');
      if (isApart) expect(names).toEqual(expect.arrayContaining(marks));
      else if (isFree) expect(names).toEqual(expect.arrayContaining(marks.slice(-1)));
    }),
    { numRuns: atDepth({ quick: 60, full: 500 }) },
  );
});
