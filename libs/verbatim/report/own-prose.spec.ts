import { buildLedger, ledgerIssues } from '../ledger.js';
import { coverageReport } from './coverage.js';
import { coverageAppendix } from './appendix.js';

const LOG = '03:12 ERROR pump stopped\n03:13 INFO pump started by Miller on Monday, carrier never called\n';

function added(prose: string, policy: 'verbatim' | 'narrative' = 'verbatim') {
  const manuscript = `# Log of the pump\n\n${prose}\n\n\`\`\`log\n${LOG}\`\`\`\n`;
  const ledger = buildLedger(manuscript, [{ name: 'pump.log', text: LOG }], { policy });
  const entry = ledger.added.find(({ manuscript_line }) => manuscript_line === 3);
  return { ledger, kind: entry?.kind, tokens: entry?.tokens, issues: ledgerIssues(ledger) };
}

describe('prose of the manuscript’s own', () => {
  it.each([
    'The log of the pump follows.',
    'The log below shows the events of the night:',
    'The following lines were written by the pump.',
    'This chapter contains the next two files.',
    'Log of pump.log',
    'Der folgende Abschnitt enthält das Protokoll:',
    'Poniżej znajduje się treść pliku:',
  ])('X1 may introduce a block without stating anything: %s', (prose) => {
    const { kind, issues } = added(prose);
    expect(kind).toBe('transition');
    expect(issues).toEqual([]);
  });

  it.each([
    ['The change was approved by the carrier; never on a Monday.', ['never']],
    ['It was approved and tested thoroughly.', ['approved', 'tested', 'thoroughly']],
    ['The pump did not stop.', ['not']],
  ])('X1 states something that no source supports: %s', (prose, tokens) => {
    const verbatim = added(prose);
    expect(verbatim).toMatchObject({ kind: 'added_text', tokens });
    expect(verbatim.issues).toMatchObject([{ rule: 'SCR-added', line_number: 3, error_detail: prose }]);
    expect(verbatim.ledger.manuscript.added_text).toBe(1);
    const narrative = added(prose, 'narrative');
    expect(narrative.kind).toBe('added_text');
    expect(narrative.issues).toEqual([]);
    expect(coverageReport(narrative.ledger).added_text).toEqual({ lines: 1, texts: [prose] });
    expect(coverageAppendix(narrative.ledger).markdown).toContain(
      'Added text, which no source supports:\n\n- line 3: ',
    );
  });

  it.each([
    ['Twelve errors stopped the pump.', ['Twelve']],
    ['Der Transporteur hat zugestimmt.', ['transporteur', 'zugestimmt']],
  ])('X1 finds numbers in words, and statements in other languages: %s', (prose, tokens) => {
    expect(added(prose)).toMatchObject({ kind: 'added_text', tokens });
  });

  it('X1 says nothing about added text where there is none', () => {
    const { ledger } = added('The log follows.');
    expect(coverageReport(ledger)).not.toHaveProperty('added_text');
    expect(coverageAppendix(ledger).markdown).not.toContain('Added text');
  });
});
