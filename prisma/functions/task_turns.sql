-- Returns the turns and costs of new tasks of a tenant, for a fair share of each worker queue (start-time fair queueing).
-- A task costs 1 and the size of its input files in MiB, divided by the tenant's weight. It begins where the tenant's newest
-- pending task of the queue ends, but not before the first pending task of the queue: an idle tenant saves up nothing.
-- p_tasks: id, queue, files (names of input files of the session; null: all).
CREATE OR REPLACE FUNCTION "task_turns"("p_tenant_id" TEXT, "p_session_id" TEXT, "p_tasks" JSONB)
RETURNS TABLE ("task_id" TEXT, "task_turn" FLOAT8, "task_cost" FLOAT8) LANGUAGE sql STABLE AS $$
  WITH priced AS (
    SELECT t.id, t.queue, (1 + coalesce((
        SELECT sum(f.size) FROM session_files f
        WHERE f.session_id = p_session_id AND f.folder = 'inputs' AND (t.files IS NULL OR f.name = ANY(t.files))
      ), 0) / 1048576.0) / (SELECT weight FROM tenants WHERE id = p_tenant_id) AS cost
    FROM jsonb_to_recordset(p_tasks) t (id text, queue text, files text[])
  ),
  begun AS (
    SELECT q.queue, greatest(0,
      (SELECT min(turn) FROM tasks WHERE tasks.queue = q.queue AND status = 'pending' AND turn IS NOT NULL),
      (SELECT turn + cost FROM tasks WHERE tenant_id = p_tenant_id AND tasks.queue = q.queue AND status = 'pending'
       ORDER BY created_at DESC, id DESC LIMIT 1)) AS turn
    FROM (SELECT DISTINCT queue FROM priced) q
  )
  SELECT p.id, (b.turn + sum(p.cost) OVER (PARTITION BY p.queue ORDER BY p.id) - p.cost)::float8, p.cost::float8
  FROM priced p JOIN begun b USING (queue)
$$;
