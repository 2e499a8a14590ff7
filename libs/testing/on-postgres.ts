import pg from 'pg';

/** Runs SQL on a connection of its own, which may be ended by the very fault that it makes. */
export async function onPostgres(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(sql).finally(() => client.end().catch(() => undefined));
}
