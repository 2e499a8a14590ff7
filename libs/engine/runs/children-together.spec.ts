import '#testing/tiny-kind/register.js';
import { newId } from '#contracts/ids.js';
import { DecisionRepository } from '#db/repositories/decisions.js';
import { statementsIn } from '#db/statements.js';
import { createObjectStore } from '#storage/create-object-store.js';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { createTestStorage, type TestStorage } from '#testing/storage.js';
import { TinyDefinition } from '#testing/tiny-kind/definition.js';
import { until } from '#testing/until.js';
import { afterCompletion, writeCompletion } from '../tasks/complete.js';
import { answerDecision } from '../decisions/answer.js';
import { startRun } from './start.js';

/** Time limit of a transaction: above the limit of the wait within it, whose error says more. */
const TIMEOUT_MS = 150_000;

describe.each(queueColumns())('X4 two children of a run on $name', (column) => {
  let bed: EngineBed;
  let storage: TestStorage;
  let tenantId: string;

  beforeAll(async () => {
    storage = await createTestStorage({ name: 'directory' });
    bed = await EngineBed.open(column);
    tenantId = await bed.tenant();
    bed.runner({ tiny: new TinyDefinition(createObjectStore(storage.config)) });
    bed.workers();
  });
  afterAll(async () => {
    await bed.close();
    await storage.drop();
  });

  /** A parent that waits for two children, one of which asks a person. */
  const family = async () => {
    const sessionId = newId('ses');
    await bed.db.session.create({ data: { id: sessionId, tenantId } });
    const run = { tenantId, sessionId, kind: 'tiny', mode: 'ask_child', graphVersion: '1' };
    const { id: parentId } = await startRun(bed.engine, { ...run, inputs: { word: 'p' } });
    const question = (await until('the question of the child', async () => {
      const child = await bed.db.run.findFirst({ where: { parentRunId: parentId } });
      return child && (await new DecisionRepository(bed.db).open(tenantId, [child.id]))[0];
    }))!;
    const [task] = await bed.tasks(parentId);
    const other = { ...task!, id: newId('tsk'), interruptId: 'other', input: {}, output: {}, error: {} };
    await bed.db.task.create({ data: other });
    return { parentId, question, otherTask: other.id };
  };

  const isBlocked = async () => {
    const blocked = await bed.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%/* complete task */%'`;
    return blocked.length > 0;
  };

  it('that end at the same moment resume it immediately', async () => {
    const { parentId, question, otherTask } = await family();
    const ended = await bed.db.$transaction(
      async (tx) => {
        const row = await writeCompletion(statementsIn(tx), {
          taskId: otherTask,
          runId: parentId,
          result: { ok: true, output: {} },
          by: 'other',
          event: { type: 'child_run', data: { status: 'completed' } },
        });
        // This child's end is written while the other's is not committed yet.
        await answerDecision(bed.engine, question, { body: { word: 'pp' }, uploads: new Map() }, 'key');
        await until('the end of one child waits for that of the other', isBlocked);
        return row;
      },
      { timeout: TIMEOUT_MS },
    );
    await afterCompletion(bed.engine, otherTask, ended!);
    await bed.until(parentId);
    expect(await bed.words(parentId)).toEqual(['p', 'completed: pp,PP,chosen pp,end', 'end']);
  });
});
