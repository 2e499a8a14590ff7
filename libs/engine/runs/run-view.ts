import type { RunProgress } from '#contracts/runs.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';

/** Progress and results of a run, derived from its state. */
export interface RunView {
  progress: RunProgress;
  /** Object keys by name; null means none (any more). */
  results: Record<string, string | null>;
}

/** Returns a CTE that stores the results of the run in `run_row`; empty without results. */
export function resultsCte(results: RunView['results']): Prisma.Sql {
  const rows = Object.entries(results).map(([name, object_key]) => ({ name, object_key }));
  if (rows.length === 0) return Prisma.empty;
  return Prisma.sql`,
    results AS (
      INSERT INTO session_results (session_id, tenant_id, kind, name, run_id, object_key)
      SELECT runs.session_id, runs.tenant_id, runs.kind, r.name, runs.id, r.object_key
      FROM run_row JOIN runs ON runs.id = run_row.id,
        jsonb_to_recordset(${toJsonb(rows)}::jsonb) r (name text, object_key text)
      ON CONFLICT (session_id, kind, name, run_id) DO UPDATE SET object_key = EXCLUDED.object_key, updated_at = now()
        WHERE session_results.object_key IS DISTINCT FROM EXCLUDED.object_key
    )`;
}
