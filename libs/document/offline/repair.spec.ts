import { writeOffline } from '#testing/write-offline.js';

const issue = (line_number: number, message: string) => ({
  line_number,
  rule: 'SCR',
  rule_description: '',
  message,
  error_detail: null,
});

describe('the offline writer, after a failed validation', () => {
  describe('D23 when a chapter fails', () => {
    const files = { 'a.md': '# A\n', 'b.md': '# B\n\n![x](x.png)\n', 'c.md': '# C\n' };
    const inFence = (title: string, text: string) =>
      `# Source code: ${title}\n\n\`\`\`markdown\n${text}\`\`\`\n`;

    it('carries its file in one fence, and no other file', async () => {
      const { manuscript, questions } = await writeOffline(files, {
        assets: ['x.png'],
        validate: (written) => (written.includes('\n\n# B\n') ? [issue(1, 'Bad')] : []),
      });
      expect(manuscript).toBe(`# A\n\n${inFence('b.md', files['b.md'])}\n![x.png](x.png)\n\n# C\n`);
      expect(questions).toEqual([]);
    });

    it('carries the first file in a fence, with the images that the chapter would have placed', async () => {
      const { manuscript } = await writeOffline(
        { 'b.md': files['b.md'] },
        { assets: ['x.png'], validate: (written) => (written.startsWith('# B') ? [issue(1, 'Bad')] : []) },
      );
      expect(manuscript).toBe(`${inFence('b.md', files['b.md'])}\n![x.png](x.png)\n`);
    });

    it('carries all files in fences if a chapter before the last one fails', async () => {
      const { manuscript } = await writeOffline(files, {
        validate: (written) =>
          written.includes('# C') && written.startsWith('# A') ? [issue(1, 'Bad')] : [],
      });
      expect(manuscript).toBe(
        Object.entries(files)
          .map(([name, text]) => inFence(name, text))
          .join('\n'),
      );
    });

    it('carries files of one batch in fences', async () => {
      const many = Object.fromEntries(
        Array.from({ length: 70 }, (_, index) => [`log-${index}.log`, `line of ${index}\n`]),
      );
      let rejected = 0;
      const { manuscript } = await writeOffline(many, {
        validate: (written) => (written.includes('of 69\n') && rejected++ < 2 ? [issue(1, 'Bad')] : []),
      });
      for (let index = 0; index < 70; index++)
        expect(manuscript.split(`\nline of ${index}\n`)).toHaveLength(2);
    });

    it('asks a person if nothing helps', async () => {
      const hopeless = await writeOffline(
        { 'a.md': '# A\n', 'b.md': '# B\n' },
        { validate: () => [issue(1, 'Nobody can mend this')] },
      );
      // As it was meant, and three times in a fence; then the next chapter is written.
      expect(hopeless.labels).toEqual([...Array<string>(4).fill('a_md'), ...Array<string>(4).fill('b_md')]);
      expect(hopeless.state.status).toBe('completed');
    });
  });
});
