import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { atDepth } from '#testing/depth.js';
import { decideInWord } from '#testing/docx/decide-in-word.js';
import { AUTHORS, editRandomly, randomEdits, REVIEWED, shownWords } from '#testing/docx/random-edits.js';
import { WordEditor } from '#testing/docx/word-editor.js';
import { buildStructure } from '../structure/build.js';
import { writeDocx } from '../docx/write/write.js';
import { leavesOf } from './leaves.js';
import { readMarkedText } from './marked-text.js';
import type { ReadProposal } from './propose.js';
import { applyProposals, reviewDocx } from './review.js';
import { type PendingChange, trackChanges } from './track.js';

const sentFile = (markdown: string): Promise<Uint8Array> =>
  writeDocx(buildStructure(markdown), () => Promise.resolve(null), {
    manuscript: createHash('sha256').update(markdown).digest('hex'),
  });

const pending = (proposals: readonly ReadProposal[]): PendingChange[] =>
  proposals.map((proposal) => ({ ...proposal, author: proposal.author ?? '', isLost: false }));

/** Texts of the paragraphs that Word shows. */
const shownInWord = (docx: Uint8Array): string[] =>
  readMarkedText(docx)
    .stretches.map(({ text }) => text)
    .join('')
    .split('\n');

const words = (markdown: string) => shownWords(leavesOf(markdown).map(({ text }) => text));

describe('trackChanges', () => {
  const edited = async (edit: (editor: WordEditor) => void, markdown = REVIEWED) => {
    const sent = await sentFile(markdown);
    const editor = new WordEditor(sent);
    edit(editor);
    const proposals = reviewDocx(sent, editor.save(), markdown);
    const tracked = trackChanges(sent, markdown, pending(proposals));
    return { sent, proposals, tracked };
  };

  it('X9 writes changes and comments that are read back as they were', async () => {
    const { sent, proposals, tracked } = await edited((editor) => {
      const at = editor.find('One');
      editor.delete(at, 4, 8, 'Ann');
      editor.insert(at, 4, 'thin', 'Ann');
      editor.insertParagraph(editor.find('Second'), 'Middle & more', 'Bob');
      editor.deleteParagraph(editor.find('Third'), 'Bob');
      editor.split(editor.find('ends'), 4, 'Cid');
      editor.comment([at, 0], [at, 3], 'Ann', 'Why?');
      editor.comment([at, 0], [at, 3], 'Bob', 'So.', 0);
    });
    expect(proposals.length).toBeGreaterThan(5);
    expect(reviewDocx(sent, tracked, REVIEWED)).toEqual(proposals);
    expect(trackChanges(sent, REVIEWED, pending(proposals))).toEqual(tracked);
  });

  it('X9 writes changes of cells and code', async () => {
    const markdown = [
      'Text[^1] here.',
      '| Time | Event |\n| --- | --- |\n| 12:00 | Alarm |',
      '```sh\nsystemctl restart pool\nx < y\n```',
      '[^1]: The note.\n',
    ].join('\n\n');
    const { sent, proposals, tracked } = await edited((editor) => {
      editor.insert(editor.find('Alarm'), 5, ' | bell', 'Ann');
      editor.delete(editor.find('systemctl'), 0, 9, 'Bob');
      editor.insertParagraph(editor.find('x <'), 'echo', 'Cid');
      editor.comment([editor.find('Text'), 0], [editor.find('Text'), 4], 'Ann', 'Two\nlines');
    }, markdown);
    const above = { text: 'Above the table.\n\n', after: 'Above the table.\n', lead: 0 };
    const at = markdown.indexOf('| Time');
    const change = { ...pending(proposals)[0]!, ...above, before: '', start: at, end: at, at };
    const [first] = reviewDocx(sent, trackChanges(sent, markdown, [change]), markdown);
    expect(first).toMatchObject({ kind: 'insert', ...above, at });
    expect(proposals.map(({ kind }) => kind)).toEqual(['insert', 'delete', 'insert', 'comment']);
    expect(reviewDocx(sent, tracked, markdown)).toEqual(proposals);
  });

  it('X9 formats the words of Markdown, and tells in a comment what has no place', async () => {
    const sent = await sentFile(REVIEWED);
    const at = REVIEWED.indexOf('Last');
    const change = {
      ...{ kind: 'replace' as const, author: 'Scriptorium', date: null, before: 'Last', after: null },
      ...{ start: at, end: at + 4, at, text: '**Final** and `only`', lead: null, sent: 0 },
      ...{ within: null, comment: 'Shorter.', replyTo: null, isLost: false },
    };
    const lost = { ...change, before: 'gone', text: 'new', comment: null, isLost: true };
    const tracked = trackChanges(sent, REVIEWED, [change, lost]);
    const proposals = reviewDocx(sent, tracked, REVIEWED);
    expect(proposals).toMatchObject([
      { kind: 'replace', before: 'Last', after: 'Final and only', author: 'Scriptorium' },
      { kind: 'comment', comment: 'Shorter.', before: 'Last' },
      { kind: 'comment', comment: 'gone → new' },
    ]);
    const inserted = readMarkedText(tracked).stretches.filter((each) => each.inserted);
    expect(inserted.map(({ text, marks }) => [text, marks])).toEqual([
      ['Final', ['bold']],
      [' and ', []],
      ['only', ['code']],
    ]);
  });

  it('X9 writes words of one person into the paragraph that another person inserted', async () => {
    const { sent, proposals, tracked } = await edited((editor) => {
      const at = editor.find('Last');
      editor.insertParagraph(at, 'alpha', 'Ann');
      editor.insert(at, 5, 'alpha', 'Bob');
      editor.insertParagraph(at + 1, 'Gone', 'Ann');
      editor.deleteParagraph(at + 1, 'Cid');
    });
    expect(reviewDocx(sent, tracked, REVIEWED)).toEqual(proposals);
    const shown = (accepted: string[]) =>
      shownInWord(decideInWord(tracked, (author) => accepted.includes(author))).slice(-4);
    expect(shown(['Ann', 'Bob', 'Cid'])).toEqual(['Continued.', 'alphaalpha', 'Last paragraph.', '']);
    expect(shown(['Ann'])).toEqual(['alpha', 'Gone', 'Last paragraph.', '']);
    expect(shown(['Bob'])).toEqual(['Next', 'Continued.', 'alphaLast paragraph.', '']);
  });

  it('X9 returns from a reviewer who accepted one half and rejected the other', async () => {
    const { sent, proposals, tracked } = await edited((editor) => {
      editor.insert(editor.find('One'), 3, ' very', 'Ann');
      editor.insertParagraph(editor.find('Last'), 'New one.', 'Ann');
      editor.delete(editor.find('Last'), 0, 5, 'Bob');
      editor.insertParagraph(editor.find('Next'), 'Between', 'Bob');
    });
    const returned = decideInWord(tracked, (author) => author === 'Ann');
    const left = reviewDocx(tracked, returned, REVIEWED, 'Dora');
    expect(left.map(({ author }) => author)).toEqual(['Dora', 'Dora']);
    const all = applyProposals(REVIEWED, left, () => true).text;
    expect(all).toBe(applyProposals(REVIEWED, proposals, (i) => proposals[i]!.author === 'Ann').text);
    const undecided = decideInWord(tracked, (author) => (author === 'Ann' ? true : null));
    expect(
      reviewDocx(sent, undecided, REVIEWED, 'Dora')
        .map(({ author }) => author)
        .sort(),
    ).toEqual(['Bob', 'Bob', 'Dora', 'Dora']);
  });
});

it('X9 writes any changes of three authors so that Word shows them and they return, whoever is accepted', async () => {
  const sent = await sentFile(REVIEWED);
  await fc.assert(
    fc.property(randomEdits, fc.subarray([...AUTHORS]), (edits, accepted) => {
      const editor = new WordEditor(sent);
      editRandomly(editor, edits);
      const edited = editor.save();
      const proposals = reviewDocx(sent, edited, REVIEWED);
      const tracked = trackChanges(sent, REVIEWED, pending(proposals));
      const isAccepted = (author: string | null) => (accepted as string[]).includes(author!);
      const returned = decideInWord(tracked, isAccepted);
      expect(shownInWord(returned)).toEqual(shownInWord(decideInWord(edited, isAccepted)));
      const again = reviewDocx(tracked, returned, REVIEWED, 'Dora');
      const wanted = applyProposals(REVIEWED, proposals, (i) => isAccepted(proposals[i]!.author));
      const found = applyProposals(REVIEWED, again, () => true);
      expect(readMarkedText(returned).stretches.filter((each) => each.inserted ?? each.deleted)).toEqual([]);
      if (wanted.refused.length + found.refused.length === 0)
        expect(words(found.text)).toEqual(words(wanted.text));
    }),
    { numRuns: atDepth({ quick: 20, full: 60 }) },
  );
});
