import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { visibleLines } from '#office/docx/check/check.js';
import { readDocx } from '#office/docx/read/read.js';
import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, succeedCli } from '#testing/cli.js';
import { officeLinks, powerPointFile } from '#testing/office-files.js';
import { wordFile, wordParagraph } from '#testing/sample-files.js';
import { sharedStack } from '#testing/shared-stack.js';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const main = (part: string) => ({ '_rels/.rels': officeLinks([['rId1', 'officeDocument', part]]) });
const shape = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

/** A Word file with a header, which the document omits, and slides whose list names only the first one. */
const FILES = {
  'plan.docx': wordFile(
    `${wordParagraph('The rope is 20 m long.')}<w:sectPr><w:headerReference r:id="rId1"/></w:sectPr>`,
    {
      ...main('word/document.xml'),
      'word/_rels/document.xml.rels': officeLinks([['rId1', 'header', 'header1.xml']]),
      'word/header1.xml': `<w:hdr ${W}>${wordParagraph('Harbour office, draft seven')}</w:hdr>`,
    },
  ),
  'talk.pptx': powerPointFile([shape('The ferry leaves at nine.')], {
    ...main('ppt/presentation.xml'),
    'ppt/_rels/presentation.xml.rels': officeLinks([
      ['rId1', 'slide', 'slides/slide1.xml'],
      ['rId9', 'slide', 'slides/slide2.xml'],
    ]),
    'ppt/slides/slide2.xml': `<p:sld xmlns:p="p" xmlns:a="a">${shape('A slide without a place')}</p:sld>`,
  }),
};

describe('pieces of a file that its document does not show', () => {
  let tenant: ApiClient;

  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
  });

  it('X1 D6 are named with place and words in the ledger and the appendix', async () => {
    const sessionId = await tenant.sessionWith(FILES);
    await tenant.completed((await tenant.startRun(sessionId, { source_appendix: true })).id);
    const { json } = await tenant.get(`/api/sessions/${sessionId}/ledger`);
    const { files } = json as { files: { name: string; inventory: { entries: object[] } }[] };
    expect(files.map(({ name, inventory }) => [name, inventory.entries])).toMatchObject([
      [
        'plan.docx',
        [
          {
            place: 'header 1, paragraph 1',
            outcome: 'left_out',
            words: 'Harbour office, draft seven',
            reason: 'header',
            place_phrase: { code: 'piece_at.part' },
            reason_phrase: { code: 'piece.header' },
          },
        ],
      ],
      [
        'talk.pptx',
        [
          {
            place: 'slide 2',
            outcome: 'lost',
            words: 'A slide without a place',
            reason: 'missing from the text',
          },
        ],
      ],
    ]);
    const appendix = JSON.stringify(readDocx(await tenant.docx(sessionId)));
    expect(appendix).toContain('left out: header 1, paragraph 1: “Harbour office, draft seven” (header)');
    expect(appendix).toContain('lost: slide 2: “A slide without a place” (missing from the text)');
  });

  it('X1 are listed by the command, which still writes the document', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'scriptorium-left-out-'));
    try {
      for (const [name, content] of Object.entries(FILES)) await writeFile(join(dir, name), content);
      const args = ['write', ...Object.keys(FILES), '-o', 'o.docx', '--ledger', 'o.json'];
      const { stdout, stderr } = await succeedCli(args, { cwd: dir, env: cliEnv(tenant) });
      expect(stdout + stderr).toContain('left out 1 piece of the files');
      expect(stdout + stderr).toContain(
        'talk.pptx, slide 2: "A slide without a place" (missing from the text)',
      );
      expect(await readFile(join(dir, 'o.json'), 'utf8')).toContain('Harbour office, draft seven');
      expect(visibleLines(readDocx(await readFile(join(dir, 'o.docx')))).join('\n')).toContain('20 m long');
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
