import fc from 'fast-check';
import { buildLedger, ledgerPage, type LedgerSource } from '../ledger.js';
import { coverageAppendix } from './appendix.js';
import { carriedShare, coverageReport, formatPercent, worstFirst } from './coverage.js';

const notes = { name: 'notes.md', text: '# Notes\n\nZażółć gęślą jaźń.\n' };
const big = { name: 'big.log', text: `${'x'.repeat(1024 * 1024)}\n` };
const half = { name: 'half.log', text: 'one\ntwo\n' };
const MANUSCRIPT = '# Notes\n\nZażółć gęślą jaźń.\n\n# Half\n\n```log\none\n```\n';

const build = (manuscript: string, ...sources: LedgerSource[]) =>
  buildLedger(manuscript, sources, { policy: 'verbatim' });

describe('coverage in lines and bytes', () => {
  it('X1 a missing file of one line and 1 MB counts by its bytes and is listed first', () => {
    const ledger = build(MANUSCRIPT, notes, half, big);
    const report = coverageReport(ledger);
    const notesBytes = Buffer.byteLength(notes.text);
    expect(report).toEqual({
      lines: { total: 6, missing: 2 },
      bytes: { total: notesBytes + 8 + 1_048_577, missing: 4 + 1_048_577 },
      files: [
        { name: 'big.log', lines: { total: 1, missing: 1 }, bytes: { total: 1_048_577, missing: 1_048_577 } },
        { name: 'half.log', lines: { total: 2, missing: 1 }, bytes: { total: 8, missing: 4 } },
      ],
      files_short: 2,
      own_lines: { lines: 1, texts: ['# Half'] },
    });
    expect(formatPercent(carriedShare(report.bytes))).toBe('0 %');
    expect(worstFirst(ledger.files).map(({ name }) => name)).toEqual(['big.log', 'half.log', 'notes.md']);
    const [, files = ''] = Buffer.concat(ledgerPage(ledger, MANUSCRIPT, [notes, half, big]))
      .toString()
      .split('<h2><!--ledger_page.files--></h2>');
    expect(files.indexOf('<td>big.log</td>')).toBeLessThan(files.indexOf('<td>notes.md</td>'));
  });

  it('X1 counts the whole file if a long equal part was removed before comparing', () => {
    const log = Array.from({ length: 20_000 }, (_, line) => `${line} request ${line * 7} served`).join('\n');
    const report = coverageReport(
      build(`# Log\n\n\`\`\`log\n${log}\n\`\`\`\n`, { name: 'a.log', text: log }),
    );
    expect(report).toEqual({
      lines: { total: 20_000, missing: 0 },
      bytes: { total: Buffer.byteLength(log), missing: 0 },
      files: [],
      files_short: 0,
      own_lines: { lines: 1, texts: ['# Log'] },
    });
  });

  it('X1 bytes are missing exactly if lines are, for any sources', () => {
    const line = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', '# b', '```', '| c |'));
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (manuscript, texts) => {
        const sources = texts.map((content, index) => ({ name: `${index}.txt`, text: content }));
        const { lines, bytes } = coverageReport(build(manuscript, ...sources));
        expect(bytes.total).toBe(texts.reduce((sum, content) => sum + Buffer.byteLength(content), 0));
        expect(bytes.missing > 0).toBe(lines.missing > 0 && bytes.total > 0);
        expect(bytes.missing).toBeLessThanOrEqual(bytes.total);
      }),
    );
  });

  it('D23 the appendix lists what was accepted, by whom and when, for any names', () => {
    const acceptance = {
      decision_id: 'tsk_1',
      by: 'key_1',
      name: 'Ada | **boss**',
      at: '2026-11-22T10:00:00.000Z',
      coverage: 0.857,
      issue_count: 30,
      issues: ['big.log line 1 (code) missing'],
    };
    const { markdown: appendix } = coverageAppendix(build(MANUSCRIPT, notes, half, big), [acceptance]);
    expect(appendix).toContain('66.66 % of the lines and 0 % of the bytes');
    expect(appendix).toContain(
      '**Accepted below 100 %** by Ada \\| \\*\\*boss\\*\\* (key\\_1) on 2026-11-22T10:00:00.000Z, decision tsk\\_1.',
    );
    expect(appendix).toContain('- big.log line 1 (code) missing\n- and 29 more');
    const rows = appendix.split('\n').filter((row) => row.startsWith('| '));
    expect(rows.slice(2).map((row) => row.split(' | ')[0])).toEqual([
      '| big.log',
      '| half.log',
      '| notes.md',
    ]);
  });
});
