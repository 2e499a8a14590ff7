import { buildLedger } from '../ledger.js';

describe('additions of a manuscript', () => {
  it('X1 may name a file in a folder with escaped characters', () => {
    const manuscript = 'Depots.\n\n![docs/\\_static/map-2024.svg](docs/_static/map-2024.svg)\n';
    const { added } = buildLedger(manuscript, [{ name: 'a.md', text: 'Depots.\n' }], {
      policy: 'verbatim',
      otherFiles: ['docs/_static/map-2024.svg'],
    });
    expect(added.map(({ kind }) => kind)).toEqual(['transition']);
  });

  it('X1 may be a heading with a file name that has several consecutive blanks', () => {
    const { added } = buildLedger(
      '# Source code: `x %a.py`\n\n```python\nx = 1\n```\n',
      [{ name: 'x  %a.py', text: 'x = 1\n' }],
      { policy: 'verbatim' },
    );
    expect(added.map(({ kind }) => kind)).not.toContain('invention');
  });
});
