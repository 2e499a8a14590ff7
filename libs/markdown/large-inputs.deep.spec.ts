import { growth } from '#testing/growth.js';
import { HARD_MARKDOWN, lineOfAddresses } from '#testing/hard-markdown.js';
import { escapeText } from './escape.js';
import { lintMarkdown } from './lint/lint.js';
import { parseMarkdown } from './parse.js';

/**
 * Inputs so large that non-linear work would need minutes. The specs `*.growth.spec.ts` count the operations of smaller
 * ones.
 */
describe('large inputs', () => {
  const secondsOf = async (work: () => unknown): Promise<number> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };

  it('D24 a line of 20,000 addresses is parsed in linear time, also with markup between them', () => {
    const nodesOf = (markdown: string) =>
      parseMarkdown(markdown).chapters.flatMap(({ children }) => children);
    expect(nodesOf(lineOfAddresses(20_000))).toMatchObject([{ type: 'paragraph' }]);
    expect(nodesOf(`**${lineOfAddresses(20_000)}**`).at(-1)).toMatchObject({ type: 'code' });
    for (const marks of ['', '**'])
      expect(
        growth((words) => nodesOf(`${marks}${lineOfAddresses(words)}${marks}`), 5_000, 20_000),
      ).toBeLessThan(9);
  }, 600_000);

  it('D24 one document of 6,400 parts is parsed in the time of 64 documents of 100 parts', () => {
    const unit = `## Part\n\nSome **bold** text with \`code\`.\n\n\`\`\`log\n${'x'.repeat(400)}\n\`\`\`\n\n- a\n- b\n\n`;
    const parse = (documents: number) => {
      const text = unit.repeat(6_400 / documents);
      for (let document = 0; document < documents; document++) parseMarkdown(text);
    };
    // Nearly the same in linear time, 64 times as much in quadratic time; a large tree costs the garbage collector more.
    expect(growth(parse, 64, 1)).toBeLessThan(32);
  });

  it.each(Object.keys(HARD_MARKDOWN))(
    'D24 100,000 characters of %s are read in bounded time',
    async (name) => {
      const markdown = `${HARD_MARKDOWN[name]!(100_000)}\n\n# Behind it\n`;
      expect(await secondsOf(() => parseMarkdown(markdown))).toBeLessThan(40);
    },
    300_000,
  );

  it('D26 a table of 60,000 rows is linted in bounded time', async () => {
    const table = `# A\n\n|a|b|\n|-|-|\n${'|a|b|\n'.repeat(60_000)}`;
    // Some four seconds of one core; taken as a whole, it would be minutes.
    const lint = async () => expect(await lintMarkdown(table, { knownReferences: [] })).toEqual([]);
    expect(await secondsOf(lint)).toBeLessThan(60);
  });

  it('X1 300,000 characters of markup are escaped in bounded time', async () => {
    for (const mark of ['_', 'a_', '#', ' #', '[', '\\', 'http://', '$', '<', '&a', '-', '~'])
      expect(await secondsOf(() => escapeText(mark.repeat(300_000)))).toBeLessThan(5);
  });
});
