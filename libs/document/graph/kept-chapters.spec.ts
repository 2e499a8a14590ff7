import { scanText } from '#markdown/fences.js';
import { buildLedger } from '#verbatim/ledger.js';
import keepChapters from './kept-chapters.worker.js';

const SOURCES = { 'a.md': 'Alpha one.\n\nAlpha two.\n', 'b.md': 'Beta one.\n', 'c.md': 'Gamma one.\n' };
const TEXT =
  '# First\n\nAlpha one.\n\n# Second\n\nBeta one.\n\n# Third\n\nAlpha two.\n\n# Fourth\n\nGamma one.\n';
const versionOf = (text: string) => ({
  lines: text.split('\n').slice(0, -1),
  outline: scanText(text).outline,
});
const keep = (now: Record<string, string>, current = TEXT) => keepOf(SOURCES, TEXT, now, current);
const keepOf = (before: Record<string, string>, text: string, now: Record<string, string>, current = text) =>
  keepChapters({
    ledger: JSON.stringify(
      buildLedger(
        text,
        Object.entries(before).map(([name, source]) => ({ name, text: source })),
        { policy: 'verbatim' },
      ),
    ),
    written: versionOf(text),
    current: versionOf(current),
    before,
    now,
    sources: Object.keys(now).sort(),
    edited: [],
  });

describe('X6 the chapters that a rerun keeps', () => {
  it('are those of unchanged sources; all chapters of a changed one are left out', () => {
    const { chapters, kept, changed } = keep({ ...SOURCES, 'a.md': 'Alpha three.\n' });
    expect([changed, kept]).toEqual([['a.md'], ['b.md', 'c.md']]);
    expect(chapters).toMatchObject([
      { files: ['b.md'], lines: [5, 8], due: ['a.md'] },
      { files: ['c.md'], lines: [13, 15], due: [] },
    ]);
  });

  it('have new sources before them by the order of the inputs', () => {
    const { chapters, added } = keep({ ...SOURCES, 'b2.md': 'New.\n', 'd.md': 'Last.\n' });
    expect(added).toEqual(['b2.md', 'd.md']);
    expect(chapters.map(({ due }) => due)).toEqual([[], [], [], ['b2.md']]);
  });

  it('keep the edits of people, also of headings, and name the edits that would be lost', () => {
    const edited = TEXT.replace('# Second', '# Better').replace('Beta one.', 'Beta, edited.');
    const { chapters, edited: all } = keep(SOURCES, edited);
    expect(chapters.map(({ lines, isSettled }) => [lines, isSettled])).toEqual([
      [[1, 4], false],
      [[5, 8], true],
      [[9, 12], false],
      [[13, 15], false],
    ]);
    expect(all).toEqual({ kept: ['b.md'], lost: [] });
    expect(keep({ ...SOURCES, 'b.md': 'Beta two.\n' }, edited).edited).toEqual({ kept: [], lost: ['b.md'] });
  });

  it('of folders take new sources behind them, and are left out where folders get or lose their heading', () => {
    const before = { 'a.md': 'Alpha.\n', 'f/c.md': 'Beta.\n', 'f/d.md': 'Gamma.\n', 'g/e.md': 'Delta.\n' };
    const text = '# A\n\nAlpha.\n\n# F\n\n## C\n\nBeta.\n\n## D\n\nGamma.\n\n# E\n\nDelta.\n';
    const added = keepOf(before, text, { ...before, 'f/b.md': 'New.\n' }).chapters;
    expect(added.map(({ files, due }) => [files, due])).toEqual([
      [['a.md'], []],
      [['f/c.md', 'f/d.md'], []],
      [['g/e.md'], ['f/b.md']],
    ]);
    const grown = keepOf(before, text, { ...before, 'g/z.md': 'New.\n' });
    expect(grown.kept).toEqual(['a.md', 'f/c.md', 'f/d.md']);
    const { 'f/d.md': gone, ...rest } = before;
    expect([gone, keepOf(before, text, rest).kept]).toEqual(['Gamma.\n', ['a.md', 'g/e.md']]);
  });

  it('are called renamed where the content has another name', () => {
    const { 'b.md': moved, ...rest } = SOURCES;
    expect(keep({ ...rest, 'x.md': moved })).toMatchObject({
      renamed: [{ from: 'b.md', to: 'x.md' }],
      added: [],
      removed: [],
    });
  });
});
