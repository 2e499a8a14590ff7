-- The second wall between tenants. Requests of a tenant run under the role scriptorium_tenant, with the tenant in the setting
-- scriptorium.tenant; policies hold for that role alone. The owner of the tables (engine, workers, admin) is not bound by
-- them, so its statements cost what they did before.
DO $$
DECLARE
  needed text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'scriptorium_tenant') THEN
    BEGIN
      CREATE ROLE scriptorium_tenant NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- another database of this server was migrated at the same time
    END;
  END IF;
  IF NOT pg_has_role(current_user, 'scriptorium_tenant', needed) THEN
    EXECUTE format('GRANT scriptorium_tenant TO %I', current_user);
  END IF;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'the role scriptorium_tenant is needed and % may not make it; let an administrator of the server run: '
    'CREATE ROLE scriptorium_tenant NOLOGIN; GRANT scriptorium_tenant TO %;', current_user, quote_ident(current_user);
END
$$;

-- Lets tenants use a table, each its own rows: by its column tenant_id, and by the session or run that a row belongs to.
-- Every later table with rows of tenants calls this in its migration.
CREATE FUNCTION "protect_tenant_table"(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own CONSTANT text := '(SELECT current_setting(''scriptorium.tenant'', true))';
  names text[] := ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = target AND attnum > 0 AND NOT attisdropped);
  parents text[] := '{}';
  visible text;
  sequence text;
BEGIN
  IF 'session_id' = ANY (names) THEN
    parents := parents || format('EXISTS (SELECT 1 FROM sessions parent WHERE parent.id = %s.session_id)', target);
  END IF;
  IF 'run_id' = ANY (names) THEN
    parents := parents || format('EXISTS (SELECT 1 FROM runs parent WHERE parent.id = %s.run_id)', target);
  END IF;
  IF 'thread_id' = ANY (names) THEN
    parents := parents || format('EXISTS (SELECT 1 FROM runs parent WHERE parent.id = %s.thread_id)', target);
  END IF;
  visible := CASE
    WHEN target = 'tenants'::regclass THEN 'id = ' || own
    WHEN 'tenant_id' = ANY (names) THEN 'tenant_id = ' || own
    ELSE array_to_string(parents, ' AND ')
  END;
  IF visible = '' THEN
    RAISE EXCEPTION '% has no column that leads to a tenant', target;
  END IF;
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('DROP POLICY IF EXISTS own_rows ON %s', target);
  -- Who reads asks for the row alone; who writes also asks whether what it belongs to is the tenant's.
  EXECUTE format('CREATE POLICY own_rows ON %s TO scriptorium_tenant USING (%s) WITH CHECK (%s)',
    target, visible, array_to_string(ARRAY[visible] || parents, ' AND '));
  EXECUTE format('GRANT %s ON %s TO scriptorium_tenant', privileges, target);
  FOR sequence IN SELECT s.name FROM unnest(names) n, pg_get_serial_sequence(target::text, n) s (name) WHERE s.name IS NOT NULL
  LOOP
    EXECUTE format('GRANT USAGE ON SEQUENCE %s TO scriptorium_tenant', sequence);
  END LOOP;
END
$$;

DO $$
DECLARE
  found regclass;
BEGIN
  IF NOT has_schema_privilege('scriptorium_tenant', current_schema(), 'USAGE') THEN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO scriptorium_tenant', current_schema());
  END IF;
  FOR found IN
    SELECT DISTINCT c.oid::regclass FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND a.attname IN ('tenant_id', 'session_id', 'run_id', 'thread_id')
      AND c.relname NOT IN ('audit_log', 'api_keys')
  LOOP
    PERFORM protect_tenant_table(found);
  END LOOP;
END
$$;

-- What a tenant did cannot be undone by it, and its limits are the operator's. (A row can be locked by whoever may update a
-- column of it; the policy keeps the id as it is.)
SELECT protect_tenant_table('audit_log', 'SELECT, INSERT');
SELECT protect_tenant_table('api_keys', 'SELECT, INSERT, UPDATE');
SELECT protect_tenant_table('tenants', 'SELECT, UPDATE (id)');

-- Folders of deleted sessions.
ALTER TABLE "purges" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "purges" TO scriptorium_tenant
  USING (starts_with(prefix, 'tenants/' || (SELECT current_setting('scriptorium.tenant', true)) || '/'));
GRANT SELECT, INSERT ON "purges" TO scriptorium_tenant;

-- The W3C trace context of the request that started a run, and of the step that asked for a task; null without tracing.
ALTER TABLE "runs" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "tasks" ADD COLUMN "traceparent" TEXT;

-- Requests in the current window, counted for all gateways; worth nothing after a crash.
CREATE UNLOGGED TABLE "rate_counts" (
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_counts_pkey" PRIMARY KEY ("key")
);
