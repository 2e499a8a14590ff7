import fc from 'fast-check';
import { translatorFor } from '#contracts/phrases/translator.js';
import { ocrLines } from '#markdown/ocr.js';
import { withoutMarks } from '../left-out.js';
import { insertWords } from './insert-words.js';

const word = (text: string, certainty = 95) => ({ text, certainty });
const read = (...words: ReturnType<typeof word>[]) => ({ name: 'a.docx.image1.png', paragraphs: [[words]] });

describe('insertWords', () => {
  it('B9 puts the words of a picture behind the block that shows it, marked as read by OCR', () => {
    const text = '| A | B |\n| --- | --- |\n| ![Plan](a.docx.image1.png) | c |\n| d | e |\n\nAfter.\n';
    const { text: whole, read: places } = insertWords(text, 'a.docx', [read(word('Valve'), word('7', 70))]);
    expect(whole).toBe(
      `${text.replace('\n\nAfter.\n', '')}\n\n<!-- read by OCR: picture 1; certainty 82 % -->\n\n*read by OCR: picture 1, certainty 82 %*\n\nValve <mark>7</mark>\n\n<!-- end of the words read by OCR -->\n\nAfter.\n`,
    );
    expect(places).toEqual([{ place: 'picture 1', lines: 1, certainty: 82, uncertain: 1 }]);
    const marked = ocrLines(whole.split('\n'));
    expect(marked.filter((line) => line !== null)).toEqual(
      Array(2).fill({ place: 'picture 1', certainty: 82 }),
    );
    expect(marked[whole.split('\n').indexOf('Valve <mark>7</mark>')]).not.toBeNull();
  });

  it('B9 says in the language of a reader that words were read by OCR', async () => {
    const german = await translatorFor('de');
    const { text } = insertWords('![](a.docx.image1.png)\n', 'a.docx', [read(word('Ventil'))], german);
    expect(text).toContain('\n*durch OCR gelesen: Bild 1, Sicherheit 95 %*\n\nVentil\n');
  });

  it('B9 keeps what looks like Markdown as it is in the picture', () => {
    const { text } = insertWords('![](a.docx.image1.png)\n', 'a.docx', [read(word('1.'), word('*not*'))]);
    expect(text).toContain('\n1\\. \\*not\\*\n');
  });

  it('B9 adds nothing for a photo, in which only shapes look like letters, and counts such lines of a text', () => {
    const shapes = [[word('~', 99)], [word('vw', 40)]];
    const photo = { name: 'a.docx.image1.png', paragraphs: [shapes] };
    const text = '![](a.docx.image1.png)\n';
    expect(insertWords(text, 'a.docx', [photo])).toEqual({ text, read: [] });
    const mixed = { ...photo, paragraphs: [shapes, [[word('Valve')]]] };
    expect(insertWords(text, 'a.docx', [mixed]).text).toContain(
      '<!-- left out: lines that OCR cannot read: picture 1: 2 -->\n\n<!-- read by OCR: picture 1; certainty 95 % -->\n\n*read by OCR: picture 1, certainty 95 %*\n\nValve\n',
    );
  });

  it('B9 names a picture that cannot be read', () => {
    const failed = { name: 'a.docx.image1.png', problem: 'OCR takes longer than 60 s' };
    expect(insertWords('![](a.docx.image1.png)\n', 'a.docx', [failed])).toEqual({
      text: '![](a.docx.image1.png)\n\n<!-- left out: words of a picture: picture 1 (OCR takes longer than 60 s) -->\n',
      read: [],
    });
  });

  it('B9 names the page of a PDF, whose mark no longer says that only a picture has its words', () => {
    const only = 'words of this page, of which the file has only a picture';
    const text = `One.\n\n<!-- page 2; left out: Draft | ${only} -->\n\n![](a.pdf.image1.png)\n\n<!-- page 3; left out: ${only} -->\n\n![](a.pdf.image2.png)\n`;
    const pictures = [1, 2].map((at) => ({ ...read(word('Valve')), name: `a.pdf.image${at}.png` }));
    const { text: whole, read: places } = insertWords(text, 'a.pdf', pictures);
    expect(whole).toContain('<!-- page 2; left out: Draft -->\n');
    expect(whole).toContain('<!-- page 3 -->\n');
    expect(places.map(({ place }) => place)).toEqual(['page 2', 'page 3']);
    const photo = { name: 'a.pdf.image1.png', paragraphs: [] };
    expect(insertWords(text, 'a.pdf', [photo]).text).toBe(text);
  });

  it('B9 changes no other line, and marks every line that it adds', () => {
    const lines = fc.array(fc.constantFrom('A line.', '', '- an item', '![](a.docx.image1.png)', '| a |'));
    const words = fc.array(
      fc.array(fc.record({ text: fc.string({ minLength: 1 }), certainty: fc.nat(100) }), { minLength: 1 }),
    );
    fc.assert(
      fc.property(lines, words, (before, paragraph) => {
        const text = `${before.join('\n').trim()}\n`;
        const picture = { name: 'a.docx.image1.png', paragraphs: [paragraph] };
        const after = insertWords(text, 'a.docx', [picture]).text.split('\n');
        const byOcr = ocrLines(after);
        const own = after.filter((line, at) => byOcr[at] === null && !line.startsWith('<!--') && line !== '');
        expect(own).toEqual(text.split('\n').filter((line) => line !== ''));
        expect(withoutMarks(after.join('\n'))).not.toContain('left out');
      }),
    );
  });
});
