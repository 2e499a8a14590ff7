import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { englishText } from '#contracts/phrases/phrase.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import {
  buildLedger,
  ledgerPage,
  ledgerIssues,
  ledgerSchema,
  translatedPage,
  withFacts,
  withTexts,
  type LedgerSource,
} from './ledger.js';

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

/** The page as an English reader gets it. */
const storedPage = (...given: Parameters<typeof ledgerPage>) =>
  Buffer.concat(ledgerPage(...given)).toString();
const ledgerHtml = (...given: Parameters<typeof ledgerPage>) => withTexts(storedPage(...given), englishText);

describe('ledgerHtml', () => {
  it('X1 shows both sides, escaped, and loads nothing', () => {
    const text = '<script>alert(1)</script>\n"a" & b\n';
    const manuscript = `# A\n\n\`\`\`html\n<script>alert(2)</script>\n"a" & b\n\`\`\`\n`;
    const sources = [source('a.js', text)];
    const html = ledgerHtml(build(manuscript, ...sources), manuscript, sources);
    expect(html).not.toContain('<script');
    expect(html).toContain('<del>1</del><ins>2</ins>');
    expect(html).not.toMatch(/\b(?:src|href)=/);
    expect(html).toContain('a.js');
    for (const name of ['carried', 'altered', 'omitted', 'missing'])
      expect(html).toMatch(new RegExp(`<dt[^>]*>${name}<`));
    for (const compared of [manuscript, text])
      expect(html).toContain(createHash('sha256').update(compared).digest('hex'));
  });

  it('X1 shows every line of a long source, in parts with a summary of each', () => {
    const text = Array.from({ length: 5_000 }, (_, i) => `entry <${i}>`).join('\n');
    const sources = [source('a.log', text)];
    const manuscript = `# A\n\n\`\`\`text\n${text.replace('entry <3210>', 'entry <321>')}\n\`\`\`\n`;
    const html = ledgerHtml(build(manuscript, ...sources), manuscript, sources);
    for (let i = 0; i < 5_000; i++) expect(html).toContain(`>entry &#60;${i}&#62;<`);
    expect(html.match(/<details>/g)).toHaveLength(5);
    expect(html).toContain('<summary>Lines 1–1000: 1000 carried</summary>');
    expect(html).toContain('<summary class="different">Lines 3001–4000: 999 carried, 1 altered</summary>');
  });

  it('X1 starts with the facts of the run', () => {
    const sources = [source('a.txt', 'Words.\n')];
    const page = Buffer.from(storedPage(build('# A\n\nWords.\n', ...sources), '# A\n\nWords.\n', sources));
    const facts = {
      title: 'A & B',
      runId: 'run_1',
      written: new Date(0),
      results: [{ name: 'o.docx', sha256: 'ab' }],
    };
    const html = withTexts(withFacts(page, facts).toString(), englishText);
    // The format of the time depends on the version of Node.js.
    expect(html.replace(/>January 1, 1970.*? UTC</, '>…<')).toContain(
      '<dt>Document</dt><dd>A &#38; B</dd><dt>Run</dt><dd>run_1</dd><dt>Written</dt><dd><time datetime="1970-01-01T00:00:00.000Z">…</time></dd><dt>SHA-256 of o.docx</dt><dd>ab</dd>',
    );
    expect(withFacts(Buffer.from('an older page'), facts).toString()).toBe('an older page');
  });

  it.each([
    [
      'de',
      'lang="de"',
      '<h1>Quellen und Vollständigkeit</h1>',
      'Nachgewiesen: 66,66 % der Zeilen',
      '1. Januar 1970',
    ],
    ['pl', 'lang="pl"', '<h1>Źródła i kompletność</h1>', 'Rozliczono 66,66% wierszy', '1 stycznia 1970'],
  ])('X1 is in the language of its reader: %s', async (language, ...texts) => {
    const sources = [source('a <!--ledger_page.same-->.txt', 'One.\nTwo.\nThree.\n')];
    const manuscript = '# A\n\n```text\nOne.\nTwo.\n```\n';
    const stored = Buffer.from(storedPage(build(manuscript, ...sources), manuscript, sources));
    const facts = { title: '<!--ledger_page.run-->', runId: 'run_1', written: new Date(0), results: [] };
    const page = withFacts(stored, facts, language);
    const translate = await translatorFor(language);
    const whole = withTexts(page.toString(), translate);
    for (const text of texts) expect(whole).toContain(text);
    expect(whole).not.toContain('<!--');
    expect(whole).toContain('<dd>&#60;!--ledger_page.run--&#62;</dd>');
    for (const size of [1, 7, 64]) {
      const chunks = Array.from({ length: Math.ceil(page.length / size) }, (_, i) =>
        page.subarray(i * size, (i + 1) * size),
      );
      const parts = await translatedPage(Readable.from(chunks), translate).toArray();
      expect(parts.join('')).toBe(whole);
    }
  });

  it('X1 accepts a text with an unclosed fence as fenced, regardless of fences in other chapters', () => {
    const sources = [
      { name: 'a.md', text: '# A\n\n~~~~\nx\n~~~~\n' },
      { name: 'raw.txt', text: 'Some notes.\n\n```\nnot closed\n' },
    ];
    const manuscript = '# A\n\n~~~~\nx\n~~~~\n\n# Raw\n\n````text\nSome notes.\n\n```\nnot closed\n````\n';
    expect(ledgerIssues(buildLedger(manuscript, sources, { policy: 'verbatim' }))).toEqual([]);
  });
});

describe('buildLedger of plain text', () => {
  it('X1 accepts plain text partly as prose and partly fenced', () => {
    const text = source(
      'a.txt',
      '\nTitle\n-----\n\nSome words.\n\n  x = 1\n\n  y = 2\n-----\n\nMore words.\n',
    );
    const manuscript =
      '# A\n\n## Title\n\nSome words.\n\n```text\n  x = 1\n\n  y = 2\n-----\n```\n\nMore words.\n';
    expect(issues(manuscript, text)).toEqual([]);
    expect(issues(manuscript.replace('  x = 1', ' x = 1'), text)).toEqual(['SCR-verbatim a.txt:7 @8']);
  });

  describe('X1 blank lines and rulers of plain text contain no words', () => {
    const text = source('a.txt', 'Some words.\n\n  x = 1\n\n  y = 2\n*****\n');
    const manuscript = '# A\n\nSome words.\n\n```text\n  x = 1\n\n  y = 2\n*****\n```\n';

    it.each([
      ['a blank line is added', 'x = 1\n\n', 'x = 1\n\n\n', []],
      ['a ruler is added', 'y = 2\n', 'y = 2\n*****\n', []],
      ['a blank line is missing', 'x = 1\n\n', 'x = 1\n', ['blank line in prose']],
      ['a ruler is missing', '*****\n', '', ['ruler of plain text']],
    ])('results only in a note if %s', (_, from, to, reasons) => {
      const ledger = build(manuscript.replace(from, to), text);
      expect(ledgerIssues(ledger)).toEqual([]);
      expect(ledger.coverage).toBe(1);
      expect(ledger.files[0]?.omissions.map(({ reason }) => reason)).toEqual(reasons);
      if (reasons.length === 0)
        expect(ledger.added).toContainEqual(expect.objectContaining({ kind: 'markup' }));
    });

    it('rejects a line of code that is missing or added', () => {
      expect(issues(manuscript.replace('  y = 2\n', '  y = 2\n};\n'), text)).not.toEqual([]);
      expect(issues(manuscript.replace('  y = 2\n', ''), text)).not.toEqual([]);
    });
  });

  it('X1 treats blank lines inside a fence of plain text as blank lines', () => {
    const text = source('a.txt', 'Words:\n\n```js\n\nrows()\n\n```\n\nMore words.\n');
    const manuscript =
      '# A\n\nWords:\n\n````text\n```js\n````\n\nrows()\n\n````text\n```\n````\n\nMore words.\n';
    expect(issues(manuscript, text)).toEqual([]);
  });

  describe('X1 plain text that appears partly as prose and partly in fences', () => {
    const keys = Array.from({ length: 60 }, (_, i) => `  key <${i}> { [ a, b ] };`).join('\n');

    it('needs no blank line after an indented block that a list follows', () => {
      const text = source('notes.txt', '                 TITLE\n\n1. first\n   and more\n');
      expect(
        issues('# Notes\n\n```text\n                 TITLE\n```\n\n1. first\n   and more\n', text),
      ).toEqual([]);
    });

    it('may have a line outside the fences that also occurs in a fence', () => {
      const text = source('keys', `layout {\n${keys}\n};\n\n};\n\nlayout {\n};\n`);
      const manuscript = `# Keys\n\n\`\`\`text\nlayout {\n${keys}\n};\n\`\`\`\n\n};\n\n\`\`\`text\nlayout {\n};\n\`\`\`\n`;
      expect(issues(manuscript, text)).toEqual([]);
    });

    it('may repeat lines in fences and prose, in their order', () => {
      const part = (name: string) => `--boundary\nname="${name}"\n\nvalue\n`;
      const text = source('request', `${part('a')}${part('b')}--boundary\n`);
      const manuscript = `# Request\n\n\`\`\`text\n${part('a')}--boundary\nname="b"\n\`\`\`\n\nvalue\n--boundary\n`;
      expect(issues(manuscript, text)).toEqual([]);
      expect(issues(manuscript.replace('value\n', 'valve\n'), text)).not.toEqual([]);
      expect(issues(manuscript.replace('name="b"', 'name="c"'), text)).not.toEqual([]);
    });

    it('is not confused with a similar heading of its chapter', () => {
      const text = source('rules', 'Rules of this build are...\nall::\n\nThe end of it is prose.\n');
      const manuscript =
        '# Rules of this build\n\n```text\nRules of this build are...\nall::\n```\n\nThe end of it is prose.\n';
      expect(issues(manuscript, text)).toEqual([]);
    });

    it('may have list items on the level of the source', () => {
      const text = source('find.txt', '1. one\n   more of it\n\n   * inner\n');
      expect(issues('# Find\n\n```text\n1. one\n   more of it\n```\n\n   * inner\n', text)).toEqual([]);
    });
  });

  it('X1 accepts fenced Markdown whose lines appear outside fences for another file', () => {
    const list = source('list.md', '- a\n- a\n- a\n');
    const deep = source('deep.md', '- a\n  - a\n');
    const both = '# List\n\n- a\n- a\n- a\n\n# Deep\n\n```markdown\n- a\n  - a\n```\n';
    expect(issues(both, list, deep)).toEqual([]);
    expect(build(both, list, deep).coverage).toBe(1);
    // Shown by its own chapter and quoted by another file.
    const quoting = source('quoting.md', '```\n- a\n  - a\n```\n');
    const quoted = '# Deep\n\n- a\n  - a\n\n# Quoting\n\n```\n- a\n  - a\n```\n';
    expect(build(quoted, deep, quoting).files.map(({ form }) => form)).toEqual(['structured', 'structured']);
    expect(issues(quoted, deep, quoting)).toEqual([]);
    expect(issues('# List\n\n- a\n- a\n- a\n', list, deep)).not.toEqual([]);
  });
});
