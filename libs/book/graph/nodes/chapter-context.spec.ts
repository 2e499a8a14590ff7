import type { BookPorts, BookSnapshot, OutlinedChapter } from '../ports.js';
import type { BookState } from '../state.js';
import { retrieveContext } from './chapter-context.js';

const chapter = (number: number): OutlinedChapter => ({
  id: `cha_${number}`,
  number,
  title: `Part ${number}`,
  status: 'written',
  version: 1,
  summary: '',
  outline: { summary: '', sections: [], terms: [] },
});
const book: BookSnapshot = {
  id: 'bok_1',
  title: 'Salt and Light',
  profile: {},
  synopsis: '',
  chapters: [1, 2, 3, 4].map(chapter),
  isStopping: false,
};

describe('the context of a chapter', () => {
  it.each([
    [1, []],
    [3, ['cha_1', 'cha_2']],
  ])('B12 tells chapter %i only what earlier chapters have told', async (number, earlier) => {
    const ports = {
      book: { load: () => Promise.resolve(book), present: () => Promise.resolve(null) },
      knowledge: {
        search: () => Promise.resolve([]),
        recall: (_query: string, _k: number, chapterIds: string[]) =>
          Promise.resolve(chapterIds.map((id) => ({ title: id, text: 'told' }))),
      },
      offline: false,
    } as unknown as BookPorts;
    const state = { mode: 'chapter', inputs: {}, chapter_id: `cha_${number}` } as unknown as BookState;
    const update = await retrieveContext(ports)(state, {});
    expect(update.memory_context).toEqual(earlier.map((title) => ({ title, text: 'told' })));
  });
});
