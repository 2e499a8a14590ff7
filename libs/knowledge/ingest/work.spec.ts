import { wordFile, wordParagraph } from '#testing/sample-files.js';
import { pageOf } from '../store/references.js';
import { inlineWork } from './work.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const CONTENTS = `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${wordParagraph('One 3')}</w:sdtContent></w:sdt>`;
const WORD = wordFile(wordParagraph('Before') + CONTENTS + wordParagraph('After'));

describe('the text of a source that is indexed', () => {
  it('omits the notes about omissions from a Word document', async () => {
    expect((await inlineWork.extract(WORD, 'a.docx', 'a')).text).toBe('Before\n\nAfter\n');
  });

  it('omits the notes about omissions from an attachment of an e-mail', async () => {
    const email = [
      'From: a@example.org',
      'Subject: Report',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'See the file.',
      '--b',
      'Content-Type: application/octet-stream; name="a.docx"',
      'Content-Disposition: attachment; filename="a.docx"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(WORD).toString('base64'),
      '--b--',
      '',
    ].join('\r\n');
    const { text } = await inlineWork.extract(bytes(email), 'a.eml', 'a');
    expect(text).toContain('Before\n\nAfter');
    expect(text).not.toContain('<!--');
  });

  it('does not change a text file', async () => {
    const text = 'Comments such as\n\n<!-- page 2 -->\n\nare left where pages begin.\n';
    expect((await inlineWork.extract(bytes(text), 'a.md', 'a')).text).toBe(text);
  });

  it('X15 names the page of each part of a PDF, by its printed number', async () => {
    const extracted = {
      format: 'pdf',
      text: 'One.\n\n<!-- page 2; left out: Head | 2 -->\n\nTwo.\n\n<!-- page 4 -->\n\nFour.\n\n<!-- left out: attached file: a -->\n',
    };
    const { text, pages } = await inlineWork.tidy(extracted, { reference: {}, pageLabels: ['i', 'ii'] });
    expect(text).toBe('One.\n\nTwo.\n\nFour.\n\n');
    const parts = pages.map(({ at, page }, n) => [page, text.slice(at, pages[n + 1]?.at)]);
    expect(parts).toEqual([
      ['i', 'One.\n\n'],
      ['ii', 'Two.\n\n'],
      ['4', 'Four.\n\n'],
    ]);
    expect(pageOf(pages, { start: 0, end: 4 })).toBe('i');
    expect(pageOf(pages, { start: 6, end: 15 })).toBe('ii–4');
    expect(pageOf([], { start: 6, end: 15 })).toBeNull();
  });
});
