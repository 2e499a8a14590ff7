import type { Inventory } from '#contracts/inventory.js';
import { englishText } from '#contracts/phrases/phrase.js';
import { buildLedger, ledgerPage, ledgerIssues, ledgerSchema, withTexts } from '../ledger.js';
import { coverageAppendix } from './appendix.js';
import { coverageOfReport, coverageReport, formatPercent } from './coverage.js';
import { piecePhrase } from '#contracts/ledger-phrases.js';
import { translatorFor } from '#contracts/phrases/translator.js';

const TEXT = '# Lease\n\nThe rent is 900 EUR.\n';
const LEFT_OUT = { place: 'header 1', outcome: 'left_out' as const, words: 'Draft', reason: 'header' };
const LOST = { place: 'footnote 2', outcome: 'lost' as const, words: 'Due in May', reason: 'missing' };

const counts = { pieces: 4, carried: 3, said_twice: 0, left_out: 0, lost: 0, entries: [] };
const build = (inventory: Inventory, text = TEXT) =>
  buildLedger(text, [{ name: 'lease.docx', text, inventory }], { policy: 'verbatim' });

describe('pieces of a source file in the ledger', () => {
  it('X1 keep the coverage below 100 % if a piece of the file is lost, and the document is still written', () => {
    const ledger = build({ ...counts, lost: 1, entries: [LOST] });
    expect([ledger.coverage, ledger.files[0]!.coverage, formatPercent(ledger.coverage)]).toEqual([
      0.75,
      0.75,
      '75 %',
    ]);
    expect(ledgerIssues(ledger)).toEqual([]);
    expect(ledger.files[0]!.notes).toEqual([
      '4 pieces of the file: 3 carried, 1 lost',
      'lost: footnote 2: “Due in May” (missing)',
    ]);
    expect(ledgerSchema.parse(ledger)).toEqual(ledger);
    const report = coverageReport(ledger);
    expect(coverageOfReport(report)).toBe(0.75);
    expect(report.pieces).toEqual({
      ...{ total: 4, left_out: 0, lost: 1, uncounted: [] },
      lost_pieces: [{ name: 'lease.docx', ...LOST }],
    });
  });

  it('X1 allow 100 % if they are left out with their reasons, which are listed', () => {
    const ledger = build({ ...counts, left_out: 1, entries: [LEFT_OUT] });
    expect(ledger.coverage).toBe(1);
    const page = Buffer.concat(ledgerPage(ledger, TEXT, [{ name: 'lease.docx', text: TEXT }])).toString();
    expect(withTexts(page, englishText)).toContain('left out: header 1: “Draft” (header)');
    expect(coverageAppendix(ledger).markdown).toContain('lease.docx: left out: header 1: “Draft” (header)');
  });

  it.each([
    ['de-AT', 'Quellen und Vollständigkeit', 'lease.docx: ausgelassen: Kopfzeile 1: „Draft“ (Kopfzeile)'],
    ['pl', 'Źródła i kompletność', 'lease.docx: pominięto: nagłówek strony 1: „Draft” (nagłówek strony)'],
    ['fr', 'Sources and coverage', 'lease.docx: left out: header 1: “Draft” (header)'],
  ])('X1 are listed in the language of the document: %s', async (language, title, line) => {
    const phrases = { place_phrase: piecePhrase('header 1')!, reason_phrase: piecePhrase('header')! };
    const ledger = build({ ...counts, left_out: 1, entries: [{ ...LEFT_OUT, ...phrases }] });
    const appendix = coverageAppendix(ledger, [], await translatorFor(language));
    expect(appendix.title).toBe(title);
    expect(appendix.markdown).toContain(line);
  });

  it('X1 are reported as uncounted if the file cannot be counted', () => {
    const ledger = build({ ...counts, pieces: 0, carried: 0, problem: 'it is too large when unpacked' });
    expect(ledger.files[0]!.notes).toEqual([
      'the pieces of the file were not counted: it is too large when unpacked',
    ]);
    expect(coverageReport(ledger).pieces!.uncounted).toEqual([
      { name: 'lease.docx', problem: 'it is too large when unpacked' },
    ]);
  });

  it('X1 count the same if a long equal part was removed before comparing', () => {
    const log = Array.from({ length: 20_000 }, (_, line) => `${line} request ${line * 7} served`).join('\n');
    const ledger = build({ ...counts, lost: 1, entries: [LOST] }, `# Log\n\n\`\`\`log\n${log}\n\`\`\`\n`);
    expect(ledger.coverage).toBe(0.75);
  });
});
