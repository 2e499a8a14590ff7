import { buildLedger, ledgerIssues } from '../ledger.js';
import { coverageReport } from '../report/coverage.js';
import { coverageAppendix } from '../report/appendix.js';

const LOG = '03:12 ERROR pump stopped\n03:13 INFO pump started by Miller on Monday, carrier never called\n';

function added(prose: string, policy: 'verbatim' | 'narrative' = 'verbatim') {
  const manuscript = `# Log of the pump\n\n${prose}\n\n\`\`\`log\n${LOG}\`\`\`\n`;
  const ledger = buildLedger(manuscript, [{ name: 'pump.log', text: LOG }], { policy });
  const entry = ledger.added.find(({ manuscript_line }) => manuscript_line === 3);
  return { ledger, kind: entry?.kind, tokens: entry?.tokens, issues: ledgerIssues(ledger) };
}

describe('prose of the manuscript’s own', () => {
  it.each([
    'The log of the pump:',
    'The log below shows the events:',
    'The 2 lines of pump.log:',
    'This chapter contains one file:',
    'Log of pump.log, from 03:12:',
    'Der folgende Abschnitt enthält das Protokoll:',
    'Poniżej znajduje się treść pliku:',
    '**The log of the pump:**',
  ])('X1 X15 may introduce a block without stating anything: %s', (prose) => {
    const { kind, issues } = added(prose);
    expect(kind).toBe('transition');
    expect(issues).toEqual([]);
  });

  it.each([
    ['The change was approved by the carrier; never on a Monday.', ['approved', 'never']],
    ['It was tested thoroughly.', ['tested', 'thoroughly']],
    ['The pump did not stop.', ['not']],
    ['The pump stopped Miller on Monday.', ['stopped', 'miller', 'monday']],
    ['The log of the pump.', []],
    ['pump.log shows the error:', ['error']],
    ['The 17 lines of pump.log:', ['17']],
    ['The twelve tables:', ['twelve']],
    ['Log of pump.log, from 03:14:', ['14']],
    ['Der Transporteur hat zugestimmt.', ['transporteur', 'zugestimmt']],
  ])('X1 X15 is added text in any other form: %s', (prose, tokens) => {
    const verbatim = added(prose);
    expect(verbatim.kind).toBe('added_text');
    expect(verbatim.tokens).toEqual(expect.arrayContaining(tokens));
    expect(verbatim.issues).toMatchObject([{ rule: 'SCR-added', line_number: 3, error_detail: prose }]);
    expect(verbatim.ledger.manuscript.added_text).toBe(1);
  });

  it('X15 is listed, but no fault, under the narrative policy', () => {
    const prose = 'The pump never stopped.';
    const { ledger, issues } = added(prose, 'narrative');
    expect(issues).toEqual([]);
    expect(coverageReport(ledger).added_text).toEqual({ lines: 1, texts: [prose] });
    expect(coverageAppendix(ledger).markdown).toContain(
      'Added text, which no source supports:\n\n- line 3: ',
    );
  });

  it('X1 says nothing about added text where there is none, and lists the other lines', () => {
    const { ledger } = added('The log:');
    expect(coverageReport(ledger)).not.toHaveProperty('added_text');
    expect(coverageReport(ledger).own_lines).toEqual({ lines: 2, texts: ['# Log of the pump', 'The log:'] });
    expect(coverageAppendix(ledger).markdown).not.toContain('Added text');
  });

  it('X1 may introduce a block in two lines', () => {
    expect(added('The following log comes\nfrom the file pump.log:').issues).toEqual([]);
    expect(added('The following log comes\nfrom the pump, which failed:').issues).toHaveLength(1);
  });
});

describe('headings of the manuscript’s own', () => {
  const folder = [
    { name: 'plant/pump.log', text: LOG },
    { name: '2023-yearly-report.txt', text: '' },
    { name: 'plant/notes.md', text: '# Night shift\n\nThe valve stays off. Ask Ann, 1.5 bar.\n' },
  ];
  const issuesOf = (heading: string) =>
    ledgerIssues(
      buildLedger(
        `# ${heading}\n\n\`\`\`log\n${LOG}\`\`\`\n\n## Night shift\n\nThe valve stays off. Ask Ann, 1.5 bar.\n`,
        folder,
        { policy: 'verbatim' },
      ),
    ).map(({ rule, line_number }) => `${rule} ${line_number}`);

  it.each([
    'pump.log',
    'Plant',
    'Log: pump.log',
    '2. The log of the pump',
    '2023 yearly report',
    'Appendix A',
    'Zusammenfassung',
    'Spis treści',
    'Started by Miller on Monday',
    '`ERROR` pump stopped',
    'The valve stays off',
    '1.5 bar',
  ])('X1 X15 may name a file, quote a line below or be a general title: %s', (heading) => {
    expect(issuesOf(heading)).toEqual([]);
  });

  it.each([
    'Log proving operator negligence',
    'Pump stopped by Miller',
    'Monday on Miller',
    'The valve stays',
    '5 bar',
    'The pump was stopped',
    'Log shows pump',
  ])('X1 X15 may not consist of other words: %s', (heading) => {
    expect(issuesOf(heading)).toEqual(heading === 'The valve stays' ? [] : ['SCR-added 1']);
  });

  it('X15 quotes a line of a long log, of which the middle is not compared', () => {
    const log = Array.from({ length: 9_000 }, (_, line) => `${line} request ${line * 7} served`).join('\n');
    const of = (heading: string) =>
      ledgerIssues(
        buildLedger(`# ${heading}\n\n\`\`\`log\n${log}\n\`\`\`\n`, [{ name: 'a.log', text: log }], {
          policy: 'verbatim',
        }),
      );
    expect(of('Request 31500')).toEqual([]);
    expect(of('The 9000 lines of a.log')).toEqual([]);
    expect(of('Request 31501')).toHaveLength(1);
  });
});

describe('chapters without content', () => {
  const issuesOf = (manuscript: string) =>
    ledgerIssues(buildLedger(manuscript, [{ name: 'pump.log', text: LOG }], { policy: 'verbatim' })).map(
      ({ line_number, message }) => [line_number, message.split('.')[0]],
    );
  const chapter = `# pump.log\n\n\`\`\`log\n${LOG}\`\`\`\n`;
  const nothing = (line: number) => [
    line,
    `Line ${line} of the manuscript is a heading or an introduction with nothing below it`,
  ];

  it('X1 are reported: a heading, a heading above headings, an introduction', () => {
    expect(issuesOf(chapter)).toEqual([]);
    expect(issuesOf(`${chapter}\n# Summary\n`)).toEqual([nothing(8)]);
    expect(issuesOf(`# Summary\n\n${chapter}`)).toEqual([nothing(1)]);
    expect(issuesOf(`${chapter}\n## Appendix\n\n### Notes\n`)).toEqual([nothing(8), nothing(10)]);
    expect(issuesOf(`${chapter}\n# Appendix\n\nThe table:\n`)).toEqual([nothing(8), nothing(10)]);
    expect(issuesOf(chapter.replace('```log', '## Failure\n\n# Logs\n\n```log'))).toEqual([
      nothing(1),
      nothing(3),
    ]);
  });
});

describe('text that is placed twice', () => {
  it.each([
    ['a.md', 'The pump starts.\n'],
    ['a.txt', 'The pump starts.\n'],
    ['a.log', 'The pump starts.\n'],
  ])('X1 is a duplicate, once as prose and once as code: %s', (name, text) => {
    const manuscript = `# ${name}\n\n${text}\n\`\`\`text\n${text}\`\`\`\n`;
    const { added: found } = buildLedger(manuscript, [{ name, text }], { policy: 'verbatim' });
    expect(found.filter(({ kind }) => kind !== 'heading' && kind !== 'markup')).toMatchObject([
      { kind: 'duplicate' },
    ]);
  });
});

describe('zones in which a manuscript speaks for itself', () => {
  const text = 'The pump stopped at 03:12. Miller started it again on Monday. The valve was not replaced.\n';
  const manuscript = `# In short\n\nAt 03:12 the pump stopped.\n\nThe valve was replaced.\n\n# a\n\n${text}`;
  const sources = [{ name: 'a.md', text }];

  it('X15 list each line with the source lines that support it', () => {
    const ledger = buildLedger(manuscript, sources, { policy: 'narrative' });
    expect(ledgerIssues(ledger)).toEqual([]);
    expect(ledger.added).toMatchObject([
      { manuscript_line: 1, kind: 'heading' },
      { manuscript_line: 3, kind: 'supported', supported_by: [{ source: 'a.md', line: 1, last_line: 1 }] },
      { manuscript_line: 5, kind: 'added_text' },
      { manuscript_line: 7, kind: 'heading' },
    ]);
    expect(ledger.manuscript).toMatchObject({ lines: 9, added: 4, added_text: 1 });
  });

  it('X15 carry nothing', () => {
    const alone = manuscript.replace(/# a[^]*$/, '');
    expect(buildLedger(alone, sources, { policy: 'narrative' }).coverage).toBe(0);
    expect(buildLedger(`# In short\n\n${text}`, sources, { policy: 'verbatim', zones: true }).coverage).toBe(
      0,
    );
  });

  it('X15 are off under the verbatim policy, unless they are asked for', () => {
    const lines = (zones?: boolean) =>
      ledgerIssues(buildLedger(manuscript, sources, { policy: 'verbatim', ...(zones && { zones }) })).map(
        ({ line_number }) => line_number,
      );
    expect(lines()).toEqual([3, 5]);
    expect(lines(true)).toEqual([5]);
  });
});
