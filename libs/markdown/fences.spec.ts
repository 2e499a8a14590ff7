import { scanText, withoutOuterFence } from './fences.js';

describe('scanText', () => {
  it('lists headings as plain text, without Markdown syntax', () => {
    const headings = [
      'Source code: `import_rates.py`',
      'The **new** rule for *rounding*',
      'See [the plan](plan.md)',
      String.raw`2 \* 3 \<b>`,
      'snake_case stays',
      'Broken **mark',
    ];
    const { outline } = scanText(headings.map((heading) => `# ${heading} #\n`).join('\n'));
    expect(outline.map(({ title }) => title)).toEqual([
      'Source code: import_rates.py',
      'The new rule for rounding',
      'See the plan',
      '2 * 3 <b>',
      'snake_case stays',
      'Broken **mark',
    ]);
  });
});

describe('withoutOuterFence', () => {
  it.each([
    [
      'a fence with the language markdown that contains fences',
      '```markdown\n# A\n\n```js\nx\n```\n```\n',
      '# A\n\n```js\nx\n```',
    ],
    ['a fence without a language', '\n~~~\n# A\ntext\n~~~', '# A\ntext'],
    ['a longer fence', '````md\n```\nx\n```\n````', '```\nx\n```'],
  ])('removes %s', (_, answer, text) => {
    expect(withoutOuterFence(answer)).toBe(text);
  });

  it.each([
    ['begins and ends with code', '```\nfirst\n```\nText.\n```\nlast\n```'],
    ['is code of another language', '```js\nx\n```'],
    ['opens a fence that is never closed', '```\ntext'],
    ['is a fence of one line', '```'],
    ['is empty', ''],
  ])('does not change a text that %s', (_, text) => {
    expect(withoutOuterFence(text)).toBe(text);
  });
});
