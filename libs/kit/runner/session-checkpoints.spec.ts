import { ManuscriptStore } from '#storage/manuscript-store.js';
import { sessionFixture, type SessionFixture } from '#testing/session-fixture.js';
import { SessionCheckpoints } from './services.js';

describe('SessionCheckpoints', () => {
  let fixture: SessionFixture;
  let manuscripts: ManuscriptStore;

  const checkpoints = (kept = 100) =>
    new SessionCheckpoints(fixture.db, fixture.store, manuscripts, fixture.run, kept);
  const textOf = async (id: string) => {
    const row = await fixture.db.namedCheckpoint.findFirstOrThrow({ where: { id } });
    return Buffer.from(await fixture.store.getBytes(row.objectKey)).toString('utf8');
  };
  const version = async (text: string) => (await manuscripts.append(null, text)).pointer;

  beforeEach(async () => {
    fixture = await sessionFixture();
    manuscripts = new ManuscriptStore(fixture.store, fixture.run.tenantId, fixture.run.sessionId);
  });
  afterEach(() => fixture.stop());

  it('D11 D30 stores the text under a time and the label, and never overwrites a checkpoint', async () => {
    const [one, two] = [await version('# One\n'), await version('# Two\n')];
    const create = (manuscript: string, effectKey: string) =>
      checkpoints().create({ label: 'chapter_1', manuscript, effectKey, validated: true });
    const ids = [await create(one, 'a'), await create(two, 'b'), await create(one, 'c')];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^\d{8}_\d{6}_chapter_1(_\d+)?\.md$/);
    expect(await Promise.all(ids.map(textOf))).toEqual(['# One\n', '# Two\n', '# One\n']);
  });

  it('X4 creates one checkpoint per effect, even if the step is repeated concurrently', async () => {
    const manuscript = await version('# One\n');
    const ids = await Promise.all(
      Array.from({ length: 10 }, () =>
        checkpoints().create({ label: 'l', manuscript, effectKey: 'step/call', validated: false }),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await fixture.db.namedCheckpoint.count()).toBe(1);
  });

  it('X4 writes the text that a crashed runner did not write', async () => {
    const manuscript = await version('# One\n');
    const create = () => checkpoints().create({ label: 'l', manuscript, effectKey: 'k', validated: false });
    const id = await create();
    const { objectKey } = await fixture.db.namedCheckpoint.findFirstOrThrow({ where: { id } });
    await fixture.store.delete(objectKey);
    expect(await create()).toBe(id);
    expect(await textOf(id)).toBe('# One\n');
  });

  it('D31 keeps the configured number of newest checkpoints', async () => {
    const ids: string[] = [];
    for (const index of [1, 2, 3, 4]) {
      const manuscript = await version(`# ${index}\n`);
      ids.push(
        await checkpoints(2).create({
          label: `c${index}`,
          manuscript,
          effectKey: `k${index}`,
          validated: true,
        }),
      );
    }
    const left = await fixture.db.namedCheckpoint.findMany({ orderBy: { createdAt: 'asc' } });
    expect(left.map(({ id }) => id)).toEqual(ids.slice(2));
    const objects: string[] = [];
    for await (const { key } of fixture.store.list(left[0]!.objectKey.replace(/[^/]+$/, '')))
      objects.push(key);
    expect(objects).toHaveLength(2);
  });

  it('D32 returns the pointer of a checkpoint, or null if it does not exist', async () => {
    const manuscript = await version('# One\n');
    const id = await checkpoints().create({ label: 'l', manuscript, effectKey: 'k', validated: true });
    expect(await checkpoints().restore(id)).toBe(manuscript);
    expect(await checkpoints().restore('20000101_000000_none.md')).toBeNull();
  });
});
