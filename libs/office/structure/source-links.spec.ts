import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { lineAnchor, type Inline } from '#contracts/structure.js';
import { visibleLines, checkDocx } from '../docx/check/check.js';
import { readDocx } from '../docx/read/read.js';
import { writeDocx } from '../docx/write/write.js';
import { fileAddresses } from './file-address.js';
import { buildStructure } from './build.js';
import { linkSources, type SourceStart } from './source-links.js';
import { plainText } from './text.js';

/** Manuscript with a chapter for each source. */
function linked(files: Record<string, string>) {
  let markdown = '';
  const sources: SourceStart[] = [];
  for (const [name, text] of Object.entries(files)) {
    sources.push({ name, line: markdown.split('\n').length });
    markdown += `${text}\n\n`;
  }
  return linkSources(buildStructure(markdown), sources);
}

const linksIn = (content: readonly Inline[]) =>
  content.flatMap((inline) => (inline.type === 'link' ? [[plainText(inline.content), inline.anchor]] : []));

const OTHERS = {
  'docs/plan.md': '# The plan\n\n## First step\n\nText.',
  'data/budget.csv': '# Data: budget.csv\n\n| a |\n| --- |\n| b |',
  'data/notes.md': '# Notes\n\nText.',
  'docs/notes.md': '# Other notes\n\nText.',
};

const linkedFrom = (name: string, text: string) => {
  const { blocks } = linked({ [name]: text, ...OTHERS });
  const [block] = blocks;
  const content = block && 'content' in block ? block.content : [];
  return { links: linksIn(content), text: plainText(content) };
};

describe('links between the sources of a document', () => {
  it.each([
    ['README.md', 'See [the plan](docs/plan.md).', 'See the plan.', [['the plan', 'the-plan']]],
    ['README.md', '[step](./docs/plan.md#first-step)', 'step', [['step', 'first-step']]],
    ['README.md', '[step](docs/plan.md#none) on', 'step on', [['step', 'the-plan']]],
    ['a/b.md', '[costs](../data/budget.csv), all', 'costs, all', [['costs', 'data-budgetcsv']]],
    ['data/b.md', '[costs](budget%2Ecsv)', 'costs', [['costs', 'data-budgetcsv']]],
    ['README.md', 'In budget.csv.', 'In budget.csv.', [['budget.csv', 'data-budgetcsv']]],
    ['README.md', 'In `data/budget.csv`', 'In data/budget.csv', [['data/budget.csv', 'data-budgetcsv']]],
    ['data/b.md', 'As notes.md says', 'As notes.md says', [['notes.md', 'notes']]],
  ])('%s: %s', (name, markdown, text, links) => {
    expect(linkedFrom(name, markdown)).toEqual({ text, links });
  });

  it('leads to the lines of the only source', () => {
    const markdown = '# First page\n\n[line 5](/a.md#L5)\n\n# A\n\nOne.\n\nTwo.\n';
    const sources = [{ name: 'a.md', line: 5, places: { 5: 9 } }];
    const { blocks, linked_lines } = linkSources(buildStructure(markdown), sources);
    expect(linked_lines).toEqual([9]);
    const content = blocks[1] && 'content' in blocks[1] ? blocks[1].content : [];
    expect([plainText(content), linksIn(content)]).toEqual(['line 5', [['line 5', lineAnchor(9)]]]);
  });

  it.each([
    ['of the same base name in several folders', 'README.md', 'As notes.md says'],
    [
      'that is a part of a longer name',
      'README.md',
      'old-budget.csv, budget.csv.bak, x/budget.csv and budget.csvx',
    ],
    ['that is its own', 'data/b.md', 'This is b.md'],
    ['that is no source', 'README.md', '[x](other.md) and other.md'],
    ['on the web', 'README.md', '[x](https://example.org/docs/plan.md)'],
    ['outside of the folder of the sources', 'docs/b.md', '[x](../../docs/plan.md)'],
  ])('leaves a name %s', (_, name, markdown) => {
    expect(linkedFrom(name, markdown).links.filter(([, anchor]) => anchor !== null)).toEqual([]);
  });

  it('finds the longest of many names', () => {
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [`d${i}/index.md`, `# H${i}\n\nText.`]),
    );
    const text = `${'d7/index.md and my index.md, '.repeat(400)}index.md`;
    const { blocks } = linked({ 'README.md': text, ...files, 'x/my index.md': '# Mine' });
    const links = linksIn(blocks[0]?.type === 'paragraph' ? blocks[0].content : []);
    const pair = [
      ['d7/index.md', 'h7'],
      ['my index.md', 'mine'],
    ];
    expect(links).toEqual(Array.from({ length: 400 }, () => pair).flat());
  });

  it('keeps the address of a link to a file that is no source', () => {
    const structure = linked({ 'README.md': '# A\n\n[x](other.md), [plan](docs/plan.md)', ...OTHERS });
    expect(fileAddresses(structure)).toEqual(['other.md']);
    expect(JSON.stringify(structure)).toContain('(other.md)');
  });

  it('changes no word of any text', () => {
    const word = fc.constantFrom(
      'budget.csv',
      'docs/plan.md',
      'x',
      '.',
      ' ',
      '/',
      '`',
      '**',
      'é',
      '(notes.md)',
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = `# A\n\nz ${words.join('')}`;
        const plain = (blocks: ReturnType<typeof buildStructure>['blocks']) =>
          blocks.map((block) => ('content' in block ? plainText(block.content) : ''));
        const { blocks } = linked({ 'README.md': text, ...OTHERS });
        expect(plain(blocks).slice(0, 2)).toEqual(plain(buildStructure(text).blocks));
      }),
    );
  });

  it('shows the page in Word, where readers of the file pass over it', async () => {
    const filler = 'A line of a chapter that fills its pages.\n\n'.repeat(90);
    const structure = linked({ 'README.md': `# A\n\nSee [the plan](docs/plan.md).\n\n${filler}`, ...OTHERS });
    const docx = await writeDocx(structure, () => Promise.resolve(null), { toc: true });
    const xml = strFromU8(unzipSync(docx)['word/document.xml']!);
    expect(xml).toMatch(/>the plan<.*?PAGEREF the-plan .*?<w:t[^>]*>[45]<\/w:t>/);
    expect(visibleLines(readDocx(docx))).toContain('See the plan.');
    expect(checkDocx(structure, docx)).toEqual([]);
  });
});
