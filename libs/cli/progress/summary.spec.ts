import { renderSummary } from './summary.js';

const amount = { total: 10, missing: 0 };

it('X1 the summary of a document names text that no source supports', () => {
  const summary = renderSummary(
    {
      chapters: [],
      lines: 10,
      coverage: 1,
      coverage_report: {
        lines: amount,
        bytes: amount,
        files: [],
        files_short: 0,
        added_text: { lines: 3, texts: ['It was approved by the carrier.', 'Nobody objected.'] },
      },
      acceptances: [],
      files: {},
      session_id: 'ses_1',
      model: 'm',
    } as unknown as Parameters<typeof renderSummary>[0],
    1,
  );
  expect(summary.split('\n').slice(1)).toEqual([
    '  added 3 lines of text that no source supports:',
    '    "It was approved by the carrier."',
    '    "Nobody objected."',
    '    and 1 more; the ledger names them',
    '  session ses_1',
  ]);
});

it('says that there is no ledger if no file has text', () => {
  const summary = renderSummary(
    {
      chapters: ['Photos'],
      lines: 3,
      coverage: null,
      coverage_report: null,
      files: { docx: 'a.docx' },
      model: 'm',
    } as unknown as Parameters<typeof renderSummary>[0],
    1,
  );
  expect(summary).toContain('\n  There is no ledger: none of the files has text.\n');
});
