import { exampleFiles } from '#testing/examples.js';
import { queueColumns } from '#testing/columns.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';

/** Process IDs of an app, oldest first, from their log lines. */
function pidsOf(stack: TestStack, app: string): number[] {
  const ready = stack.lines.filter((line) => line.startsWith(app) && line.includes('"event":"ready"'));
  return ready.map((line) => (JSON.parse(line.slice(line.indexOf('{'))) as { pid: number }).pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('draining', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await TestStack.start({ queue: queueColumns().at(-1)!, workers: { 'agent-runner': 2 } });
  });
  afterAll(() => stack.stop());

  it('ends each worker on SIGTERM during a run, which still completes', async () => {
    const tenant = await stack.tenant();
    const run = await tenant.startRun(await tenant.sessionWith(exampleFiles('handover')));
    for (const app of ['agent-runner', 'scanner', 'validator', 'converter', 'tools']) {
      const pid = pidsOf(stack, `${app} `).at(-1)!;
      process.kill(pid, 'SIGTERM');
      await until(`the ${app} ${pid} has ended`, () => !isAlive(pid));
    }
    await tenant.completed(run.id);
  });
});
