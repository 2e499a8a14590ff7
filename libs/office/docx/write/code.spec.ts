import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { buildStructure } from '../../structure/build.js';
import { checkDocx } from '../check/check.js';
import { readDocx } from '../read/read.js';
import { columnsOf } from './blocks.js';
import { CODE_LOOKS } from './code-looks.js';
import { writeDocx, type DocxOptions } from './write.js';

const none = async (): Promise<null> => null;

/** The paragraphs of a document: style and direct properties of each. */
async function paragraphs(markdown: string): Promise<{ style: string; xml: string }[]> {
  const bytes = await writeDocx(buildStructure(markdown), none);
  const xml = Buffer.from(unzipSync(bytes)['word/document.xml'] ?? []).toString('utf8');
  return [...xml.matchAll(/<w:p>.*?<\/w:p>/gs)].map(([xml]) => ({
    style: /<w:pStyle w:val="([^"]*)"/.exec(xml)?.[1] ?? '',
    xml,
  }));
}

const fence = (...lines: string[]): string => `\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;
const styles = async (markdown: string): Promise<string[]> =>
  (await paragraphs(markdown)).map(({ style }) => style);

describe('code in Word', () => {
  it('D14 is one paragraph per line, with space only around the block', async () => {
    const found = await paragraphs(fence('a', '', 'b'));
    expect(found.map(({ style }) => style)).toEqual(['SourceCode', 'SourceCode', 'SourceCode']);
    expect(found.map(({ xml }) => /w:before="(\d+)" w:after="(\d+)"/.exec(xml)?.slice(1))).toEqual([
      ['140', '0'],
      undefined,
      ['0', '180'],
    ]);
  });

  it('has smaller letters if a line needs them, and a bar next to a line that wraps anyway', async () => {
    expect(await styles(fence('x'.repeat(86)))).toEqual(['SourceCode']);
    expect(await styles(fence('x'.repeat(100), 'y'))).toEqual(['SourceCodeSmall', 'SourceCodeSmall']);
    expect(await styles(fence('x'.repeat(105), 'y'))).toEqual(['SourceCodeSmallTurned', 'SourceCodeSmall']);
  });

  it('counts columns with tab stops every eight columns and wide characters as two', () => {
    expect(['abc', 'a\tb', '\t\t', '日本', '🚀', 'ąé─'].map(columnsOf)).toEqual([3, 9, 16, 4, 2, 3]);
  });

  it('separates adjacent blocks in any place', async () => {
    const markdown = `${fence('a', 'b')}\n${fence('c')}\n> ${fence('d').replaceAll('\n', '\n> ')}\n\n${fence('e')}`;
    const content = readDocx(await writeDocx(buildStructure(markdown), none));
    const code = content.blocks.filter((block) => block.type === 'code').map(({ text }) => text);
    expect(code).toEqual(['a\nb', 'c', 'd', 'e']);
  });

  it('D14 is read back unchanged, for any lines', async () => {
    const line = fc.string({
      unit: fc.constantFrom('a', ' ', '\t', 'ą', '日', '🚀', '<', '&'),
      maxLength: 130,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const structure = buildStructure(fence(...lines));
        const { blocks } = readDocx(await writeDocx(structure, none));
        expect(blocks).toEqual([{ type: 'code', text: lines.join('\n') }]);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps its font inside a table', async () => {
    const [, cell] = await paragraphs('| a |\n| - |\n| `b` |\n');
    expect(cell?.xml).toContain('w:ascii="Courier New"');
  });
});

describe('code with looks', () => {
  const source = '/* two\n   lines */\nconst a = "x\\t<y>"; // end\n\n\treturn a + 12;';
  const markdown = `\`\`\`ts\n${source}\n\`\`\`\n\n\`\`\`nolanguage\nconst b\n\`\`\`\n`;
  const written = async (options: DocxOptions) => {
    const bytes = await writeDocx(buildStructure(markdown), none, options);
    const code = readDocx(bytes).blocks.flatMap((block) => (block.type === 'code' ? [block.text] : []));
    const part = (name: string) => Buffer.from(unzipSync(bytes)[name] ?? []).toString('utf8');
    return { bytes, code, xml: part('word/document.xml'), numbering: part('word/numbering.xml') };
  };

  it('D14 highlights keywords, strings, comments and numbers, and changes no character', async () => {
    const { xml, code, bytes } = await written({ codeColors: true });
    expect(code).toEqual([source, 'const b']);
    expect(checkDocx(buildStructure(markdown), bytes)).toEqual([]);
    const looks = [...xml.matchAll(/<w:color w:val="(\w+)"\/><\/w:rPr><w:t[^>]*>([^<]*)/g)].map(
      ([, color, text]) => [color, text],
    );
    expect(looks).toEqual(
      expect.arrayContaining([
        [CODE_LOOKS.comment.color, '/* two'],
        [CODE_LOOKS.comment.color, '   lines */'],
        [CODE_LOOKS.keyword.color, 'const'],
        [CODE_LOOKS.string.color, '"x\\t&lt;y&gt;"'],
        [CODE_LOOKS.number.color, '12'],
      ]),
    );
    expect((await written({})).xml).not.toContain(CODE_LOOKS.keyword.color);
  });

  it('D14 numbers the lines of each block from 1, next to its text', async () => {
    const { xml, code, numbering } = await written({ lineNumbers: true });
    expect(code).toEqual([source, 'const b']);
    const instances = [...xml.matchAll(/<w:numId w:val="(\d+)"\/>/g)].map(([, id]) => id);
    expect([instances.length, new Set(instances).size]).toEqual([6, 2]);
    for (const id of new Set(instances))
      expect(numbering).toMatch(
        new RegExp(`w:numId="${id}"><w:abstractNumId[^>]*/><w:lvlOverride.*?val="1"`),
      );
  });
});
