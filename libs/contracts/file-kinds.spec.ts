import { isImageName, isSourceName, isTextName } from './file-kinds.js';

describe('the kind of a file by its name', () => {
  it('depends on the last part of its path', () => {
    expect(isTextName('pictures.png/LICENSE')).toBe(true);
    expect(isSourceName('docs/v1.2/report.docx')).toBe(true);
    expect(isImageName('docs/v1.2/plan.PNG')).toBe(true);
    expect(isImageName('docs/.png')).toBe(false);
  });
});
