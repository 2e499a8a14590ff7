import type pg from 'pg';

/**
 * Keeps BullMQ from storing its event stream: nothing here reads it, and its rows would name runs and tasks long after they were
 * deleted. Rows that were stored before are removed.
 *
 * @param client whose search_path is BullMQ's schema, after its migrations
 */
export async function storeNoEvents(client: pg.ClientBase): Promise<void> {
  const found = await client.query(
    `SELECT 1 FROM pg_trigger WHERE tgrelid = 'event'::regclass AND tgname = 'store_no_events'`,
  );
  if (found.rowCount !== 0) return;
  // One transaction, as statements sent together are. Several processes start at once: the second replaces the same by the same.
  await client.query(`
    SELECT pg_advisory_xact_lock(hashtext('store_no_events'));
    CREATE OR REPLACE FUNCTION store_no_events() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE OR REPLACE TRIGGER store_no_events BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION store_no_events();
    DELETE FROM event`);
}
