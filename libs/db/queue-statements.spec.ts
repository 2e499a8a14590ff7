import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import pg from 'pg';
import { queueStatements } from './statements.js';

describe('a client with several users', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('executes one statement at a time, and the next one although one failed', async () => {
    let running = 0;
    let most = 0;
    const query = client.query.bind(client) as (text: string) => Promise<pg.QueryResult>;
    client.query = (async (text: string) => {
      most = Math.max(most, ++running);
      return query(text).finally(() => running--);
    }) as typeof client.query;
    queueStatements(client);
    const results = await Promise.allSettled(
      ['SELECT 1', 'SELECT 1 / 0', 'SELECT 2'].map((text) => client.query(text)),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(most).toBe(1);
  });
});
