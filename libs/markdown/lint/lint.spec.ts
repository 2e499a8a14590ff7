import { phrase } from '#contracts/phrases/phrase.js';
import { fixMarkdown, lintMarkdown } from './lint.js';
import { syntheticIssue, validationIssueSchema } from '#contracts/manuscript.js';

const rules = async (markdown: string, knownReferences: string[] = []) =>
  (await lintMarkdown(markdown, { knownReferences })).map((issue) => `${issue.line_number} ${issue.rule}`);

describe('lintMarkdown', () => {
  it('D26 accepts the form of documents: a # per chapter, tabs and long lines in code, bare URLs', async () => {
    const long = 'x'.repeat(5000);
    const text = `# One\n\nSee https://example.org and <b>this</b>.\n\n\`\`\`\n\tcode\n${long}\n\`\`\`\n\n# Two\n\n* a\n- b\n\n## Same\n\n## Same\n`;
    expect(await rules(text)).toEqual([]);
  });

  it('D26 finds an unclosed fence at the line that opens it', async () => {
    expect(await rules('# A\n\n```ts\ncode\n\n# not a heading\n')).toEqual(['3 SCR-fence']);
    expect(await rules('# A\n\n````\n```\ncode\n```\n````\n\n~~~\n```\n~~~\n')).toEqual([]);
    expect(await rules('# A\n\n- item\n\n  ```\n  code\n\ntext\n')).toEqual(['5 SCR-fence', '6 MD031']);
  });

  it('D26 finds a skipped heading level, also after setext headings, but not in code', async () => {
    expect(await rules('# A\n\n### C\n')).toEqual(['3 SCR-heading-level']);
    expect(await rules('A\n=\n\n### C\n')).toEqual(['4 SCR-heading-level']);
    expect(await rules('# A\n\n```\n### C\n```\n')).toEqual([]);
  });

  it('D14 requires a chapter heading at the start', async () => {
    expect(await rules('text\n')).toEqual(['1 SCR-heading-level']);
    expect(await rules('\n# A\n')).toEqual([]);
  });

  it('D26 finds ragged tables: rows and headers', async () => {
    expect(await rules('# A\n\n| a | b |\n| --- | --- |\n| 1 |\n')).toEqual(['5 MD056']);
    expect(await rules('# A\n\n| a | b |\n| --- |\n| 1 | 2 |\n')).toEqual(['3 SCR-table']);
    expect(await rules('# A\n\n| a | b |\n| --- | --- |\n| 1 \\| 2 | 3 |\n')).toEqual([]);
  });

  it('D26 reports the line of a ragged row in a long table, and an issue of its head only once', async () => {
    const table = (head: string, last: string) =>
      `# A\n\n${head}\n${'| 1 | 2 |\n'.repeat(1_000)}${last}\n\n| c |\n| - |\n| 1 |\n`;
    const head = '| a | b |\n| --- | --- |';
    expect(await rules(table(head, '| 1 | 2 |'))).toEqual([]);
    expect(await rules(table(head, '| 1 |'))).toEqual(['1005 MD056']);
    expect(await rules(table(`text\n${head}`, '| 1 | 2 |'))).toEqual(['4 MD058']);
  });

  it('D26 finds an image without an asset and suggests a similar name', async () => {
    const issues = await lintMarkdown('# A\n\n![x](Pic.png) ![y](ok.png)\n', {
      knownReferences: ['pic.png', 'ok.png'],
    });
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ line_number: 3, rule: 'SCR-image' });
    expect(issues[0]?.message).toContain('Did you mean pic.png?');
    expect(await rules('# A\n\n`![x](nope.png)`\n\n```\n![x](nope.png)\n```\n')).toEqual([]);
  });

  it('D27 returns issues as in the schema, with the line of the manuscript also after long code', async () => {
    const code = Array.from({ length: 5000 }, (_, i) => `line ${i}`).join('\n');
    const issues = await lintMarkdown(`# A\n\n\`\`\`\n${code}\n\`\`\`\ntext\n\n# B\n\n### C\n`, {
      knownReferences: [],
    });
    for (const issue of issues) validationIssueSchema.parse(issue);
    expect(issues.map((issue) => `${issue.line_number} ${issue.rule}`)).toEqual([
      '5004 MD031',
      '5009 SCR-heading-level',
    ]);
  });

  it('D28 returns one synthetic issue for an empty manuscript and never throws', async () => {
    expect(await lintMarkdown(' \n\n', { knownReferences: [] })).toEqual([
      syntheticIssue(phrase('validation.empty')),
    ]);
    expect(await lintMarkdown(undefined as never, { knownReferences: [] })).toMatchObject([
      { rule: 'SCR-validation' },
    ]);
  });

  it('D26 cannot be switched off by a comment in the text', async () => {
    expect(await rules('# A\n\n<!-- markdownlint-disable -->\n\n### C\n')).toEqual(['5 SCR-heading-level']);
  });

  it('D26 lints 10 MB of logs', async () => {
    const log = Array.from(
      { length: 120_000 },
      (_, i) => `2026-01-01T00:00:00Z INFO request ${i} ${'x'.repeat(50)}`,
    ).join('\n');
    expect(await rules(`# Log\n\n\`\`\`log\n${log}\n\`\`\`\n`)).toEqual([]);
  });
});

describe('fixMarkdown', () => {
  it('adds blank lines around headings, fences and tables', async () => {
    const { markdown, fixed } = await fixMarkdown('# A\ntext\n```\ncode\n```\ntext\n ## B\ntext\n');
    expect(markdown).toBe('# A\n\ntext\n\n```\ncode\n```\n\ntext\n\n## B\n\ntext\n');
    expect(fixed).toBeGreaterThan(0);
    expect((await fixMarkdown(markdown)).fixed).toBe(0);
  });

  it('returns what the built-in rules find in a text that needs no fix', async () => {
    const ragged = '# A\n\n| a | b |\n| --- | --- |\n| 1 |\n\n# B\n\n| a | b |\n| --- | --- |\n| 2 |\n';
    const { found } = await fixMarkdown(ragged);
    expect(found).toHaveLength(2);
    const context = { knownReferences: [] };
    expect(await lintMarkdown(ragged, { ...context, found })).toEqual(await lintMarkdown(ragged, context));
    expect((await fixMarkdown(ragged.replace('\n', '\r\n'))).found).toBeNull();
    expect((await fixMarkdown('# A\ntext\n')).found).toBeNull();
  });

  it('never changes a line inside a fence', async () => {
    const code = '```\n# x\ntext\n | a\n ## y\n\ttab  \n~~~\n```';
    expect((await fixMarkdown(`# A\n\n${code}\n`)).markdown).toBe(`# A\n\n${code}\n`);
    expect((await fixMarkdown(`# A\n${code}\n`)).markdown).toBe(`# A\n\n${code}\n`);
  });
});
