import { readTyped } from '../../apps/cli/src/articles/answer-article.js';
import type { Decision } from '../../apps/cli/src/answers/choices.js';
import type { ApiClient } from '#testing/api-client.js';
import { sharedStack } from '#testing/shared-stack.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'dist/apps/cli/src/main.js');

/** A3 articles from a terminal, without a model. */
describe('scriptorium article write', () => {
  let client: ApiClient;
  let folder: string;

  beforeAll(async () => {
    client = await (await sharedStack()).tenant();
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-article-'));
    await writeFile(join(folder, 'wanted.md'), '# Light\n\n## The lamp and its oil\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function write(...args: string[]) {
    const env = {
      PATH: process.env['PATH'],
      SCRIPTORIUM_URL: client.baseUrl,
      SCRIPTORIUM_API_KEY: client.key!,
    };
    const child = spawn(process.execPath, [MAIN, 'article', 'write', ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, stdout, stderr };
  }

  it('A3 writes a cited article from a folder, under the headings that are wanted', async () => {
    const { code, stdout, stderr } = await write(
      ...['The lamp at Marrow Point', join(ROOT, 'examples/book'), '-o', 'article.md'],
      ...['--headings', 'wanted.md', '--keyword', 'oil', '--accept', '--json'],
    );
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ used_fallback: true, sources: expect.any(Number), cost: 0 });
    const article = await readFile(join(folder, 'article.md'), 'utf8');
    expect(article).toMatch(/^# Light\n\n## The lamp and its oil\n/);
    expect(article).toMatch(/\[\^s1\]: .*<\/api\/knowledge\//);
  });

  it('A3 says how to go on when nobody can be asked', async () => {
    const { code, stderr } = await write('Ships', join(ROOT, 'examples/book'), '-o', 'ships.md');
    expect(code).toBe(1);
    expect(stderr).toMatch(/nobody is there to ask[^]*--accept/);
  });

  it('A3 X8 reads what a person types', async () => {
    const draft = { decision_type: 'article_draft', details: { paragraphs: [{ id: 'p1' }, { id: 'p2' }] } };
    const of = (question: object, typed: string) => readTyped(question as Decision, typed);
    expect(await of(draft, 'accept')).toEqual({ action: 'accept' });
    expect(await of(draft, 'reject Too long.')).toEqual({ action: 'reject', feedback: 'Too long.' });
    expect(await of(draft, 'reject 2 Say why.')).toEqual({
      action: 'decide',
      paragraphs: [{ paragraph_id: 'p2', accepted: false, reason: 'Say why.' }],
    });
    expect(await of(draft, 'reject 3')).toBeNull();
    expect(await of(draft, 'reject')).toBeNull();
    const path = join(folder, 'wanted.md');
    expect(await of(draft, path)).toEqual({ action: 'edit', text: await readFile(path, 'utf8') });
    const research = { decision_type: 'article_research', details: {} };
    expect(await of(research, path)).toEqual({
      action: 'approve',
      headings: [
        { level: 1, title: 'Light' },
        { level: 2, title: 'The lamp and its oil' },
      ],
    });
    expect(await of(research, 'reject it')).toBeNull();
  });
});
