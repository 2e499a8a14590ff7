import { writeOffline } from '#testing/write-offline.js';

/** Forty files: one is longer than a page, one is markdown. */
const FILES = Array.from({ length: 40 }, (_, index): [string, string] => {
  if (index === 20) return ['f20.md', '# Between\n\nWords.\n'];
  const lines = Array.from({ length: index === 5 ? 400 : 3 }, (__, line) => `\tstep(${index}, ${line})`);
  return [`f${String(index).padStart(2, '0')}.go`, `package f${index}\n${lines.join('\n')}\n`];
});
/** With an empty line of the chapter's own between heading and fence. */
const WRITTEN = FILES.map(([name, text]) =>
  name.endsWith('.md') ? text : `# Source code: ${name}\n\n\`\`\`go\n${text}\`\`\`\n`,
);

describe('many files', () => {
  it('are written in batches between two validations, in their order, each completely and once', async () => {
    const { manuscript, labels } = await writeOffline(Object.fromEntries(FILES), { pageBytes: 2_000 });
    expect(plain(manuscript)).toEqual(plain(WRITTEN.join('\n')));
    expect(labels).toEqual(['f19_go', 'f20_md', 'f39_go']);
  });

  it('are written in smaller batches if they are large', async () => {
    const large = Array.from({ length: 30 }, (_, index): [string, string] => [
      `f${String(index + 1).padStart(2, '0')}.go`,
      `package f${index}\n${'\tstep()\n'.repeat(5_000)}`,
    ]);
    const { manuscript, labels } = await writeOffline(Object.fromEntries(large));
    expect(labels).toEqual(['f06_go', 'f12_go', 'f18_go', 'f24_go', 'f30_go']);
    for (const [, text] of large) expect(manuscript).toContain(text);
  });
});

/** Lines without the length of fences, which grows where the end of a file is not in sight. */
const plain = (markdown: string) => markdown.split('\n').map((line) => line.replace(/^`{3,}/, '```'));
