import { pdfPages } from '#extraction/pdf/pdf.js';
import { strFromU8, unzipSync } from 'fflate';
import { visibleLines } from '../docx/check/check.js';
import { readDocx } from '../docx/read/read.js';
import { writeDocx } from '../docx/write/write.js';
import { writeEpub } from '../epub/write.js';
import { typstPdf } from '../pdf/typst.js';
import { buildStructure } from './build.js';
import { plainText } from './text.js';

const noAssets = () => Promise.resolve(null);

const shown = (markdown: string) =>
  buildStructure(markdown).blocks.map((block) =>
    'content' in block ? plainText(block.content) : block.type,
  );

describe('the address of a file behind the words of a link to it', () => {
  it.each([
    ['See [the setup](./setup.md) first.', 'See the setup (./setup.md) first.'],
    ['<a href="report.xlsx">The figures</a>', 'The figures (report.xlsx)'],
    [
      '[a **bold** one](docs/a.md#x), [again][r]\n\n[r]: ../b.pdf',
      'a bold one (docs/a.md#x), again (../b.pdf)',
    ],
    ['[words](%C5%BC%C3%B3%C5%82w%20a.md)', 'words (żółw a.md)'],
    ['[words](C:\\\\a\\\\b.txt) [on](file:///srv/a.txt)', 'words (C:\\a\\b.txt) on (file:///srv/a.txt)'],
  ])('D20 %s', (markdown, expected) => {
    expect(shown(markdown)[0]).toBe(expected);
  });

  it.each([
    '[setup.md](./setup.md)',
    '[docs/a.md](docs/a.md)',
    '[web](https://example.org/a.md)',
    '[mail](mailto:a@example.org)',
    '[on](#none)',
    '[query](?a=b)',
    '[script](javascript:alert(1))',
    '[data](data:text/html,x)',
    '[nothing](<>)',
    '[![picture](a.png)](b.md)',
    '[%](%zz.md) is %zz.md'.replace('[%]', '[%zz.md]'),
  ])('D20 is not added to %s', (markdown) => {
    expect(shown(markdown)[0]).not.toContain('(');
  });

  it('does not change headings and their IDs', () => {
    const { headings } = buildStructure('# [Setup](setup.md)\n\n<h2><a href="b.md">Next</a></h2>\n');
    expect(headings.map(({ id, text }) => [id, text])).toEqual([
      ['setup', 'Setup'],
      ['next', 'Next'],
    ]);
  });

  it('D20 D33 B12 appears in Word, PDF and EPUB', async () => {
    const structure = buildStructure('# Links\n\n- see [the setup](./setup.md) first\n');
    const sentence = 'see the setup (./setup.md) first';
    expect(visibleLines(readDocx(await writeDocx(structure, noAssets, {}))).join('\n')).toContain(sentence);
    const pages = await pdfPages(await typstPdf(structure, noAssets, {}), 'a.pdf');
    expect(pages.join('\n')).toContain(sentence);
    const book = await writeEpub(structure, noAssets, { title: 'T' });
    const texts = Object.entries(unzipSync(book)).filter(([name]) => name.endsWith('.xhtml'));
    expect(texts.map(([, part]) => strFromU8(part)).join('\n')).toContain(sentence);
  });
});
