import { buildLedger, ledgerIssues } from '#verbatim/ledger.js';
import { beginWriter, write } from './writers.js';

const written = (file: string, text: string): string => write(beginWriter(file, text), text, true).markdown;

describe('markdown sources', () => {
  it.each([
    ['keeps a single title', '# Guide\n\n## One\n\ntext\n', '# Guide\n\n## One\n\ntext\n'],
    [
      'names the chapter when there are several titles',
      '# A\n\n# B\n\n## C\n',
      '# My guide\n\n## A\n\n## B\n\n### C\n',
    ],
    ['names the chapter when text comes first', 'intro\n\n# A\n', '# My guide\n\nintro\n\n## A\n'],
    ['skips no level', '# A\n\n#### B\n\n## C\n', '# A\n\n## B\n\n## C\n'],
    [
      'turns underlined headings into plain ones',
      'Title\n=====\n\nSub\n---\ntext\n',
      '# Title\n\n## Sub\n\ntext\n',
    ],
    [
      'parts headings and fences from text',
      '# A\ntext\n```sh\n# no heading\n```\nmore\n',
      '# A\n\ntext\n\n```sh\n# no heading\n```\n\nmore\n',
    ],
    ['makes one blank line of several', '# A\n\n\n\ntext\n\n\n', '# A\n\ntext\n'],
    ['keeps blank lines in code', '# A\n\n    one\n\n\n    two\n', '# A\n\n    one\n\n\n    two\n'],
    ['keeps closing marks that are text', '# A\n\n## C #\n\n## C# \\#\n', '# A\n\n## C\n\n## C# \\#\n'],
    [
      'shows front matter as YAML, under its title',
      '---\ntitle: Plan B\ntags: [x]\n---\n\ntext\n',
      '# Plan B\n\n```yaml\n---\ntitle: Plan B\ntags: [x]\n---\n```\n\ntext\n',
    ],
    ['closes a fence that the source leaves open', '# A\n\n~~~\ncode\n', '# A\n\n~~~\ncode\n~~~\n'],
    [
      'shows what an open comment would hide',
      '# A\n\n<!-- note\n',
      '# My guide\n\n```markdown\n# A\n\n<!-- note\n```\n',
    ],
    [
      'gives short table rows empty cells',
      '# A\n\n| a | b |\n| - | - |\n| 1 |\n',
      '# A\n\n| a | b |\n| - | - |\n| 1 |  |\n',
    ],
    [
      'shifts headings in quotes and lists, too',
      '# A\n\n> # Q\n\n- #### L\n',
      '# My guide\n\n## A\n\n> ## Q\n\n- ### L\n',
    ],
    ['says so when there is nothing', '', '# My guide\n\nThe file is empty.\n'],
  ])('%s', (_, source, expected) => {
    expect(written('my-guide.md', source)).toBe(expected);
    expect(written('my-guide.md', `\uFEFF${source}`.slice(1).replaceAll('\n', '\r\n'))).toBe(expected);
  });
});

describe('plain-text notes', () => {
  const notes = (source: string): string => written('call-notes.txt', source);
  const long =
    'This is a line of prose that was wrapped by an editor at about eighty characters\nbecause it is long.';

  it.each([
    ['keeps wrapped prose', `${long}\n`, `# Call notes\n\n${long}\n`],
    ['takes a short first line as the title', `Call with Hamm\n\n${long}\n`, `# Call with Hamm\n\n${long}\n`],
    ['keeps lists', `${long}\n\nToday:\n- one\n- two\n`, `# Call notes\n\n${long}\n\nToday:\n- one\n- two\n`],
    [
      'keeps the text below an item apart from it, and joins wrapped items',
      `1. Budget\nThe budget was approved.\n2. Pumps\nTwo stopped.\n\n- ${long}\n`,
      `# Call notes\n\n1. Budget  \nThe budget was approved.\n2. Pumps  \nTwo stopped.\n\n- ${long}\n`,
    ],
    [
      'keeps lines apart that were not wrapped',
      'Name: A\nDate: B\n',
      '# Call notes\n\n```text\nName: A\nDate: B\n```\n',
    ],
    [
      'keeps the breaks between sentences, as in minutes and chats',
      `Ada: can you check it?\nBob: „Yes.“\n\nOne.\nTwo!\n- item\n\nRun it.\nmake all\n`,
      `# Call notes\n\nAda: can you check it?  \nBob: „Yes.“\n\nOne.  \nTwo!\n- item\n\n\`\`\`text\nRun it.\nmake all\n\`\`\`\n`,
    ],
    [
      'shows what markdown would read otherwise',
      '# not a heading\n\n*not* <b>markup</b>\n',
      '# Call notes\n\n```text\n# not a heading\n\n*not* <b>markup</b>\n```\n',
    ],
    [
      'makes underlined lines headings',
      `Notes\n=====\n\nPart\n----\n\n${long}\n`,
      `# Notes\n\n## Part\n\n${long}\n`,
    ],
    [
      'sees sections',
      `${long}\n\nContext\n\n${long}\n\nNext steps\n\n${long}\n`,
      `# Call notes\n\n${long}\n\n## Context\n\n${long}\n\n## Next steps\n\n${long}\n`,
    ],
    [
      'puts neighbouring blocks into one fence',
      `${long}\n\n10:32:01 up\n\n10:33:07 down\n\n${long}\n`,
      `# Call notes\n\n${long}\n\n\`\`\`log\n10:32:01 up\n\n10:33:07 down\n\`\`\`\n\n${long}\n`,
    ],
    [
      'chooses a fence that the text does not hold',
      '    ```\n    x\n',
      '# Call notes\n\n````text\n    ```\n    x\n````\n',
    ],
    [
      'keeps columns below each other, also of a single line',
      `Name      Ann Lee\n\n${long}\n\n- Rates    of today\n- Prices   of today\n\nTwo  blanks.  Or so\n`,
      `# Call notes\n\n\`\`\`text\nName      Ann Lee\n\`\`\`\n\n${long}\n\n\`\`\`text\n- Rates    of today\n- Prices   of today\n\`\`\`\n\nTwo  blanks.  Or so\n`,
    ],
    [
      'keeps an image in its place',
      `${long}\n\n![Chart](chart.png)\n`,
      `# Call notes\n\n${long}\n\n![Chart](chart.png)\n`,
    ],
  ])('%s', (_, source, expected) => {
    expect(notes(source)).toBe(expected);
  });
});

describe('CSV', () => {
  const table = (source: string, name = 'rate-table.csv') => written(name, source);
  const head = '# Data: rate-table.csv\n\n';

  it.each([
    ['a table', 'route,price\nnorth,10\n', '| route | price |\n| --- | --- |\n| north | 10 |\n'],
    [
      'quoted cells, line ends and borders within them',
      'a;b\r\n"x;y";"two\r\nlines | ""so"""\r\n',
      '| a | b |\n| --- | --- |\n| x;y | two<br>lines \\| "so" |\n',
    ],
    [
      'what markdown would read otherwise',
      'a,b\n*x*,<b>\nsnake_case,`c\n',
      '| a | b |\n| --- | --- |\n| \\*x\\* | \\<b> |\n| snake_case | \\`c |\n',
    ],
  ])('X1 becomes a table: %s', (_, source, expected) => {
    expect(table(source)).toBe(head + expected);
    const ledger = buildLedger(table(source), [{ name: 'rate-table.csv', text: source }], {
      policy: 'verbatim',
    });
    expect([ledger.coverage, ledgerIssues(ledger)]).toEqual([1, []]);
  });

  it.each([
    ['records of unequal lengths', 'a,b\n1\n'],
    ['a quote in an odd place', 'a,b\n"x"y,1\n'],
    ['a quote that nobody closes', 'a,b\n"x,1\n'],
    ['one column', 'a\n1\n'],
    ['nothing but a head', 'a,b\n'],
    ['a row of dashes', 'a,b\n---,---\n'],
    ['more columns than a page takes', `${'a,'.repeat(16)}a\n${'1,'.repeat(16)}1\n`],
    ['more records than a reader reads', `a,b\n${'1,2\n'.repeat(500)}`],
    ['more characters', `a,b\n1,${'x'.repeat(100_000)}\n`],
  ])('X1 stays as written with %s', (_, source) => {
    expect(table(source)).toBe(`${head}\`\`\`csv\n${source}\`\`\`\n`);
  });

  it('X1 waits for the rest of a file, up to its limit', () => {
    const state = beginWriter('a.csv', 'a,b\n');
    expect(write(state, 'a,b\n1,2\n', false).consumed).toBe(0);
    const long = `a,b\n${'1,2\n'.repeat(30_000)}`;
    const { markdown, consumed, state: next } = write(state, long, false);
    expect([markdown.startsWith('# Data: a.csv\n\n```'), consumed, next.kind]).toEqual([
      true,
      long.length,
      'code',
    ]);
  });
});
