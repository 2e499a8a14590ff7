import { createHash } from 'node:crypto';
import { decideInWord } from '#testing/docx/decide-in-word.js';
import { REVIEWED } from '#testing/docx/random-edits.js';
import { WordEditor } from '#testing/docx/word-editor.js';
import { buildStructure } from '../structure/build.js';
import { writeDocx } from '../docx/write/write.js';
import { decidedChanges } from './decided.js';

describe('decidedChanges', () => {
  it('X9 finds what was accepted and rejected in Word, and leaves the rest open', async () => {
    const manuscript = createHash('sha256').update(REVIEWED).digest('hex');
    const docx = await writeDocx(buildStructure(REVIEWED), () => Promise.resolve(null), { manuscript });
    const editor = new WordEditor(docx);
    const last = editor.find('Last');
    editor.delete(last, 0, 4, 'Ann');
    editor.insert(last, 0, 'Final', 'Ann');
    editor.insert(editor.find('ends'), 2, 'fine ', 'Bob');
    editor.delete(editor.find('One'), 0, 3, 'Cid');
    editor.insertParagraph(editor.find('Next'), 'Between', 'Ann');
    const sent = editor.save();
    const decisions: Record<string, boolean | null> = { Ann: false, Bob: true, Cid: null };
    const states = decidedChanges(
      sent,
      decideInWord(sent, (author) => decisions[author]!),
    ).map(({ author, before, after, state }) => [author, before, after, state]);
    expect(states).toEqual([
      ['Bob', '', 'fine ', 'accepted'],
      ['Ann', '', 'Between\n', 'rejected'],
      ['Ann', 'Last', 'Final', 'rejected'],
    ]);
    expect(decidedChanges(docx, sent)).toEqual([]);
  });

  it('X9 settles a change that was accepted in part', async () => {
    const manuscript = createHash('sha256').update(REVIEWED).digest('hex');
    const docx = await writeDocx(buildStructure(REVIEWED), () => Promise.resolve(null), { manuscript });
    const editor = new WordEditor(docx);
    const last = editor.find('Last');
    editor.delete(last, 0, 4, 'Ann');
    editor.insert(last, 0, 'Final', 'Ann');
    const sent = editor.save();
    const ids: string[] = [];
    const decideFirst = (rest: boolean | null) => (_: string, id: string) => {
      if (ids.length === 0) ids.push(id);
      return id === ids[0] ? true : rest;
    };
    for (const rest of [false, null])
      expect(decidedChanges(sent, decideInWord(sent, decideFirst(rest)))).toMatchObject([
        { author: 'Ann', before: 'Last', after: 'Final', state: 'rejected' },
      ]);
  });
});
