import { scanText } from './fences.js';

describe('scanText', () => {
  it('lists headings in the words that a reader sees, without the marks of markdown', () => {
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
