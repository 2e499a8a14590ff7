import { migrate } from '#db/migrate.js';
import { startStack, type Stack } from '#embedded/stack.js';
import { ApiClient, type DecisionView } from '#testing/api-client.js';
import { MISSING_IMAGE } from '#testing/examples.js';
import { restoreRelease, type RestoredRelease } from '#testing/release-dump.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RELEASE = join(process.cwd(), 'test/fixtures/releases/8539933f.json.gz');

/** What a person answers to the questions with which runs of the earlier release were parked. */
const ANSWERS: Record<string, Record<string, unknown>> = {
  missing_references: { user_decisions: { [MISSING_IMAGE]: 'skip' } },
  article_research: { action: 'approve' },
  article_draft: { action: 'accept' },
  plan_approval: { approved: true },
  model_failed: { action: 'rules' },
};

/** X4: an installation of an earlier release is upgraded with finished, failed and parked runs of every kind. */
describe('X4 an upgrade from 8539933f', () => {
  let release: RestoredRelease;
  let stack: Stack;
  let client: ApiClient;
  let dataDir: string;
  let before: Record<string, number>;
  let migrated: Record<string, number>;

  beforeAll(async () => {
    release = await restoreRelease(RELEASE);
    before = await release.counts();
    await migrate(release.database.url, join(process.cwd(), 'prisma/migrations'));
    migrated = await release.counts();
    dataDir = await mkdtemp(join(tmpdir(), 'scriptorium-upgrade-'));
    stack = await startStack({
      dataDir,
      fewProcesses: true,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...release.storage.env,
        DATABASE_URL: release.database.url,
        QUEUE_URL: release.database.url,
      },
    });
    client = new ApiClient(stack.url, release.dump.key);
  });
  afterAll(async () => {
    await stack.stop();
    await release.drop();
    await rm(dataDir, { recursive: true });
  });

  const runs = () => Object.entries(release.dump.runs);
  const answer = async ({ id, decision_type, default_answer }: DecisionView) => {
    const body = ANSWERS[decision_type] ?? default_answer;
    const { status, text } = await client.post(`/api/decisions/${id}/answer`, body);
    if (status !== 200) throw new Error(`${decision_type}: ${text}`);
  };
  /** Answers each question of a run until it ends, and returns how it ended. */
  const continued = async (runId: string) => {
    let seen = 0;
    for (;;) {
      const last = (await client.events(runId, ({ type }) => type === 'decision_required', seen)).at(-1)!;
      if (last.type === 'done') return client.run(runId);
      seen = last.seq;
      const { json } = await client.get(`/api/decisions/${String(last.data['decision_id'])}`);
      if (json.status === 'open') await answer(json as DecisionView);
    }
  };

  it('loses no row', () => {
    expect(Object.values(before).reduce((sum, rows) => sum + rows, 0)).toBeGreaterThan(100);
    expect(migrated).toEqual(before);
  });

  it('shows ended runs as they were', async () => {
    const ended = runs().filter(([, { status }]) => status !== 'needs_answer');
    expect(ended.map(([, { status }]) => status)).toEqual(expect.arrayContaining(['completed', 'failed']));
    for (const [name, { id, status }] of ended)
      expect([name, (await client.run(id)).status]).toEqual([name, status]);
  });

  it('completes every parked run after its questions were answered', async () => {
    const parked = runs().filter(([name, { status }]) => status === 'needs_answer' && name !== 'change');
    const ends = await Promise.all(
      parked.map(async ([name, { id }]) => {
        const { status, error } = await continued(id);
        return [name, status, error];
      }),
    );
    expect(ends).toEqual(parked.map(([name]) => [name, 'completed', null]));
  });

  it('accepts a change that was proposed before', async () => {
    const { id } = release.dump.runs['change']!;
    const { status, json } = await client.post(`/api/changes/${id}/accept`, {});
    expect([status, json.state]).toEqual([200, 'accepted']);
  });
});
