import sharp from 'sharp';
import { visibleLines } from '#office/docx/check/check.js';
import { readDocx } from '#office/docx/read/read.js';
import type { ApiClient } from '#testing/api-client.js';
import { atDepth } from '#testing/depth.js';
import { wordFile, wordParagraph, xmlText } from '#testing/sample-files.js';
import { sourceSets } from '#testing/source-sets.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

/** X1: varied real material runs through to full coverage and a Word file. */
describe('X1 source sets', () => {
  let stack: SharedStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  it.each(sourceSets(atDepth({ quick: 4, full: 20 })))('$name', async ({ files, words }) => {
    const sessionId = await tenant.sessionWith(await files());
    const run = await tenant.startRun(sessionId, { source_appendix: true });
    const ended = await tenant.completed(run.id);
    expect(ended.progress.details['coverage']).toBe(1);
    const ledger = await tenant.get(`/api/sessions/${sessionId}/ledger`);
    expect(ledger.json.coverage).toBe(1);
    const docx = JSON.stringify(readDocx(await tenant.docx(sessionId)));
    for (const word of words) expect(docx).toContain(JSON.stringify(word).slice(1, -1));
    expect(docx).toContain('Sources and coverage');
  });

  it('D4 X1 shows the text of web pages, Word files and notebooks, and their images once', async () => {
    const loss = 'Run foo <file> with List<String> now. Keep *this* and 2*3*4 and a_b_c';
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const base64 = png.toString('base64');
    const picture =
      '<w:p><w:r><w:drawing><wp:docPr id="1" name="x" descr="In Word"/><a:blip r:embed="rId1"/></w:drawing></w:r></w:p>';
    const sessionId = await tenant.sessionWith({
      'a.html': `<p>${xmlText(loss)}</p><p># not a heading</p><p>1. not a list</p><img src="b.png" alt="Beside"><img src="data:image/png;base64,${base64}" alt="Within">`,
      'b.png': png,
      'c.docx': wordFile(`${wordParagraph(xmlText(loss))}${picture}`, {
        'word/_rels/document.xml.rels':
          '<Relationships><Relationship Id="rId1" Target="media/i.png"/></Relationships>',
        'word/media/i.png': png,
      }),
      'd.ipynb': JSON.stringify({
        cells: [{ cell_type: 'code', source: loss, outputs: [{ data: { 'image/png': base64 } }] }],
      }),
    });
    await tenant.completed((await tenant.startRun(sessionId)).id);
    const content = readDocx(await tenant.docx(sessionId));
    const shown = visibleLines(content);
    expect(shown.filter((line) => line === loss).length).toBe(3);
    expect(shown).toEqual(expect.arrayContaining(['# not a heading', '1. not a list']));
    const images = content.blocks.flatMap((block) => ('images' in block ? block.images : []));
    expect(images.map(({ alt, missing }) => [alt, missing])).toEqual([
      ['Beside', false],
      ['Within', false],
      ['In Word', false],
      ['', false],
    ]);
  });

  it('X1 loses nothing to front matter, rulers and byte order marks at the start of a source', async () => {
    const sessionId = await tenant.sessionWith({
      'closed-by-dots.md': '---\ntitle: Kept title\n...\n\n# One\n\nbody one\n\n---\n\nbody two\n',
      'rule-first.md': '---\n\nSummary: not metadata\n\n---\n\nbody three\n',
      'marked.md': '\uFEFF# Marked\n\nbody four\n',
      'wide.txt': Buffer.from('\uFEFFbody five\n', 'utf16le'),
      'crlf.txt': 'body six\r\n\r\nbody seven\r\n',
    });
    const ended = await tenant.completed((await tenant.startRun(sessionId)).id);
    expect(ended.progress.details['coverage']).toBe(1);
    const shown = visibleLines(readDocx(await tenant.docx(sessionId))).join('\n');
    for (const words of ['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
      expect(shown).toContain(`body ${words}`);
    expect(shown).toContain('Summary: not metadata');
    expect(await tenant.manuscript(sessionId)).toContain('Kept title');
  });

  it('X1 carries sources whose names contain syntax of Markdown, HTML, shells and URLs', async () => {
    const names = [
      "a 'q' #1 %20 & <b> [x](y).md",
      '$(touch x); `id` | *.txt',
      '-rf.log',
      '日本 語.txt',
      'Ω≈ç√ 🎉.md',
      'con.csv',
      'template {{x}} ${y} <%= z %>.yaml',
    ];
    const files = Object.fromEntries(names.map((name, n) => [name, `line ${n} of it: ${n}\n`]));
    const sessionId = await tenant.sessionWith(files);
    const ended = await tenant.completed((await tenant.startRun(sessionId, { source_appendix: true })).id);
    expect(ended.progress.details['coverage']).toBe(1);
    const content = readDocx(await tenant.docx(sessionId));
    const shown = visibleLines(content).join('\n');
    names.forEach((_, n) => expect(shown).toContain(`line ${n} of it: ${n}`));
    const all = JSON.stringify(content.blocks);
    for (const name of names) expect(all).toContain(JSON.stringify(name).slice(1, -1));
  });
});
