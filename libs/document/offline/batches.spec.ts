import { ScribeSession, type ScribeSessionOptions } from '#testing/scribe-session.js';
import { OfflineScribe } from './offline-scribe.js';

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

async function write(options: ScribeSessionOptions = {}): Promise<ScribeSession> {
  const inputs = FILES.map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]);
  const session = new ScribeSession(new Map(inputs), { pageBytes: 2_000, ...options });
  await session.run(new OfflineScribe());
  return session;
}

describe('many files', () => {
  it('are written in batches between two validations, in their order, each completely and once', async () => {
    const session = await write();
    expect(plain(session.manuscript)).toEqual(plain(WRITTEN.join('\n')));
    expect(session.labels.length).toBeLessThan(10);
    expect(session.steps).toBeLessThan(FILES.length);
  });

  it.each(['append_to_markdown', 'read_file', 'create_checkpoint'])(
    'are completed although %s fails once',
    async (tool) => {
      let failed = 0;
      const session = await write({ failCall: (_, name) => name === tool && failed++ === 0 });
      // A file whose first read failed appears in its place or at the end, but not twice.
      expect(plain(session.manuscript).sort()).toEqual(plain(WRITTEN.join('\n')).sort());
    },
  );
});

/** Lines without the length of fences, which grows where the end of a file is not in sight. */
const plain = (markdown: string) => markdown.split('\n').map((line) => line.replace(/^`{3,}/, '```'));
