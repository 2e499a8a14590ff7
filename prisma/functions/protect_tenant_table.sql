-- Grants tenants access to a table, each to its own rows: by the column tenant_id, and by the session or run that a row belongs
-- to. Each migration that creates a table with rows of tenants calls it.
CREATE OR REPLACE FUNCTION "protect_tenant_table"(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own CONSTANT text := '(SELECT current_setting(''scriptorium.tenant'', true))';
  names text[] := ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = target AND attnum > 0 AND NOT attisdropped);
  parents text[] := '{}';
  visible text;
  sequence text;
BEGIN
  -- Without coalesce, a statement for one row may read all rows of the tenant by an index on tenant_id, and with EXISTS all
  -- runs of the tenant for one event: PostgreSQL plans so while a table is small, and keeps the plan. (IS TRUE hides the
  -- index too, but counts the condition twice for a statement that also names the tenant, so that its pages are sorted.)
  IF 'session_id' = ANY (names) THEN
    parents := parents || format('(SELECT true FROM sessions parent WHERE parent.id = %s.session_id)', target);
  END IF;
  IF 'run_id' = ANY (names) THEN
    parents := parents || format('(SELECT true FROM runs parent WHERE parent.id = %s.run_id)', target);
  END IF;
  IF 'thread_id' = ANY (names) THEN
    parents := parents || format('(SELECT true FROM runs parent WHERE parent.id = %s.thread_id)', target);
  END IF;
  visible := CASE
    WHEN target = 'tenants'::regclass THEN 'id = ' || own
    WHEN 'tenant_id' = ANY (names) THEN format('coalesce(tenant_id = %s, false)', own)
    ELSE array_to_string(parents, ' AND ')
  END;
  IF visible = '' THEN
    RAISE EXCEPTION '% has no column that leads to a tenant', target;
  END IF;
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('DROP POLICY IF EXISTS own_rows ON %s', target);
  -- Reading checks only the row; writing also checks that the session or run of the row is the tenant's.
  EXECUTE format('CREATE POLICY own_rows ON %s TO scriptorium_tenant USING (%s) WITH CHECK (%s)',
    target, visible, array_to_string(ARRAY[visible] || parents, ' AND '));
  EXECUTE format('GRANT %s ON %s TO scriptorium_tenant', privileges, target);
  FOR sequence IN SELECT s.name FROM unnest(names) n, pg_get_serial_sequence(target::text, n) s (name) WHERE s.name IS NOT NULL
  LOOP
    EXECUTE format('GRANT USAGE ON SEQUENCE %s TO scriptorium_tenant', sequence);
  END LOOP;
END
$$;
