import pg from 'pg';

/** Runs SQL on a separate connection, and tolerates that the SQL ends this connection too. */
export async function onPostgres(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(sql).finally(() => client.end().catch(() => undefined));
}
