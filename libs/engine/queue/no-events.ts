import type pg from 'pg';

/**
 * Stops BullMQ from storing its event stream and deletes stored events: nothing here reads them, and they
 * would contain the IDs of runs and tasks long after those were deleted.
 *
 * @param client its search_path must be BullMQ's schema, after its migrations
 */
export async function storeNoEvents(client: pg.ClientBase): Promise<void> {
  const found = await client.query(
    `SELECT 1 FROM pg_trigger WHERE tgrelid = 'event'::regclass AND tgname = 'store_no_events'`,
  );
  if (found.rowCount !== 0) return;
  // Statements sent together form one transaction. If several processes start at once, the second repeats the
  // same changes.
  await client.query(`
    SELECT pg_advisory_xact_lock(hashtext('store_no_events'));
    CREATE OR REPLACE FUNCTION store_no_events() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE OR REPLACE TRIGGER store_no_events BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION store_no_events();
    DELETE FROM event`);
}
