import { buildLedger, ledgerIssues, ledgerSchema, type LedgerSource } from './ledger.js';

const source = (name: string, text: string): LedgerSource => ({ name, text });
const build = (manuscript: string, ...sources: LedgerSource[]) => {
  const ledger = buildLedger(manuscript, sources, { policy: 'verbatim' });
  ledgerSchema.parse(ledger);
  return ledger;
};
const issues = (manuscript: string, ...sources: LedgerSource[]) =>
  ledgerIssues(build(manuscript, ...sources)).map(
    (issue) => `${issue.rule} ${issue.source_file ?? '-'}:${issue.source_line ?? '-'} @${issue.line_number}`,
  );

const LOG = '10:00 start\n10:01 ok\n10:01 ok\n\n10:02 stop\n';
const CODE = 'function f() {\n\treturn "a";\n}\n\nfunction g() {\n\treturn "b";\n}\n';
const NOTES =
  '# Notes\n\nThe server was started\nat noon.\n\n## Steps\n\n1. First\n2. Second\n   - nested\n\n```sh\nnpm start\n\nnpm test\n```\n\n> quoted\n> text\n';

describe('buildLedger', () => {
  it('X1 has full coverage if every line is carried', () => {
    const manuscript = `# Log\n\n\`\`\`log\n${LOG}\`\`\`\n\n# Code\n\n\`\`\`ts\n${CODE}\`\`\`\n\n${NOTES}`;
    const ledger = build(manuscript, source('a.log', LOG), source('b.ts', CODE), source('notes.md', NOTES));
    expect(ledgerIssues(ledger)).toEqual([]);
    expect(ledger.coverage).toBe(1);
    expect(ledger.files.map((file) => `${file.name} ${file.form} ${file.carried}/${file.lines}`)).toEqual([
      'a.log fenced 5/5',
      'b.ts fenced 7/7',
      'notes.md structured 19/19',
    ]);
    expect(ledger.added.map((entry) => `${entry.manuscript_line} ${entry.kind}`)).toEqual([
      '1 heading',
      '3 markup',
      '9 markup',
      '11 heading',
      '13 markup',
      '21 markup',
    ]);
  });

  it('X1 reports a changed byte in code with file, line and text', () => {
    const ledger = build(`# Code\n\n\`\`\`ts\n${CODE.replace('"b"', '"c"')}\`\`\`\n`, source('b.ts', CODE));
    expect(ledger.coverage).toBeLessThan(1);
    expect(ledger.altered).toEqual([
      {
        source: 'b.ts',
        line: 6,
        manuscript_line: 9,
        kind: 'code',
        reason: 'the line differs',
        diff: [
          { op: 'equal', text: '\treturn "' },
          { op: 'delete', text: 'b' },
          { op: 'insert', text: 'c' },
          { op: 'equal', text: '";' },
        ],
      },
    ]);
    expect(ledgerIssues(ledger)[0]).toMatchObject({
      line_number: 9,
      rule: 'SCR-verbatim',
      source_file: 'b.ts',
      source_line: 6,
    });
  });

  it('X1 reports a gap once, with its first line, whatever kinds of lines it has', () => {
    const [first, ...others] = ledgerIssues(build('', source('n.md', NOTES), source('a.log', LOG)));
    expect(first).toMatchObject({
      rule: 'SCR-missing',
      source_line: 1,
      error_detail: '# Notes',
      message: expect.stringMatching(/^n\.md lines 1 to 19 \(heading, prose, markup, code\) missing/),
    });
    expect(others.map(({ source_file, error_detail }) => [source_file, error_detail])).toEqual([
      ['a.log', '10:00 start'],
    ]);
  });

  it('X1 reports a moved block once, with its place', () => {
    const lines = Array.from({ length: 60 }, (_, at) => (at % 9 === 8 ? '' : `10:${at} event ${at}`));
    const text = `${lines.join('\n')}\n`;
    const moved = [...lines.slice(0, 10), ...lines.slice(32), ...lines.slice(10, 32)];
    const found = ledgerIssues(
      build(`# Log\n\n\`\`\`log\n${moved.join('\n')}\n\`\`\`\n`, source('a.log', text)),
    );
    expect(found).toEqual([
      expect.objectContaining({
        rule: 'SCR-missing',
        line_number: 42,
        last_line_number: 63,
        source_line: 11,
        last_source_line: 32,
        after_line: 13,
        message:
          'a.log lines 11 to 32 (code) out of order: the text is at lines 42 to 63 of the manuscript. Move it behind line 13.',
      }),
    ]);
  });

  it('X1 reports a repeated block, a typed paragraph and changed consecutive lines once each', () => {
    const log = source('a.log', LOG);
    const fenced = (body: string) => `# Log\n\n\`\`\`log\n${body}\`\`\`\n`;
    const one = (manuscript: string) =>
      ledgerIssues(build(manuscript, log)).map((issue) => [issue.line_number, issue.last_line_number]);
    expect(one(fenced(`${LOG}10:00 start\n10:01 ok\n10:01 ok\n`))).toEqual([[9, 11]]);
    expect(one(`${fenced(LOG)}\nWonderful pumps\nnever stopped\n`)).toEqual([[11, 12]]);
    expect(one(fenced(LOG.replaceAll('ok', 'KO')))).toEqual([[5, 6]]);
  });

  it('X1 says where missing lines belong', () => {
    const missing = (manuscript: string, ...sources: LedgerSource[]) =>
      ledgerIssues(build(manuscript, ...sources)).map((issue) => issue.after_line);
    const fenced = (body: string) => `# Log\n\n\`\`\`log\n${body}\`\`\`\n`;
    expect(missing(fenced(LOG.replace('10:00 start\n', '')), source('a.log', LOG))).toEqual([3]);
    expect(missing(fenced(LOG.replace('10:02 stop\n', '')), source('a.log', LOG))).toEqual([7]);
    expect(missing('', source('a.log', LOG))).toEqual([undefined]);
  });

  it('X1 reports a blank line inside a fence as what it is', () => {
    const [found] = ledgerIssues(
      build(
        '# Log\n\n```log\n10:00 start\n\n10:02 stop\n```\n',
        source('a.log', '10:00 start\n10:02 stop\n'),
      ),
    );
    expect(found).toMatchObject({ line_number: 5, rule: 'SCR-added' });
    const [repeated] = ledgerIssues(build('# Log\n\n```log\na\n\n\nb\n```\n', source('a.log', 'a\n\nb\n')));
    expect(repeated?.message).toMatch(/^The source has no blank line where the manuscript has one/);
  });

  it('X1 finds blank lines and braces of a file that is placed in several fences beside another file', () => {
    const part = (name: string, text: string) => `## ${name}\n\n\`\`\`ts\n${text}\`\`\`\n\n`;
    const [b, a] = [source('b.ts', '\nb 1\nb 2\n\n'), source('a.ts', '}\na 1\na 2\n\n')];
    expect(
      issues(`# Code\n\n${part('b.ts', '\nb 1\nb 2\n')}\`\`\`ts\n\n\`\`\`\n\n${part('a.ts', a.text)}`, b, a),
    ).toEqual([]);
    expect(
      issues(`# Code\n\n${part('b.ts', b.text)}\`\`\`ts\n}\n\`\`\`\n\n${part('a.ts', 'a 1\na 2\n\n')}`, b, a),
    ).toEqual([]);
  });

  it('X1 reports changed white space in code', () => {
    expect(
      issues(
        `# Code\n\n\`\`\`ts\n${CODE.replace('\treturn "b"', '  return "b"')}\`\`\`\n`,
        source('b.ts', CODE),
      ),
    ).toEqual(['SCR-verbatim b.ts:6 @9']);
  });

  it('X1 reports dropped, doubled and swapped lines, also blank and repeated ones', () => {
    const fenced = (body: string) => `# Log\n\n\`\`\`log\n${body}\`\`\`\n`;
    const log = source('a.log', LOG);
    expect(issues(fenced(LOG.replace('10:01 ok\n', '')), log)).toEqual([
      expect.stringMatching(/^SCR-missing a\.log:[23] @0$/),
    ]);
    expect(issues(fenced(LOG.replace('\n\n', '\n')), log)).toEqual(['SCR-missing a.log:4 @0']);
    expect(issues(fenced(LOG.replace('10:02 stop\n', '10:02 stop\n10:02 stop\n')), log)).toEqual([
      'SCR-added -:- @9',
    ]);
    expect(issues(fenced(LOG.replace('\n\n', '\n\n\n')), log)).toHaveLength(1);
    expect(issues(fenced('10:01 ok\n10:00 start\n10:01 ok\n\n10:02 stop\n'), log).length).toBeGreaterThan(0);
  });

  it('X1 accepts rewrapped prose, but no change of a word or paragraph', () => {
    const notes = source('notes.md', NOTES);
    expect(issues(NOTES.replace('started\nat noon', 'started at\nnoon'), notes)).toEqual([]);
    expect(issues(NOTES.replace('started\nat noon', 'started at noon'), notes)).toEqual([]);
    expect(issues(NOTES.replace('at noon', 'at midnight'), notes)).toEqual(['SCR-verbatim notes.md:4 @4']);
    expect(issues(NOTES.replace('server was', 'server was not'), notes)).toEqual([
      'SCR-verbatim notes.md:3 @3',
    ]);
    expect(issues(NOTES.replace('started\nat', 'started\n\nat'), notes)).toEqual([
      'SCR-verbatim notes.md:4 @5',
    ]);
    expect(issues(NOTES.replace('2. Second', '3. Second'), notes)).toEqual(['SCR-verbatim notes.md:9 @9']);
    expect(issues(NOTES.replace('   - nested', '- nested'), notes)).toEqual(['SCR-verbatim notes.md:10 @10']);
    expect(issues(NOTES.replace('> text', 'text'), notes)).toEqual([]);
  });

  it('X1 accepts shifted heading levels, but no change of their nesting', () => {
    const text = '# A\n\n## B\n\n### C\n\n## D\n';
    const shifted = build('# A\n\n### B\n\n#### C\n\n### D\n', source('a.md', text));
    expect(ledgerIssues(shifted)).toEqual([]);
    expect(shifted.headings.map(({ line, from, to }) => [line, from, to])).toEqual([
      [3, 2, 3],
      [5, 3, 4],
      [7, 2, 3],
    ]);
    expect(issues('# A\n\n## B\n\n## C\n\n## D\n', source('a.md', text))).toEqual([
      'SCR-heading-place a.md:5 @5',
    ]);
    expect(issues('# Other\n\n## A\n\n### B\n\n#### C\n\n### D\n', source('a.md', text))).toEqual([]);
    expect(issues('# A\n\n## B\n', source('a.md', 'A\n===\n\nB\n---\n'))).toEqual([]);
    expect(issues('A\n\n## B\n', source('a.md', 'A\n===\n\nB\n---\n'))).toEqual(['SCR-verbatim a.md:1 @1']);
  });

  it('X1 accepts a text source as prose or completely fenced', () => {
    const text = source('a.txt', 'One line\n  two   lines\n\nthree\n');
    expect(issues('# A\n\nOne line\ntwo lines\n\nthree\n', text)).toEqual([]);
    expect(issues('# A\n\n```text\nOne line\n  two   lines\n\nthree\n```\n', text)).toEqual([]);
    expect(issues('# A\n\n```text\nOne line\n  two lines\n\nthree\n```\n', text)).toEqual([
      'SCR-verbatim a.txt:2 @5',
    ]);
  });

  it('X1 accepts CSV as code or as a table with the same cells', () => {
    const csv = source('a.csv', 'name,note\nAnn,"a, b"\nBo,"x|y"\nCy,"two\nlines"\n');
    expect(issues('# A\n\n```csv\nname,note\nAnn,"a, b"\nBo,"x|y"\nCy,"two\nlines"\n```\n', csv)).toEqual([]);
    const table =
      '# A\n\n| name | note |\n| --- | --- |\n| Ann | a, b |\n| Bo | x\\|y |\n| Cy | two<br>lines |\n';
    expect(issues(table, csv)).toEqual([]);
    expect(issues(table.replace('a, b', 'a; b'), csv)).toEqual(['SCR-verbatim a.csv:2 @5']);
    expect(issues(table.replace('| Bo | x\\|y |\n', ''), csv)).toEqual(['SCR-missing a.csv:3 @0']);
  });

  it('X1 accepts only empty cells as additions to a ragged table', () => {
    const text = source('a.md', '# A\n\n| a | b |\n| - | - |\n| 1 |\n');
    expect(issues('# A\n\n| a | b |\n| --- | --- |\n| 1 |  |\n', text)).toEqual([]);
    expect(issues('# A\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n', text)).toEqual(['SCR-verbatim a.md:5 @5']);
  });

  it('X1 accepts nested fences unchanged or inside a longer fence', () => {
    const text = '# F\n\n````md\n```js\na\n```\n````\n\n~~~\n```\n~~~\n';
    expect(issues(text, source('f.md', text))).toEqual([]);
    expect(issues(`# F\n\n\`\`\`\`\`md\n${text}\`\`\`\`\`\n`, source('f.md', text))).toEqual([]);
    expect(
      issues(text.replace('````md', '~~~~~md').replace('\n````\n', '\n~~~~~\n'), source('f.md', text)),
    ).toEqual([]);
  });

  it('X1 records CRLF and a byte order mark as notes, not as differences', () => {
    const ledger = build('# L\n\n```log\na\nb\n```\n', source('a.log', '\uFEFFa\r\nb\r\n'));
    expect(ledger.coverage).toBe(1);
    expect(ledger.files[0]?.notes).toEqual(['byte order mark left out', 'CRLF line ends are written as LF']);
  });

  it('X1 distinguishes files that are equal or share lines', () => {
    const a = source('a.ts', CODE);
    const b = source('b.ts', CODE);
    const c = source('c.ts', CODE.replace('"b"', '"z"'));
    const chapter = (name: string, text: string) => `# ${name}\n\n\`\`\`ts\n${text}\`\`\`\n\n`;
    const whole = chapter('C', c.text) + chapter('A', CODE) + chapter('B', CODE);
    expect(issues(whole, a, b, c)).toEqual([]);
    expect(issues(chapter('A', CODE) + chapter('C', c.text), a, b, c)).toEqual(['SCR-missing b.ts:1 @0']);
  });

  it('X1 finds the chapter of each of many files that differ in one line', () => {
    const licence = (owner: string) =>
      `MIT License\n\nCopyright ${owner}\n\nPermission is granted\nto everybody.\n`;
    const owners = ['A', 'B', 'B', 'C', 'D', 'A'];
    const sources = owners.map((owner, i) => source(`${i}.txt`, licence(owner)));
    const chapters = sources.map(({ text }, i) =>
      i % 2 ? `# File ${i}.txt\n\n${text}` : `# MIT License\n\n\`\`\`text\n${text}\`\`\`\n`,
    );
    expect(issues([5, 3, 1, 0, 4, 2].map((i) => chapters[i]).join('\n'), ...sources)).toEqual([]);
  });

  it('X1 reports no issues for many complete chapters', () => {
    const sources = Array.from({ length: 2500 }, (_, i) => source(`${i}.json`, `{\n  "a": ${i % 50}\n}\n`));
    const manuscript = sources.map(({ name, text }) => `# ${name}\n\n\`\`\`json\n${text}\`\`\`\n`).join('\n');
    expect(issues(manuscript, ...sources)).toEqual([]);
  });

  it('X1 lists approved omissions with their reasons', () => {
    const text = '---\ntitle: x\n---\n\n# A\n\n\nb\n\nc\n';
    const ledger = buildLedger('# A\n\nb\n', [source('a.md', text)], {
      policy: 'verbatim',
      omissions: [{ source: 'a.md', first_line: 10, last_line: 10, reason: 'agreed' }],
    });
    expect(ledger.coverage).toBe(1);
    expect(ledger.files[0]?.omissions).toEqual([
      { first_line: 1, last_line: 3, reason: 'front matter', by: 'rule' },
      { first_line: 4, last_line: 4, reason: 'blank line in prose', by: 'rule' },
      { first_line: 7, last_line: 7, reason: 'blank line in prose', by: 'rule' },
      { first_line: 9, last_line: 9, reason: 'blank line in prose', by: 'rule' },
      { first_line: 10, last_line: 10, reason: 'agreed', by: 'person' },
    ]);
  });

  it('X1 accepts the omission of a licence block that another file carries', () => {
    const head = '// Copyright 2026\n// Licence: MIT\n// All rights reserved\n';
    const a = source('a.ts', `${head}const a = 1;\n`);
    const b = source('b.ts', `${head}const b = 2;\n`);
    const ledger = build(`# A\n\n\`\`\`ts\n${a.text}\`\`\`\n\n# B\n\n\`\`\`ts\nconst b = 2;\n\`\`\`\n`, a, b);
    expect(ledger.coverage).toBe(1);
    expect(ledger.files[1]?.omissions).toMatchObject([{ first_line: 1, last_line: 3, by: 'rule' }]);
    expect(issues(`# B\n\n\`\`\`ts\nconst b = 2;\n\`\`\`\n`, b)).toEqual(['SCR-missing b.ts:1 @0']);
  });

  it('X1 accepts level six for headings that would be deeper', () => {
    const levels = (from: number, ...titles: string[]) =>
      titles.map((title, i) => `${'#'.repeat(Math.min(from + i, 6))} ${title}\n`).join('\n');
    const text = source('a.md', levels(1, 'a', 'b', 'c', 'd', 'e', 'f'));
    const shifted = `# Chapter\n\n${levels(2, 'a', 'b', 'c', 'd', 'e', 'f')}`;
    expect(issues(shifted, text)).toEqual([]);
    expect(issues(shifted.replace('##### d', '## d'), text)).not.toEqual([]);
    expect(issues(shifted.replace('###### f', '### f'), text)).not.toEqual([]);
  });

  it('X1 accepts a chapter heading with the file name in another case or in a code span', () => {
    const file = source('sat_IN', 'Words of it.\n');
    expect(issues('# Sat IN\n\nWords of it.\n', file)).toEqual([]);
    expect(issues('# File: `a@b.header`\n\n```text\nx\n```\n', source('a@b.header', 'x\n'))).toEqual([]);
  });

  it('X1 accepts names of files that the manuscript shows, and no others', () => {
    const manuscript =
      'Fourteen depots.\n\n# Attachments\n\n![map-2024.png](map-2024.png)\n\n![odd \\[1\\].jpg](<odd [1].jpg>)\n';
    const added = (otherFiles: string[]) =>
      buildLedger(manuscript, [{ name: 'a.md', text: 'Fourteen depots.\n' }], {
        policy: 'verbatim',
        otherFiles,
      }).added.map(({ kind }) => kind);
    expect(added(['map-2024.png', 'odd [1].jpg'])).toEqual(['heading', 'caption', 'caption']);
    expect(added(['odd [1].jpg'])).toEqual(['heading', 'added_text', 'caption']);
  });

  it('X1 lists additions of the manuscript: headings and introductions are allowed, inventions are not', () => {
    const manuscript = `# Log\n\nThe log follows:\n\n\`\`\`log\n${LOG}\`\`\`\n\nIt has 17 errors.\n\n\`\`\`ts\nconst invented = true;\n\`\`\`\n`;
    const ledger = build(manuscript, source('a.log', LOG));
    expect(
      ledger.added
        .filter(({ kind }) => kind !== 'markup')
        .map(({ manuscript_line, kind, tokens }) => [manuscript_line, kind, tokens]),
    ).toEqual([
      [1, 'heading', undefined],
      [3, 'transition', undefined],
      [13, 'added_text', ['has', 'errors', '17']],
      [16, 'invention', undefined],
    ]);
    expect(ledgerIssues(ledger).map(({ line_number, rule }) => [line_number, rule])).toEqual([
      [13, 'SCR-added'],
      [16, 'SCR-added'],
    ]);
  });

  it('X1 reports code outside a fence', () => {
    const ledger = build(`# C\n\nconst a = 1;\n`, source('a.ts', 'const a = 1;\n'));
    expect(ledger.altered).toMatchObject([
      { source: 'a.ts', line: 1, reason: 'code is outside a code fence' },
    ]);
  });

  it('X1 handles an empty manuscript and empty sources', () => {
    expect(build('', source('a.log', '')).coverage).toBe(1);
    const ledger = build('', source('a.log', LOG), source('e.md', '\n\n'));
    expect(ledger.coverage).toBeLessThan(1);
    expect(ledger.files.map((file) => file.coverage)).toEqual([0, 1]);
    expect(build('text').coverage).toBe(1);
  });

  it('X1 accepts rewrapped text without blanks between words (CJK)', () => {
    const text = source('a.md', '# 標題\n\n這是第一行文字這是第二行文字。\n');
    expect(issues('# 標題\n\n這是第一行文字\n這是第二行文字。\n', text)).toEqual([]);
    expect(issues('# 標題\n\n這是第一行文字\n這是第三行文字。\n', text)).toEqual(['SCR-verbatim a.md:3 @3']);
  });

  it('X1 traces 10 MB of logs', () => {
    const log = Array.from(
      { length: 110_000 },
      (_, i) =>
        `2026-01-01T00:00:${i % 60} INFO worker-${i % 7} handled request ${i % 5000} in ${i % 90} ms, status 200`,
    ).join('\n');
    const ledger = build(`# Log\n\n\`\`\`log\n${log}\n\`\`\`\n`, source('big.log', log));
    expect(ledger.coverage).toBe(1);
  });
});
