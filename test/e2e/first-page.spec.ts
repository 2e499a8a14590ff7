import { strFromU8, unzipSync } from 'fflate';
import { visibleLines } from '#office/docx/check/check.js';
import { readDocx } from '#office/docx/read/read.js';
import type { ApiClient } from '#testing/api-client.js';
import { sharedStack } from '#testing/shared-stack.js';

const LOG = Array.from(
  { length: 90 },
  (_, i) => `2026-03-02T09:${String(i % 60).padStart(2, '0')}:00Z INFO entry ${i}`,
);
const FILES = {
  'README.md': '# The pump\n\nIt holds 1,200 l.\n\n**Decision:** it stays *off*,\nuntil Friday.\n',
  'logs/pump (2).log': `${LOG.join('\n')}\n2026-03-02T11:00:00Z ERROR stopped\n`,
  'parts.csv': 'part,mass\ngasket,2 kg\nvalve,"3 kg"\n',
  'minutes.md': '# Minutes of 4 March 2026\n\nPresent: Ann Lee\n\n- [ ] Call Bob\n',
};
const PARTS = ['timeline', 'people', 'decisions', 'actions', 'figures'];
const NO_TEXT = /<[^>]*>/g;

const xmlOf = (docx: Uint8Array) => strFromU8(unzipSync(docx)['word/document.xml']!);

describe('the first page of a document', () => {
  let tenant: ApiClient;

  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
  });

  const ledgerOf = async (sessionId: string) =>
    (await tenant.get(`/api/sessions/${sessionId}/ledger`)).json as {
      coverage: number;
      span?: object;
      added: { kind: string; text: string; supported_by?: { source: string; line: number }[] }[];
    };

  it('65.6 X1 leads from each entry to the paragraph that says it, and says on the cover what the sources are', async () => {
    const sessionId = await tenant.sessionWith(FILES);
    await tenant.completed((await tenant.startRun(sessionId, { first_page: PARTS })).id);
    const docx = await tenant.docx(sessionId);
    const paragraphs = xmlOf(docx).match(/<w:p>.*?<\/w:p>/gs) ?? [];
    const words = (xml: string, between = '') =>
      xml.replace(/<w:instrText.*?<\/w:instrText>/g, '').replace(NO_TEXT, between);
    const rows = xmlOf(docx).match(/<w:tr>.*?<\/w:tr>/gs) ?? [];
    const entries = paragraphs.filter((xml) => / — <\/w:t>/.test(xml));
    expect(entries.length).toBeGreaterThan(8);
    for (const entry of entries) {
      const [, anchor] = /<w:hyperlink w:anchor="([^"]+)"/.exec(entry) ?? [];
      const target = [...rows, ...paragraphs].find((xml) => xml.includes(`w:name="${anchor}"`)) ?? '';
      const said = words(target, ' ').match(/\w+/g) ?? [];
      const [quote = ''] = words(entry).split(' — ');
      for (const word of quote.match(/\w+/g) ?? []) expect(said).toContain(word);
    }
    const cover = visibleLines(readDocx(docx)).join('\n');
    expect(cover).not.toContain('Accounted for');
    const front = paragraphs.slice(0, 4).map((xml) => words(xml));
    expect(front).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Sources from March 2\s–\s4, 2026$/),
        expect.stringMatching(/^Files: 4 · Pages: [5-9] · Accounted for: 100 %$/),
      ]),
    );
  });

  it('65.6 X1 is supported line by line, carries nothing, and is kept by a conversion of the manuscript', async () => {
    const sessionId = await tenant.sessionWith(FILES);
    const run = await tenant.completed(
      (await tenant.startRun(sessionId, { first_page: PARTS, language: 'de' })).id,
    );
    expect(run).toMatchObject({ progress: { details: { title: 'The pump' } } });
    const manuscript = await tenant.manuscript(sessionId);
    expect(manuscript).toMatch(
      /^# Erste Seite\n\n## Zeitleiste\n\n- Minutes|^# Erste Seite\n\n## Zeitleiste\n\n- 2026/,
    );
    const ledger = await ledgerOf(sessionId);
    expect(ledger).toMatchObject({ coverage: 1, span: { first: '2026-03-02', last: '2026-03-04' } });
    const quoted = ledger.added.filter(({ text }) => text.includes(' — '));
    expect(new Set(quoted.map(({ kind }) => kind))).toEqual(new Set(['supported']));
    const { json } = await tenant.post(`/api/sessions/${sessionId}/exports`, {});
    await tenant.completed((json as { id: string }).id);
    expect(await tenant.manuscript(sessionId)).toBe(manuscript);
    expect((await ledgerOf(sessionId)).added).toEqual(ledger.added);
  });
});
