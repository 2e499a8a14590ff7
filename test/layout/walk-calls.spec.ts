import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startModelStub } from '#testing/model-stub.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { MODEL_CALL, readWalk } from './walk.js';

/** Schemas, texts, rows, objects, logs and metrics, which all of the code uses. */
const GROUND =
  /^libs\/(?:contracts|catalogue|db|storage|telemetry|gateway\/metrics|\w+\/(?:contract|prompts))\//;
/** Timers and listeners of idle processes, which a recording contains by chance. */
const IDLE =
  /^libs\/(?:engine\/(?:recovery|events\/(?:listener|wakes)|queue\/(?:backend|failed-jobs)|tasks\/resolved-letters|decisions\/(?:early-answers|reminders))|gateway\/(?:schedules|webhooks|tenants\/purge)|knowledge)/;

/** The processes through which the work passes. */
const PROCESSES = ['gateway', 'agent-runner', 'scanner'];

interface CalledScript {
  url: string;
  functions: { name: string; start: number }[];
}

/**
 * Returns the source of a script if the work passed through it: an asynchronous function or an interceptor was called. The others
 * only compute.
 */
async function passedSource({ url, functions }: CalledScript): Promise<string[]> {
  const dist = join(process.cwd(), 'dist');
  if (!url.startsWith(`${pathToFileURL(dist).href}/libs/`) || functions.length === 0) return [];
  const text = await readFile(fileURLToPath(url), 'utf8');
  const isPassed = functions.some(
    ({ name, start }) => name === 'intercept' || text.startsWith('async', start),
  );
  return isPassed ? [relative(dist, fileURLToPath(url)).replace(/\.js$/, '.ts')] : [];
}

describe('the walk to the first call of the model in docs/ARCHITECTURE.md', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'scriptorium-calls-'))));
  afterAll(() => rm(folder, { recursive: true }));

  /** Returns what each of these processes called since the last recording. */
  async function record(stack: TestStack, number: number): Promise<CalledScript[]> {
    const pids = PROCESSES.map((name) => stack.pids()[name]!);
    for (const pid of pids) process.kill(pid, 'SIGUSR2');
    const isOfThis = (name: string) => name.endsWith(`-${number}.json`);
    const names = await until(
      'the recordings of all processes',
      async () => (await readdir(folder)).filter(isOfThis),
      (found) => found.length === pids.length,
    );
    const recordings = names.map((name) => readFile(join(folder, name), 'utf8'));
    return (await Promise.all(recordings)).flatMap((text) => JSON.parse(text) as CalledScript[]);
  }

  it('names every file through which the work passes, and none that does not run', async () => {
    let asked: () => void;
    const firstCall = new Promise<void>((resolve) => (asked = resolve));
    let called: Promise<CalledScript[]> | undefined;
    let started: TestStack | undefined;
    const model = await startModelStub({
      respond: async () => {
        called ??= record(started!, 2);
        await called;
        asked();
        return { status: 400 };
      },
    });
    try {
      const stack = (started = await TestStack.start({
        env: {
          OPENAI_API_KEY: 'sk-of-the-test',
          OPENAI_BASE_URL: model.baseUrl,
          OPENAI_MODEL: 'stub-model',
          NODE_OPTIONS: `--import=${pathToFileURL(join(process.cwd(), 'test/layout/record-calls.js')).href}`,
          RECORDED_CALLS: folder,
        },
      }));
      const client = await stack.tenant();
      const session = await client.sessionWith({ 'notes.md': '# Notes\n\nHello there.\n' });
      await record(stack, 1);
      const { status } = await client.request('POST', '/api/agents/runs', { session_id: session });
      expect(status).toBe(202);
      await firstCall;
    } finally {
      await started?.stop();
      await model.stop();
    }
    const scripts = await called!;
    const passed = new Set((await Promise.all(scripts.map(passedSource))).flat());
    const ran = scripts.filter(({ functions }) => functions.length > 0).map(({ url }) => url);
    const { files } = readWalk(MODEL_CALL);
    const missing = [...passed].filter(
      (file) => !GROUND.test(file) && !IDLE.test(file) && !files.includes(file),
    );
    expect(missing.sort()).toEqual([]);
    expect(
      files.filter((file) => !ran.some((url) => url.endsWith(`/dist/${file.replace(/\.ts$/, '.js')}`))),
    ).toEqual([]);
  });
});
