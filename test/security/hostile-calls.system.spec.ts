import { createDatabase, type Database } from '#db/client.js';
import type { ApiClient } from '#testing/api-client.js';
import { HostileFlood, runSmallPlan } from '#testing/hostile-flood.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { memoryLimit, mostMemory } from './process-limits.js';
import { MAX_ENDED_BEFORE, TaskLog } from './task-log.js';

const PLANS = 4;
const CALLS = 50;

describe('another tenant during hostile calls', () => {
  let flood: HostileFlood;
  let stack: TestStack;
  let db: Database;
  let log: TaskLog;
  let hostile: ApiClient;
  let neighbour: ApiClient;
  let pids: Record<string, number>;

  beforeAll(async () => {
    flood = await HostileFlood.open();
    stack = await TestStack.start({ env: flood.env });
    db = createDatabase(stack.database.url, 2);
    log = await TaskLog.open(db);
    [hostile, neighbour] = [await stack.tenant('hostile'), await stack.tenant('neighbour')];
    pids = stack.pids();
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.stop();
    flood.close();
  });

  it('API4 serves the calls of the other tenant before those of a flood of any size', async () => {
    const runs = await flood.start(hostile, PLANS, CALLS);
    await until(
      'each plan of the flood has its calls',
      () => log.created(runs),
      (created) => created >= PLANS,
    );
    for (let round = 0; round < 3; round++) {
      const { id } = await runSmallPlan(neighbour);
      const waits = await log.waitsOf(id, runs);
      expect(waits).toHaveLength(3);
      expect(waits.filter(({ others }) => others > MAX_ENDED_BEFORE)).toEqual([]);
    }
    for (const run of runs) await hostile.post(`/api/agents/runs/${run}/cancel`);
  });

  it('no process ended or exceeded the memory of its manifest', () => {
    expect(stack.pids()).toEqual(pids);
    const most = Object.entries(pids).map(([name, pid]) => [name, mostMemory(pid)] as const);
    expect(most.filter(([name, kb]) => kb >= memoryLimit(name))).toEqual([]);
  });
});
