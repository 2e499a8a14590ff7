import { projectRoot } from '#embedded/project-root.js';
import { copyApps, type CopiedApps, type Replacement } from '#testing/copied-apps.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { TestStack } from '#testing/test-stack.js';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CONTRACT, GATEWAY, OF_A_KIND, OF_A_TASK, RUNNER } from './added-lines.js';

const root = projectRoot();

/** Output of a process of a copy that is started without a line. */
function refusal({ appsDir }: CopiedApps, app: string, { url }: TestDatabase): string {
  const env = { PATH: process.env['PATH'], DATABASE_URL: url, STORAGE_DIR: join(appsDir, 'objects') };
  const { status, stderr } = spawnSync(process.execPath, [join(appsDir, app, 'src/main.js')], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(status).toBe(1);
  return stderr;
}

/** The kind of the tests and its task, added to a copy of the product as docs/ADDING.md describes. */
describe('a kind and a task are added by the lines that docs/ADDING.md names', () => {
  let database: TestDatabase;
  const copies: CopiedApps[] = [];
  const copyWith = async (replaced: Replacement[]) => {
    const copy = await copyApps(root, replaced);
    copies.push(copy);
    return copy;
  };
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await Promise.all(copies.map(({ remove }) => remove()));
    await database.drop();
  });

  it('a process that lacks a line does not start, and says where to add it', async () => {
    const onlyContract = await copyWith(OF_A_KIND[CONTRACT]!);
    const missing = 'tiny has a contract only: add its line to';
    expect(refusal(onlyContract, 'gateway', database)).toContain(`${missing} ${GATEWAY}.ts`);
    expect(refusal(onlyContract, 'agent-runner', database)).toContain(`${missing} ${RUNNER}.ts`);
    expect(refusal(onlyContract, 'converter', database)).toContain(
      "The queue converter lacks handlers: add a class with @TaskHandler('tiny_shout')",
    );
  });

  it('with all lines, a run of the kind starts, uses the worker, asks its question and ends', async () => {
    const { appsDir } = await copyWith([...Object.values(OF_A_KIND).flat(), ...OF_A_TASK]);
    const stack = await TestStack.start({ appsDir, fewProcesses: true });
    try {
      const tenant = await stack.tenant();
      const sessionId = (await tenant.post('/api/sessions', {})).json.id as string;
      const run = { session_id: sessionId, kind: 'tiny', inputs: { word: 'a' } };
      const runId = (await tenant.post('/api/agents/runs', run)).json.id as string;
      const decision = await tenant.decision(runId);
      await tenant.post(`/api/decisions/${decision.id}/answer`, { word: 'a' });
      await tenant.completed(runId);
      const words = await tenant.get(`/api/sessions/${sessionId}/results/tiny/words`);
      expect(words.text.split('\n')).toEqual(['a', 'A', 'chosen a', 'end']);
    } finally {
      await stack.stop();
    }
  });
});
