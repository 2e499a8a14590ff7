import { ToolDesk } from '#testing/tool-desk.js';
import { buildLedger, ledgerIssues } from '#verbatim/ledger.js';
import fc from 'fast-check';

const LOG = Array.from({ length: 50 }, (_, line) => `2026-01-02T03:04:05Z line ${line + 1} — ünïcode\n`).join(
  '',
);
const INPUTS = {
  'app.log': LOG,
  'deep.md': '# Deep\n\n### Skipped\n\nSome *words* here.\n',
  'bare.md': 'Words without a heading.\n',
  'stock.csv': 'part,count\npump | small,3\n"valve, big",4\n',
  'list.txt': 'oil *filter*\nbelt_4\n\n# of bolts: 12\n',
  'letter.txt': 'Dear *all*,\n\nuse <b> and snake_case_names.\n- one\n',
  'script.sh': 'echo `date`\n',
  'empty.txt': '',
  'photo_1.png': new Uint8Array([0x89, 0x50]),
};
type Name = keyof typeof INPUTS;

async function place(...spans: Record<string, unknown>[]): Promise<ToolDesk> {
  const desk = new ToolDesk(INPUTS);
  for (const span of spans) await desk.call('place_source', span);
  return desk;
}

/** Returns the ledger's issues for the manuscript with these files as its sources. */
async function issuesOf(desk: ToolDesk, ...names: Name[]) {
  const sources = names.map((name) => ({ name, text: String(INPUTS[name]) }));
  const ledger = buildLedger(await desk.text(), sources, { policy: 'verbatim', otherFiles: ['photo_1.png'] });
  return ledgerIssues(ledger);
}

describe('place_source', () => {
  it('copies a file byte for byte into a fence that the file cannot close, and counts it as placed', async () => {
    const desk = new ToolDesk(INPUTS);
    const answer = await desk.call('place_source', {
      filename: 'app.log',
      as: 'fence',
      heading: '# The log',
    });
    expect(answer).toBe('Placed lines 1-50 of 50 of "app.log"; the manuscript has 54 lines.');
    expect(await desk.text()).toBe(`# The log\n\n\`\`\`log\n${LOG}\`\`\`\n`);
    expect(desk.session.filesPlaced).toEqual(['app.log']);
  });

  it('copies spans, counts the file as placed after the last span, and reads it once', async () => {
    const desk = await place({ filename: 'app.log', to_line: 20, as: 'fence' });
    expect(desk.session.filesPlaced).toEqual([]);
    const { pages } = desk;
    await desk.call('place_source', { filename: 'app.log', from_line: 21, as: 'fence', language: 'text' });
    expect(desk.session.filesPlaced).toEqual(['app.log']);
    expect(desk.pages).toBe(pages);
    expect(await issuesOf(desk, 'app.log')).toEqual([]);
  });

  it('turns a whole Markdown file into a chapter, or moves its headings below the given one', async () => {
    const own = await place({ filename: 'deep.md', as: 'prose' }, { filename: 'bare.md', as: 'prose' });
    expect(await own.text()).toBe(
      '# Deep\n\n## Skipped\n\nSome *words* here.\n\n# Bare\n\nWords without a heading.\n',
    );
    expect(await issuesOf(own, 'deep.md', 'bare.md')).toEqual([]);
    const below = await place({ filename: 'deep.md', as: 'prose', heading: '# Notes' });
    expect(await below.text()).toBe('# Notes\n\n## Deep\n\n### Skipped\n\nSome *words* here.\n');
    expect(await issuesOf(below, 'deep.md')).toEqual([]);
  });

  it('places a span of a Markdown file as written', async () => {
    const desk = await place(
      { filename: 'deep.md', to_line: 2, as: 'prose' },
      { filename: 'deep.md', from_line: 5, as: 'prose' },
    );
    expect(await desk.text()).toBe('# Deep\n\nSome *words* here.\n');
  });

  it('names all lines of a code block that cannot be prose, by their numbers in the file', async () => {
    const text = 'Start the pump:\n\n    pump start\n\n    pump check\n\nThen wait.\n';
    const desk = new ToolDesk({ 'steps.txt': text });
    const refused = desk.call('place_source', { filename: 'steps.txt', from_line: 2, as: 'prose' });
    await expect(refused).rejects.toThrow('the lines 3 to 5 of "steps.txt" are code');
  });

  it('escapes plain text, so that a reader sees each character and the ledger finds each line', async () => {
    const desk = await place(
      { filename: 'letter.txt', as: 'prose', heading: '# Letter' },
      { filename: 'list.txt', as: 'list', heading: '# Parts' },
    );
    expect(await desk.text()).toBe(
      '# Letter\n\nDear \\*all\\*,\n\nuse \\<b> and snake_case_names.\n- one\n\n' +
        '# Parts\n\n- oil \\*filter\\*\n- belt_4\n- \\# of bolts: 12\n',
    );
    expect(await issuesOf(desk, 'letter.txt', 'list.txt')).toEqual([]);
  });

  it('places CSV as a table, and an image with its escaped name', async () => {
    const desk = await place(
      { filename: 'stock.csv', as: 'table', heading: '# Stock' },
      { filename: 'photo_1.png', as: 'image', heading: '# Photo' },
    );
    expect(await desk.text()).toBe(
      '# Stock\n\n| part | count |\n| --- | --- |\n| pump \\| small | 3 |\n| valve, big | 4 |\n\n' +
        '# Photo\n\n![photo\\_1.png](photo_1.png)\n',
    );
    expect(await issuesOf(desk, 'stock.csv')).toEqual([]);
  });

  it('puts lines behind a line of the manuscript, as lines of the code block there or as a block of their own', async () => {
    const desk = await place(
      { filename: 'app.log', to_line: 20, as: 'fence', heading: '# Log' },
      { filename: 'bare.md', as: 'prose', heading: '# Bare' },
    );
    await desk.call('place_source', { filename: 'app.log', from_line: 21, as: 'fence', after_line: 23 });
    expect(await desk.text()).toBe(
      `# Log\n\n\`\`\`log\n${LOG}\`\`\`\n\n# Bare\n\nWords without a heading.\n`,
    );
    await desk.call('place_source', {
      filename: 'letter.txt',
      as: 'prose',
      heading: '# Letter',
      after_line: 54,
    });
    expect(await issuesOf(desk, 'app.log', 'bare.md', 'letter.txt')).toEqual([]);
    expect((await desk.text()).split('\n').slice(53, 62)).toEqual([
      '```',
      '',
      '# Letter',
      '',
      'Dear \\*all\\*,',
      '',
      'use \\<b> and snake_case_names.',
      '- one',
      '',
    ]);
  });

  it('places no heading, image or closing fence into a code block', async () => {
    const desk = new ToolDesk({ ...INPUTS, 'fenced.md': 'a\n```\n' });
    await desk.call('place_source', { filename: 'app.log', as: 'fence' });
    const into = (span: object) => desk.call('place_source', { after_line: 10, as: 'fence', ...span });
    await expect(into({ filename: 'script.sh', heading: '# X' })).rejects.toThrow('within a code block');
    await expect(into({ filename: 'photo_1.png', as: 'image' })).rejects.toThrow('within a code block');
    await expect(into({ filename: 'fenced.md' })).rejects.toThrow('would end the code block');
    await expect(into({ filename: 'script.sh', after_line: 99 })).rejects.toThrow('99');
  });

  it('traces a file of which it placed a part', async () => {
    const desk = await place({ filename: 'app.log', to_line: 20, as: 'fence' });
    expect([desk.session.filesRead, desk.session.filesPlaced]).toEqual([['app.log'], []]);
  });

  it('refuses a list that the ledger would refuse, and makes no other', async () => {
    const begin = fc.constantFrom('', '', '  ', '\t', '- ', '2. ', '> ', '* ', '# ', '    ');
    const line = fc
      .tuple(begin, fc.constantFrom('oil', '*b* c', 'x | y', '1. d', ''))
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (lines) => {
        const text = `${lines.join('\n')}\n`;
        const desk = new ToolDesk({ 'a.txt': text });
        const refusal = await desk
          .call('place_source', { filename: 'a.txt', as: 'list', heading: '# a.txt' })
          .catch((error: Error) => error.message);
        const ledger = buildLedger(await desk.text(), [{ name: 'a.txt', text }], { policy: 'verbatim' });
        if (refusal.startsWith('Placed')) expect(ledgerIssues(ledger)).toEqual([]);
        else expect(refusal).toMatch(/place (?:it|them|these) as/i);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    [{ filename: 'app.log', from_line: 51, as: 'fence' }, 'lines 1 to 50'],
    [{ filename: 'app.log', from_line: 9, to_line: 8, as: 'fence' }, 'lines 1 to 50'],
    [{ filename: 'empty.txt', as: 'fence' }, 'is empty'],
    [{ filename: 'photo_1.png', as: 'fence' }, 'not a text file'],
    [{ filename: 'gone.txt', as: 'fence' }, 'no input file'],
    [{ filename: 'gone.png', as: 'image' }, 'no input file'],
    [{ filename: 'app.log', as: 'image' }, 'is not an image'],
    [{ filename: 'script.sh', as: 'prose' }, 'place it as "fence"'],
    [{ filename: 'stock.csv', as: 'table', from_line: 2 }, 'Place it as "fence"'],
    [{ filename: 'script.sh', as: 'table' }, 'not a CSV or TSV file'],
    [{ filename: 'script.sh', as: 'list' }, 'only plain text can'],
  ])('rejects %j', async (args, message) => {
    await expect(new ToolDesk(INPUTS).call('place_source', args)).rejects.toThrow(message);
  });

  it('X1 places any plain text as prose in which the ledger finds every line', async () => {
    const word = fc.constantFrom(
      '*a*',
      '_b_',
      'c',
      '#',
      '1.',
      '-',
      '<d>',
      '&amp;',
      '`e',
      '|',
      '[x](y)',
      '~',
      '\\',
    );
    const begin = fc.constantFrom('w ', '- ', '');
    const line = fc
      .tuple(begin, fc.array(word, { minLength: 1, maxLength: 5 }))
      .map(([first, words]) => `${first}w ${words.join(' ')}`);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (lines) => {
        const text = `${lines.join('\n')}\n`;
        const desk = new ToolDesk({ 'a.txt': text });
        await desk.call('place_source', { filename: 'a.txt', as: 'prose', heading: '# A' });
        const ledger = buildLedger(await desk.text(), [{ name: 'a.txt', text }], { policy: 'verbatim' });
        expect(ledgerIssues(ledger)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
