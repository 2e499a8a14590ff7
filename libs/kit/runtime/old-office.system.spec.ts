import { extractText } from '#extraction/extract.js';
import { convertWithLibreOffice } from '#office/libre-office.js';
import { itWith } from '#testing/programs.js';
import { inCurrentFormat } from './old-office.js';

const MINUTES = 120_000;

describe('files of old Office formats with LibreOffice', () => {
  itWith('soffice')('B8 are read in the current format', async () => {
    const html = new TextEncoder().encode('<h1>Lease</h1><p>Berth <b>14</b> is let.</p>');
    const conversion = { from: 'html', to: 'doc', filter: 'MS Word 97', timeLimitMs: MINUTES };
    const old = await convertWithLibreOffice(html, conversion);
    const { bytes, name } = await inCurrentFormat({ bytes: old, name: 'b/lease.doc' });
    expect(name).toBe('b/lease.docx');
    expect((await extractText(bytes, name)).text).toMatch(/Lease\n\nBerth 14 is let\./);
  });

  itWith('soffice')('B8 say why they cannot be read', async () => {
    const damaged = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 1, 2]);
    await expect(inCurrentFormat({ bytes: damaged, name: 'a.xls' })).rejects.toThrow('save it as .xlsx');
  });
});
