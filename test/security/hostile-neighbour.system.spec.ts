import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { ApiClient, RunView } from '#testing/api-client.js';
import { HARD_MARKDOWN } from '#testing/hard-markdown.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { strToU8, zipSync } from 'fflate';
import { HOSTILE_PDFS } from './hostile-pdfs.js';
import { memoryLimit, mostMemory } from './process-limits.js';
import { MAX_ENDED_BEFORE, TaskLog } from './task-log.js';

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

/** Forms of Markdown that are sent alone, in large size. */
const LARGE = ['closing brackets', 'asterisks', 'less-than signs'];
/** Forms that the scribe processes at either depth. */
const OTHERS = Object.keys(HARD_MARKDOWN).filter((name) => !LARGE.includes(name));

/** A tenant's hostile sources: description and files. */
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

/** Sources of one tenant do not delay another, end, and stay within the memory limits of the manifests. */
describe('another tenant during hostile sources', () => {
  let stack: TestStack;
  let db: Database;
  let log: TaskLog;
  let hostile: ApiClient;
  let neighbour: ApiClient;
  let pids: Record<string, number>;

  beforeAll(async () => {
    stack = await TestStack.start({ workers: { tools: 0 } });
    db = createDatabase(stack.database.url, 2);
    log = await TaskLog.open(db);
    [hostile, neighbour] = [await stack.tenant('hostile'), await stack.tenant('neighbour')];
    const { id } = await db.tenant.findFirstOrThrow({ where: { name: 'hostile' } });
    await new TenantRepository(db).setLimits(id, { maxActiveRuns: 100 });
    await smallRun();
    pids = stack.pids();
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.stop();
  });

  /** Runs a small run of the neighbour to its end and returns its id. */
  async function smallRun(): Promise<string> {
    const sessionId = await neighbour.sessionWith({ 'a.md': '# A\n\nHello.\n', 'b.log': 'one\ntwo\n' });
    const { id } = await neighbour.startRun(sessionId);
    await neighbour.completed(id);
    return id;
  }

  const cancel = (runId: string) => hostile.post(`/api/agents/runs/${runId}/cancel`);

  /** Runs the sources to the end of the run, or to a question. */
  async function endOf(sources: Sources) {
    const { id } = await hostile.startRun(await hostile.sessionWith(sources));
    const events = hostile.events(id, ({ type }) => type === 'decision_required');
    await smallRun();
    const asked = (await events).at(-1)?.type === 'decision_required';
    const question = asked ? await hostile.decision(id) : null;
    if (asked) await cancel(id);
    return { question, run: await hostile.run(id) };
  }

  /** The document carries everything, or the run names the file that is too large. */
  function expectTold(names: string[], run: RunView, question: unknown): void {
    if (run.status === 'completed') expect(run.progress.details['coverage']).toBe(1);
    else
      expect(JSON.stringify([run.status, run.error, question])).toMatch(
        new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|')),
      );
  }

  it.each(CASES)('%s: processed or reported, while the run of another tenant completes', async (_, make) => {
    const sources = make();
    const { run, question } = await endOf(sources);
    expectTold(Object.keys(sources), run, question);
  });

  it.each([12, 24])(
    'completes the other tenant’s tasks before those of a flood of %d large sources',
    async (count) => {
      const sources = { 'large.docx': largeWord(LARGE_SIZE / 2.5) };
      const runs: string[] = [];
      while (runs.length < count) runs.push((await hostile.startRun(await hostile.sessionWith(sources))).id);
      await until(
        'each run of the flood has a task',
        () => log.created(runs),
        (created) => created === count,
      );
      const id = await smallRun();
      for (const run of runs) await cancel(run);
      const waits = await log.waitsOf(id, runs);
      expect(waits.length).toBeGreaterThan(0);
      expect(waits.filter(({ others }) => others > MAX_ENDED_BEFORE)).toEqual([]);
    },
  );

  // A cancel reaches only the agent-runner: a worker reads the source to its end, or to its time limit.
  it('a cancel ends the run between its sources, and none of its tasks starts afterwards', async () => {
    const files = Array.from({ length: 2 }, (_, index) => [`${index}.docx`, largeWord(400_000)] as const);
    const run = await hostile.startRun(await hostile.sessionWith(Object.fromEntries(files)));
    await until('the worker has begun', () => log.begun([run.id]));
    await cancel(run.id);
    expect((await hostile.run(run.id)).status).toBe('cancelled');
    await smallRun();
    expect(await log.begun([run.id])).toBe(1);
  });

  it('no process ended or exceeded the memory of its manifest', () => {
    expect(stack.pids()).toEqual(pids);
    const most = Object.entries(pids).map(([name, pid]) => [name, mostMemory(pid)] as const);
    expect(most.filter(([name, kb]) => kb >= memoryLimit(name))).toEqual([]);
  });
});
