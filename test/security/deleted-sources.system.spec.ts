import { createDatabase, type Database } from '#db/client.js';
import type { ApiClient } from '#testing/api-client.js';
import { queueColumns } from '#testing/columns.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { createObjectStore } from '#storage/create-object-store.js';
import { objectKeys, redisKeysWith, tablesWith, type Places } from './traces.js';

/** A unique word of each text. */
const [MINE, THEIRS] = ['quimbazole', 'vexadorine'];

describe.each(queueColumns())('sources that are deleted, queue: $name', (queue) => {
  let stack: TestStack;
  let db: Database;
  let places: Places;
  let owner: ApiClient;
  let neighbour: ApiClient;

  beforeAll(async () => {
    stack = await TestStack.start({ queue, fewProcesses: true });
    db = createDatabase(stack.database.url, 2);
    const store = createObjectStore({ kind: 'directory', root: stack.env.STORAGE_DIR! });
    places = { db, store, stack };
    [owner, neighbour] = [await stack.tenant('owner'), await stack.tenant('neighbour')];
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.stop();
  });

  /** A collection with a searchable note and a searchable file. */
  async function filled(client: ApiClient, word: string): Promise<{ id: string; path: string }> {
    const { json } = await client.post('/api/knowledge/collections', { name: 'x' });
    const id = String(json.id);
    const path = `/api/knowledge/collections/${id}`;
    await client.post(`${path}/sources`, { name: 'note', text: `The ${word} of the note.` });
    const form = new FormData();
    form.append('file', new Blob([`# File\n\nThe ${word} of the file.`]), 'file.md');
    await client.request('POST', `${path}/sources`, form);
    await until(
      'two ready sources',
      async () => (await client.get(path)).json.sources_by_state as { ready?: number },
      ({ ready }) => ready === 2,
    );
    return { id, path };
  }
  const hits = async (client: ApiClient, id: string, query: string) =>
    (await client.post('/api/knowledge/search', { collections: [id], query })).json.hits as unknown[];

  it('and deleted collections leave no trace in the database, the store and the queue; another tenant keeps the same file', async () => {
    const mine = await filled(owner, MINE);
    const theirs = await filled(neighbour, MINE);
    const others = await filled(neighbour, THEIRS);
    const { items } = (await owner.get(`${mine.path}/sources`)).json as {
      items: { id: string; name: string }[];
    };
    const [note, file] = ['note', 'file.md'].map((name) => items.find((one) => one.name === name)!.id);
    expect((await owner.request('DELETE', `${mine.path}/sources/${note}`)).status).toBe(204);
    expect(await hits(owner, mine.id, MINE)).toHaveLength(1);
    expect(await hits(neighbour, theirs.id, MINE)).toHaveLength(2);
    expect((await objectKeys(places)).filter((key) => key.includes(mine.id))).toHaveLength(3);
    expect((await owner.request('DELETE', mine.path)).status).toBe(204);
    expect((await owner.get(mine.path)).status).toBe(404);
    // The audit log still lists the deletion; the purge empties its folder again later.
    const isKept = (table: string) => /audit_log|purges/.test(table);
    for (const id of [mine.id, note!, file!]) {
      expect((await tablesWith(places, id)).filter((table) => !isKept(table))).toEqual([]);
      expect(await redisKeysWith(places, id)).toEqual([]);
    }
    expect((await objectKeys(places)).filter((key) => key.includes(mine.id))).toEqual([]);

    // One of two sources: its words are gone once a worker has rewritten its segments of the index.
    expect(await tablesWith(places, THEIRS)).not.toEqual([]);
    const { items: left } = (await neighbour.get(`${others.path}/sources`)).json as {
      items: { id: string }[];
    };
    for (const { id } of left) await neighbour.request('DELETE', `${others.path}/sources/${id}`);
    await until(
      `no table with ${THEIRS}`,
      () => tablesWith(places, THEIRS),
      (tables) => tables.length === 0,
    );
    expect(await redisKeysWith(places, THEIRS)).toEqual([]);
    expect((await objectKeys(places)).filter((key) => key.includes(others.id))).toEqual([]);
    expect(await hits(neighbour, theirs.id, MINE)).toHaveLength(2);
    expect(stack.lines.join('\n')).not.toMatch(new RegExp(`${MINE}|${THEIRS}`));
  });
});
