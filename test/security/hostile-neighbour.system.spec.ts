import type { ApiClient, RunView } from '#testing/api-client.js';
import { HARD_MARKDOWN } from '#testing/hard-markdown.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { strToU8, zipSync } from 'fflate';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { HOSTILE_PDFS } from './hostile-pdfs.js';
import { cpuSecondsOf, memoryLimit, mostMemory } from './process-limits.js';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
/** Characters of a large source. */
const LARGE_SIZE = 1_000_000;

/** A Word file that unpacks to some hundred times its size. */
function largeWord(paragraphs: number): Uint8Array {
  const body = '<w:p><w:r><w:t>a b c d e f g h</w:t></w:r></w:p>'.repeat(paragraphs);
  const document = strToU8(`<w:document ${W}><w:body>${body}</w:body></w:document>`);
  return zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'word/document.xml': document });
}

/** Files by name. */
type Sources = Record<string, string | Uint8Array>;

/** Shapes of markdown that are sent alone, and large. */
const LARGE = ['closing brackets', 'asterisks', 'less-than signs'];
/** The scribe meets each of them at either depth, too. */
const OTHERS = Object.keys(HARD_MARKDOWN).filter((name) => !LARGE.includes(name));

/** What a tenant sends: what it is, the files. */
const CASES: [string, () => Sources][] = [
  ...LARGE.map((name): [string, () => Sources] => [
    name,
    () => ({ [`${name}.md`]: HARD_MARKDOWN[name]!(LARGE_SIZE) }),
  ]),
  [
    'other hard shapes of markdown',
    () => Object.fromEntries(OTHERS.map((name) => [`${name}.md`, HARD_MARKDOWN[name]!(LARGE_SIZE / 40)])),
  ],
  [
    'documents that unpack to many times their size, and a table as long as a book',
    () => ({
      ...Object.fromEntries(HOSTILE_PDFS.map(([, name, make]) => [name, make()] as const)),
      'large.docx': largeWord(0.4 * LARGE_SIZE),
      'long.csv': `a,b\n${'1,2\n'.repeat(0.11 * LARGE_SIZE)}`,
    }),
  ],
];
/** Other processes of the machine may get in the way of a measurement; what a source costs, it costs each time. */
const ATTEMPTS = 3;
/** Of CPU time, which other processes of the machine do not lengthen: far less than the work that is cancelled would take. */
const SOON_SECONDS = 2;

const median = (times: number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1]!;

/** What one tenant sends costs another nothing, ends, and stays within the memory that the manifests give. Measured, so not beside other specs. */
describe('a tenant beside hostile sources', () => {
  let stack: TestStack;
  let hostile: ApiClient;
  let neighbour: ApiClient;
  let pids: Record<string, number>;
  /** What the neighbour's runs took when this was last measured. */
  let last: number;

  beforeAll(async () => {
    stack = await TestStack.start({ workers: { tools: 0 } });
    [hostile, neighbour] = [await stack.tenant('hostile'), await stack.tenant('neighbour')];
    // Threads are made, and code is compiled, with the first run.
    await sample();
    pids = stack.pids();
    last = await usual();
  });
  afterAll(() => stack.stop());

  /** Milliseconds that a small run of the neighbour takes. */
  async function sample(): Promise<number> {
    const sessionId = await neighbour.sessionWith({ 'a.md': '# A\n\nHello.\n', 'b.log': 'one\ntwo\n' });
    const begun = performance.now();
    await neighbour.completed((await neighbour.startRun(sessionId)).id);
    return performance.now() - begun;
  }

  /** What the neighbour's runs take while a process that has nothing to do with us keeps one core busy, as a hostile run does. */
  async function usual(): Promise<number> {
    const other = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    const times: number[] = [];
    while (times.length < 3) times.push(await sample());
    other.kill('SIGKILL');
    await once(other, 'exit');
    return median(times);
  }

  /** The hostile run to its end, or to a question; and what the neighbour's runs took meanwhile. */
  async function beside(sources: Sources) {
    const run = await hostile.startRun(await hostile.sessionWith(sources));
    let isOver = false;
    const ended = hostile
      .events(run.id, ({ type }) => type === 'decision_required')
      .finally(() => (isOver = true));
    const times: number[] = [];
    while (!isOver) times.push(await sample());
    const asked = (await ended).at(-1)?.type === 'decision_required';
    const question = asked ? await hostile.decision(run.id) : null;
    if (asked) await hostile.post(`/api/agents/runs/${run.id}/cancel`);
    return { times, question, run: await hostile.run(run.id) };
  }

  /** All is carried whole; or it is said which file is too much. */
  function expectTold(names: string[], run: RunView, question: unknown): void {
    if (run.status === 'completed') expect(run.progress.details['coverage']).toBe(1);
    else
      expect(JSON.stringify([run.status, run.error, question])).toMatch(
        new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|')),
      );
  }

  it.each(CASES)(
    '%s: ended or named, and the other tenant’s runs take at most twice their usual time',
    async (_, make) => {
      const sources = make();
      const ratios: number[] = [];
      while (ratios.length < ATTEMPTS && !(ratios.at(-1)! <= 2)) {
        const before = last;
        const { times, run, question } = await beside(sources);
        expectTold(Object.keys(sources), run, question);
        // The machine may have more or less to do by now than before.
        last = await usual();
        ratios.push(median(times) / Math.max(before, last));
      }
      expect(Math.min(...ratios)).toBeLessThanOrEqual(2);
    },
    300_000,
  );

  it('a cancel frees the threads at once', async () => {
    const names = ['agent-runner', 'scanner', 'validator', 'converter'];
    const busy = () => names.reduce((sum, name) => sum + cpuSecondsOf(pids[name]!), 0);
    const seconds: number[] = [];
    while (seconds.length < ATTEMPTS && !(seconds.at(-1)! < SOON_SECONDS)) {
      const run = await hostile.startRun(await hostile.sessionWith({ 'large.docx': largeWord(400_000) }));
      const begun = busy();
      await until(
        'a second of CPU time',
        () => busy() - begun,
        (seconds) => seconds > 1,
      );
      await hostile.post(`/api/agents/runs/${run.id}/cancel`);
      const cancelled = busy();
      // A whole tenth of a second in which all of them together take less than a fifth of a core.
      await until(
        'less than a fifth of a core',
        async () => {
          const [from, at] = [busy(), performance.now()];
          await new Promise((resolve) => setTimeout(resolve, 100));
          return (busy() - from) / ((performance.now() - at) / 1_000);
        },
        (cores) => cores < 1 / 5,
      );
      seconds.push(busy() - cancelled);
      expect((await hostile.run(run.id)).status).toBe('cancelled');
    }
    expect(Math.min(...seconds)).toBeLessThan(SOON_SECONDS);
  });

  it('no process died or grew past what its manifest gives it', () => {
    expect(stack.pids()).toEqual(pids);
    const most = Object.entries(pids).map(([name, pid]) => [name, mostMemory(pid)] as const);
    expect(most.filter(([name, kb]) => kb >= memoryLimit(name))).toEqual([]);
  });
});
