import { buildLedger } from '../ledger.js';

describe('additions of a manuscript', () => {
  it('X1 may name a file in a folder with escaped characters', () => {
    const manuscript = 'Depots.\n\n![docs/\\_static/map-2024.svg](docs/_static/map-2024.svg)\n';
    const { added } = buildLedger(manuscript, [{ name: 'a.md', text: 'Depots.\n' }], {
      policy: 'verbatim',
      otherFiles: ['docs/_static/map-2024.svg'],
    });
    expect(added.map(({ kind }) => kind)).toEqual(['caption']);
  });

  it.each([
    ['2024-03-12', 0],
    ['03:02', 0],
    ['03:02:41', 0],
    ['03:03', 1],
    ['2024-03-13', 1],
    ['3:02', 1],
  ])('X1 may be a heading with a date or a time of the log, given less exactly: %s', (said, inventions) => {
    const log = '2024-03-12T03:02:41.112Z INFO ready\n';
    const manuscript = `# Log from ${said}\n\n\`\`\`log\n${log}\`\`\`\n`;
    const { added } = buildLedger(manuscript, [{ name: 'a.log', text: log }], { policy: 'verbatim' });
    expect(added.filter(({ kind }) => kind === 'added_heading')).toHaveLength(inventions);
  });

  it('X1 may be a heading with a file name that has several consecutive blanks', () => {
    const { added } = buildLedger(
      '# Source code: `x %a.py`\n\n```python\nx = 1\n```\n',
      [{ name: 'x  %a.py', text: 'x = 1\n' }],
      { policy: 'verbatim' },
    );
    expect(added.map(({ kind }) => kind)).not.toContain('added_heading');
  });
});
