-- The policies as the new body of protect_tenant_table writes them: the conditions of a statement find its rows, and the policy
-- only checks them.
DO $$
DECLARE
  target regclass;
  names name[];
BEGIN
  FOR target, names IN
    SELECT a.attrelid, array_agg(a.attname) FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
    WHERE p.polname = 'own_rows' AND c.relnamespace = current_schema()::regnamespace
    GROUP BY a.attrelid ORDER BY a.attrelid
  LOOP
    IF 'tenant_id' = ANY (names) THEN
      EXECUTE format('ALTER POLICY own_rows ON %s USING (coalesce(tenant_id = (SELECT current_setting(''scriptorium.tenant'', true)), false))',
        target);
    ELSIF names && ARRAY['run_id', 'thread_id']::name[] THEN
      EXECUTE format('ALTER POLICY own_rows ON %1$s USING ((SELECT true FROM runs parent WHERE parent.id = %1$s.%2$I))', target,
        CASE WHEN 'run_id' = ANY (names) THEN 'run_id' ELSE 'thread_id' END);
    END IF;
  END LOOP;
END
$$;

-- prisma/functions: 24a0b4f5d3135009ebb28d74795e9261d8f0b8a76ec5ac0f82edf7f7c3ca2ea0
