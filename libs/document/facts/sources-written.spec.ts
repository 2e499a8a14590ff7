import { documentFacts } from '../facts.js';

const sizes = { 'a.md': { bytes: 900, lines: 90 }, 'b.md': { bytes: 100, lines: 10 } };
const shown = (state: object) =>
  documentFacts.describe({ file_sizes: sizes, status: 'processing', ...state }).details['sources'];

describe('the progress of a document', () => {
  it('D25 counts the lines of the text sources, not the bytes of all files', () => {
    expect(shown({ files_written: [] })).toEqual({
      files: 2,
      files_written: 0,
      lines: 100,
      lines_written: 0,
    });
    expect(shown({ files_written: ['a.md', 'picture.png'] })).toMatchObject({
      files_written: 1,
      lines_written: 90,
    });
    expect(shown({ files_written: [], status: 'completed' })).toMatchObject({ lines_written: 100 });
    expect(shown({ file_sizes: undefined })).toBeNull();
  });
});
