import fc from 'fast-check';
import { takeInventory } from '#inventory/take-inventory.js';
import { extractText, ExtractionError } from '../extract.js';
import { terminalText } from './notebook.js';

const textOf = async (notebook: unknown) => {
  const json = typeof notebook === 'string' ? notebook : JSON.stringify(notebook);
  return (await extractText(new TextEncoder().encode(json), 'n.ipynb')).text;
};
const outputs = (...list: unknown[]) => ({ cells: [{ cell_type: 'code', source: 'f()', outputs: list }] });
const shown = async (...list: unknown[]) =>
  (await textOf(outputs(...list))).slice('```python\nf()\n```\n\n'.length).trimEnd();
const data = (forms: Record<string, unknown>) => ({ output_type: 'execute_result', data: forms });
const fence = (text: string) => `\`\`\`text\n${text}\n\`\`\``;

describe('notebookText', () => {
  it('D4 shows the form of an output that Jupyter shows, and reports words that only another form has', async () => {
    const table = ['<table><tr><th></th><th>Dock</th></tr>', '<tr><td>0</td><td>7 m</td></tr></table>'];
    expect(await shown(data({ 'text/html': table, 'text/plain': '  Dock\n0  7 m' }))).toBe(
      '|  | Dock |\n| --- | --- |\n| 0 | 7 m |',
    );
    expect(await shown(data({ 'text/markdown': '**Dock 7**', 'text/plain': '<Object at 0x1>' }))).toBe(
      '**Dock 7**\n\n<!-- left out: text/plain form of an output: <Object at 0x1> -->',
    );
    expect(await shown(data({ 'text/latex': ['$\\displaystyle x^2$'], 'text/plain': 'x**2' }))).toMatch(
      /^\$\\displaystyle x\^2\$/,
    );
    expect(await shown(data({ 'text/latex': '\\begin{align}a\\end{align}' }))).toBe(
      '$$\n\\begin{align}a\\end{align}\n$$',
    );
    expect(await shown(data({ 'text/html': '<script>draw()</script>', 'text/plain': 'Plot 5' }))).toBe(
      `${fence('Plot 5')}\n\n<!-- left out: text/html form of an output: <script>draw()</script> -->`,
    );
    const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
    expect(await shown(data({ 'image/png': png, 'text/plain': '<Figure size 6x4 with 1 Axes>' }))).toBe(
      '![](n.ipynb.image1.png)\n\n<!-- left out: text/plain form of an output: <Figure size 6x4 with 1 Axes> -->',
    );
    const named = { 'application/json': 7, 'text/plain': '<IPython.core.display.JSON object>' };
    expect(await shown(data(named))).toBe(
      '```json\n7\n```\n\n<!-- left out: text/plain form of an output: <IPython.core.display.JSON object> -->',
    );
    expect(await shown(data({ 'application/json': { fee: 5 } }))).toBe('```json\n{\n  "fee": 5\n}\n```');
  });

  it('D4 shows errors with and without a traceback', async () => {
    const error = { output_type: 'error', ename: 'DockError', evalue: 'no rope' };
    expect(await shown({ ...error, traceback: [] })).toBe(fence('DockError: no rope'));
    expect(await shown(error)).toBe(fence('DockError: no rope'));
    expect(await shown({ ...error, traceback: ['\u001b[31mDockError\u001b[0m: no rope'] })).toContain(
      'DockError',
    );
  });

  it('D4 reads numbers that only Python writes, except in strings', async () => {
    const json = `{"cells": [{"cell_type": "code", "source": ["NaN # \\"NaN\\""], "metadata": {"a": NaN, "b": -Infinity},
      "outputs": [{"output_type": "display_data", "data": {"application/json": {"fee": [NaN, Infinity, -5]}}}]}]}`;
    const text = await textOf(json);
    expect(text).toContain('NaN # "NaN"');
    expect(text).toContain('"NaN",\n    "Infinity",\n    -5');
    await expect(textOf('{"cells": [')).rejects.toThrow('n.ipynb is not a notebook: it is not JSON (');
  });

  it('D4 shows the numbers of JSON as the file writes them', async () => {
    const json = `{"cells": [{"cell_type": "code", "source": "f(1.10)", "outputs": [{"output_type": "display_data",
      "data": {"application/json": {"ids": [12345678901234567891, 1.10, -1e400, 1.0, 7, "1.10", 1E3]}}}]}]}`;
    const text = await textOf(json);
    for (const line of ['12345678901234567891,', '1.10,', '-1e400,', '1.0,', '7,', '"1.10",', '1E3'])
      expect(text.split('\n').map((each) => each.trim())).toContain(line);
    const { lost } = await takeInventory(Buffer.from(json), 'n.ipynb', { text, encoding: null });
    expect(lost).toBe(0);
    await expect(textOf(json.replace('1.10, -1e400', '01, 5-3'))).rejects.toThrow('it is not JSON');
  });

  it('D4 reads outputs that are stored by number', async () => {
    const stored = {
      0: { output_type: 'stream', name: 'stdout', text: ['Dues 7'] },
      1: data({ 'text/plain': '9' }),
    };
    const bytes = Buffer.from(
      JSON.stringify({ cells: [{ cell_type: 'code', source: 'f()', outputs: stored }] }),
    );
    const { text } = await extractText(bytes, 'n.ipynb');
    expect(text).toBe(`\`\`\`python\nf()\n\`\`\`\n\n${fence('Dues 7')}\n\n${fence('9')}\n`);
    expect(await takeInventory(bytes, 'n.ipynb', { text: 'f()', encoding: null })).toMatchObject({ lost: 2 });
  });

  it('D4 reads formats 1 to 3', async () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: 'Old dock' },
      { cell_type: 'markdown', source: ['Rope ', '*7*'] },
      {
        cell_type: 'code',
        input: ['7 * 9'],
        language: 'julia',
        outputs: [
          { output_type: 'pyout', text: ['63'] },
          { output_type: 'stream', stream: 'stdout', text: 'done' },
          { output_type: 'display_data', html: ['<p>Fee <b>9</b></p>'], text: '<obj>' },
          { output_type: 'pyerr', ename: 'E', evalue: 'v', traceback: ['E: v'] },
        ],
      },
    ];
    for (const nbformat of [2, 3])
      expect(
        await textOf({ nbformat, worksheets: [{ cells: cells.slice(0, 2) }, { cells: cells.slice(2) }] }),
      ).toBe(
        [
          '## Old dock',
          'Rope *7*',
          '```julia\n7 * 9\n```',
          fence('63'),
          fence('done'),
          'Fee 9',
          '<!-- left out: text/plain form of an output: <obj> -->',
          `${fence('E: v')}\n`,
        ].join('\n\n'),
      );
    expect(await textOf({ nbformat: 1, cells: [{ cell_type: 'code', code: 'x = 1' }] })).toBe(
      '```python\nx = 1\n```\n',
    );
  });

  it('D4 reads cells with missing keys, and rejects files that are not notebooks', async () => {
    expect(await textOf({ cells: [{ source: 'words' }, { cell_type: 'code' }, {}, null, 'loose'] })).toBe(
      '```text\nwords\n```\n\n```text\nloose\n```\n',
    );
    expect(
      await textOf({ cells: [{ cell_type: 'code', source: 'x', outputs: [null, { text: 'a' }, {}] }] }),
    ).toBe(`\`\`\`python\nx\n\`\`\`\n\n${fence('a')}\n`);
    await expect(textOf({})).rejects.toThrow('has neither cells nor worksheets');
    await expect(textOf([])).rejects.toThrow(ExtractionError);
  });

  it('D4 carries or reports each form of any output', async () => {
    const types = ['text/plain', 'text/html', 'text/markdown', 'text/latex', 'application/json', 'x/y'];
    const forms = fc.dictionary(fc.constantFrom(...types), fc.stringMatching(/^[a-z]{3,9}[0-9]{1,3}$/));
    await fc.assert(
      fc.asyncProperty(forms, async (given) => {
        const text = await shown(data(given));
        for (const words of Object.values(given)) expect(text).toContain(words);
      }),
      { numRuns: 200 },
    );
  });
});

describe('terminalText', () => {
  it.each([
    ['a\u001b[1;31mb\u001b[0mc', 'abc'],
    ['\u001b]8;;https://example.org\u0007Link\u001b]8;;\u001b\\ end', 'Link end'],
    ['\r 10%\r 20%\r100%\r\nnext', '100%\nnext'],
    ['abcdef\rxy', 'xycdef'],
    ['abcdef\rxy\u001b[K', 'xy'],
    ['abc\u001b[2K\u001b[1Gdone', 'done'],
    ['ab\u0008c', 'ac'],
    ['x\u001b(B\u001b=\u0007y\u0000z', 'xyz'],
    ['a\u001b[3Gb', 'a b'],
    ['plain\ttext\n', 'plain\ttext\n'],
  ])('D4 shows %j as %j', (output, text) => {
    expect(terminalText(output)).toBe(text);
  });

  it('D4 removes all control characters of any output, in linear time', () => {
    const pieces = fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '0;1',
      'm',
      'K',
      '\r',
      '\n',
      '\u0008',
      'ab',
      '\u009b',
      '\u0007',
      'G',
      '999999999',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        expect(terminalText(parts.join(''))).toMatch(/^[^\p{Cc}]*(?:\n[^\p{Cc}]*)*$/u);
      }),
    );
    expect(terminalText('\u001b]'.repeat(200_000) + '\u001b[9999G'.repeat(10_000))).toMatch(/^\s*$/);
  });
});
