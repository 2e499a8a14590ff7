import { wordFile, wordParagraph } from '#testing/sample-files.js';
import { inlineWork } from './work.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const CONTENTS = `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${wordParagraph('One 3')}</w:sdtContent></w:sdt>`;
const WORD = wordFile(wordParagraph('Before') + CONTENTS + wordParagraph('After'));

describe('the text of a source that is indexed', () => {
  it('omits the notes about omissions from a Word document', async () => {
    expect(await inlineWork.extract(WORD, 'a.docx', 'a')).toBe('Before\n\nAfter\n');
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
    const text = await inlineWork.extract(bytes(email), 'a.eml', 'a');
    expect(text).toContain('Before\n\nAfter');
    expect(text).not.toContain('<!--');
  });

  it('does not change a text file', async () => {
    const text = 'Comments such as\n\n<!-- page 2 -->\n\nare left where pages begin.\n';
    expect(await inlineWork.extract(bytes(text), 'a.md', 'a')).toBe(text);
  });
});
