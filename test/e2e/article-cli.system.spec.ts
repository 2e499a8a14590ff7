import { cliEnv, runCli } from '#testing/cli.js';
import { sharedStack } from '#testing/shared-stack.js';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples/article');

/** Each command runs in a separate process. */
describe('scriptorium article, with the service', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const stack = await sharedStack();
    env = cliEnv(await stack.tenant());
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-article-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const article = (...args: string[]) => runCli(['article', ...args], { cwd: folder, env });

  it('A9 fills a style corpus, lists it, and shows its fingerprint', async () => {
    const added = await article('corpus', 'add', join(EXAMPLES, 'corpus'), '--author', 'anna');
    expect([added.code, added.stderr]).toEqual([0, '']);
    expect(added.stdout.match(/ own {6}ready {4}en {2}\S+\.md by anna\n/g)).toHaveLength(4);
    await article('corpus', 'add', join(EXAMPLES, 'corpus-pl'), '--source-type', 'external');
    const all = JSON.parse((await article('corpus', 'list', '--json')).stdout) as { source_type: string }[];
    expect(all.map(({ source_type: type }) => type).sort()).toEqual([
      ...Array(4).fill('external'),
      ...Array(4).fill('own'),
    ]);
    expect((await article('corpus', 'fingerprint', '--author', 'anna')).stdout).toContain(
      '4 texts of 653 words, language en',
    );
    const polish = JSON.parse((await article('corpus', 'fingerprint', '--language', 'pl', '--json')).stdout);
    expect(polish).toMatchObject({ language: 'pl', texts: 4, left_out: 4 });
    const none = await article('corpus', 'fingerprint', '--author', 'nobody');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('Add texts')]);
  });

  it('A14 repurposes an article into a file per platform', async () => {
    const source = join(EXAMPLES, 'corpus/01-queues.md');
    const made = await article('repurpose', source, '-o', join(folder, 'out'), '--json');
    const { files, used_fallback: byRules } = JSON.parse(made.stdout) as {
      files: Record<string, string>;
      used_fallback: boolean;
    };
    expect([made.code, byRules, Object.keys(files)]).toEqual([
      0,
      true,
      ['linkedin', 'x_thread', 'newsletter', 'video_script'],
    ]);
    expect(await readFile(files.newsletter!, 'utf8')).toMatch(/^Subject: Why our parcels wait in queues\n/);
    const one = await article('repurpose', source, '-o', join(folder, 'one'), '--platform', 'x_thread');
    expect(one.stdout).toMatch(/by rules, without a model\n {2}\S+x-thread\.md\n$/);
    const unknown = await article('repurpose', source, '-o', join(folder, 'one'), '--platform', 'myspace');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('"myspace" is unknown. Choose from linkedin'),
    ]);
  });
});
