import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { readDocx } from '#office/docx/read/read.js';
import type { ApiClient } from '#testing/api-client.js';
import { pdfOfPages, scannedPage } from '#testing/scans.js';
import { sharedStack } from '#testing/shared-stack.js';

describe('words that OCR reads in a document', () => {
  let tenant: ApiClient;

  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
  });

  it('B9 X1 are carried, and ledger, page, appendix and progress say that they were read by OCR and how certain they are', async () => {
    const blurred = await sharp(await scannedPage())
      .resize({ width: 420 })
      .blur(1)
      .jpeg()
      .toBuffer();
    const sessionId = await tenant.sessionWith({
      'minutes.pdf': await pdfOfPages(['Page one has text.', [blurred]]),
    });
    const { id } = await tenant.startRun(sessionId);
    await tenant.completed(id);
    const { json } = await tenant.get(`/api/sessions/${sessionId}/ledger`);
    const [file] = json.files as { coverage: number; inventory: { read_by_ocr: { uncertain: number }[] } }[];
    expect(file).toMatchObject({
      coverage: 1,
      inventory: { carried: 1, read_by_ocr: [{ place: 'page 2', lines: 3 }] },
    });
    expect(file!.inventory.read_by_ocr[0]!.uncertain).toBeGreaterThan(0);
    const { text: html } = await tenant.get(`/api/sessions/${sessionId}/ledger?format=html&language=de`);
    expect(html).toContain('3 Zeilen wurden durch Texterkennung (OCR) aus Bildern gelesen');
    expect(html).toMatch(/<small>durch OCR gelesen: Seite 2, Sicherheit \d+ %<\/small>/);
    const { progress } = await tenant.run(id);
    expect(progress.details).toMatchObject({ coverage: 1, coverage_report: { read_by_ocr: 3 } });
    const docx = await tenant.docx(sessionId);
    expect(strFromU8(unzipSync(docx)['word/document.xml']!)).toContain('<w:highlight w:val="yellow"/>');
    const shown = JSON.stringify(readDocx(docx));
    expect(shown).toContain('The pump P2 stays');
    expect(shown).toMatch(/"read by OCR: page 2, certainty \d+ %"/);
    expect(shown).toContain('3 lines were read in pictures by text recognition (OCR)');
    expect(shown).toMatch(/minutes\.pdf: read by OCR: page 2: 3 lines with a mean certainty of \d+ %/);
  });
});
