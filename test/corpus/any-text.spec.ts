import { normalizeSourceName } from '#contracts/source-name.js';
import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { writeAndValidate } from './write-and-validate.js';

const RUNS = atDepth({ quick: 60, full: 2_000 });

/** Extensions of plain text, Markdown and logs, and no extension. */
const EXTENSIONS = [
  ...[
    '',
    '.txt',
    '.text',
    '.rst',
    '.rest',
    '.adoc',
    '.asciidoc',
    '.asc',
    '.tex',
    '.latex',
    '.ltx',
    '.org',
    '.wiki',
  ],
  ...['.mediawiki', '.textile', '.nfo', '.me', '.md', '.markdown', '.log'],
];

const word = fc.constantFrom(
  'tide',
  'table',
  'port',
  '12',
  'the',
  'e.g.',
  'x_1',
  '`code`',
  '**bold**',
  'a|b',
  '<b>',
  'don’t',
  '--flag',
);
const sentence = fc.array(word, { minLength: 1, maxLength: 14 }).map((words) => `${words.join(' ')}.`);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
const ruler = fc
  .tuple(
    fc.constantFrom(...'-=_*~+#^|.:\'"`<>'),
    fc.constantFrom(1, 2, 3, 4, 20, 78),
    fc.constantFrom('', ' '),
  )
  .map(([mark, count, gap]) => Array.from({ length: count }, () => mark).join(gap));
const code = fc
  .array(
    fc.constantFrom(
      '',
      '  return 1;',
      '};',
      'rows(["a"]) //=> 2',
      '# note',
      '| a |',
      '---',
      '    deep',
      '\tx',
    ),
    {
      maxLength: 8,
    },
  )
  .map((lines) => lines.join('\n'));
const fence = fc
  .tuple(
    fc.constantFrom('```', '~~~', '````', '  ```', '- ```'),
    fc.constantFrom('', 'js', 'text', 'js title="a"'),
    code,
    fc.boolean(),
  )
  .map(
    ([mark, info, content, isClosed]) =>
      `${mark}${info}\n${content}${isClosed ? `\n${mark.replace('-', ' ')}` : ''}`,
  );
const heading = fc
  .tuple(fc.constantFrom('#', '##', '####', '#', '='), sentence)
  .map(([mark, text]) => `${mark} ${text}`);
const list = fc
  .array(fc.tuple(fc.constantFrom('- ', '* ', '1. ', '3) ', '  - ', '-'), sentence), {
    minLength: 1,
    maxLength: 5,
  })
  .map((items) => items.map(([mark, text]) => mark + text).join('\n'));
const table = fc
  .array(sentence, { minLength: 1, maxLength: 4 })
  .map((cells) => `| a | b |\n| --- | :-: |\n${cells.map((cell) => `| ${cell} | 1 |`).join('\n')}`);
const indented = code.map((text) => text.replace(/^/gm, '    '));
const block = fc.oneof(paragraph, ruler, fence, heading, list, table, indented, code, sentence);
/** Blocks with or without blank lines between them. */
const text = fc
  .array(fc.tuple(block, fc.constantFrom('\n', '\n\n', '\n\n', '\n \n\n')), { minLength: 1, maxLength: 10 })
  .map((blocks) => blocks.flat().join(''))
  .chain((joined) => fc.constantFrom(joined, joined.replaceAll('\n', '\r\n'), joined.trimEnd()));

describe('D26 text of any kind', () => {
  it('passes validation at the first attempt, for any mixture, with every text extension', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...EXTENSIONS), async (content, extension) => {
        const { failed, verdict } = await writeAndValidate({ [`source${extension}`]: content });
        // Markdown has faults that only a fence around the whole text can show.
        expect(extension.startsWith('.m') && extension !== '.me' ? verdict : failed).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('passes validation in one code block per file, which is the last resort', async () => {
    const files = fc.array(fc.tuple(text, fc.constantFrom(...EXTENSIONS, '.csv', '.py', '.json', '.html')), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(files, fc.constantFrom(1, 2), async (contents, rejections) => {
        const named = contents.map(([content, extension], index) => [`source-${index}${extension}`, content]);
        const { verdict } = await writeAndValidate(Object.fromEntries(named), rejections);
        expect(verdict).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('passes validation as several files in one document', async () => {
    const files = fc.array(fc.tuple(text, fc.constantFrom(...EXTENSIONS)), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(files, async (contents) => {
        const named = contents.map(
          ([content, extension], index) => [`source-${index}${extension}`, content] as const,
        );
        expect((await writeAndValidate(Object.fromEntries(named))).verdict).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('D7 passes validation under any file names, whose special characters appear in headings', async () => {
    const part = fc.string({
      unit: fc.constantFrom(...'ab1 .-_!"#$%&\'()*+,:;<=>?@[]^`{|}~ä'),
      maxLength: 10,
    });
    const name = fc
      .tuple(part, part, fc.constantFrom('.txt', '.py', '.md'))
      .map(([folder, stem, extension]) => normalizeSourceName(`x${folder}/x${stem}${extension}`).name)
      .filter((normalized) => normalized !== undefined);
    const names = fc.uniqueArray(fc.oneof(name, fc.constantFrom('`a`/x.py', 'b/x.py')), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(names, async (all) => {
        const files = Object.fromEntries(all.map((each) => [each, 'x = 1\n    y = 2\n']));
        expect((await writeAndValidate(files)).verdict).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([0, 1])(
    'D7 passes validation with images of any names, after %i rejections',
    async (rejections) => {
      const folders = ['R&D', '#f%g', 'a b', 'c(d)[e]', 'a{b}', 'c:', 'what?', '`x`', '$m$', '<b>', 'a%20b'];
      const images = folders.map((folder) => `${folder}/plan.png`);
      const { verdict } = await writeAndValidate({ 'a.md': '# A\n\nWords.\n' }, rejections, images);
      expect(verdict).toEqual([]);
    },
  );
});
