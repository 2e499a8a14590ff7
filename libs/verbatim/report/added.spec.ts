import { buildLedger } from '../ledger.js';

describe('what a manuscript adds', () => {
  it('X1 lets the manuscript name a file of a folder, whose marks are escaped', () => {
    const manuscript = 'Depots.\n\n![docs/\\_static/map-2024.svg](docs/_static/map-2024.svg)\n';
    const { added } = buildLedger(manuscript, [{ name: 'a.md', text: 'Depots.\n' }], {
      policy: 'verbatim',
      otherFiles: ['docs/_static/map-2024.svg'],
    });
    expect(added.map(({ kind }) => kind)).toEqual(['transition']);
  });

  it('X1 lets a heading name a file whose name has several blanks in a row', () => {
    const { added } = buildLedger(
      '# Source code: `x %a.py`\n\n```python\nx = 1\n```\n',
      [{ name: 'x  %a.py', text: 'x = 1\n' }],
      { policy: 'verbatim' },
    );
    expect(added.map(({ kind }) => kind)).not.toContain('invention');
  });
});
