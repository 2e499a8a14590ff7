import type { parkedRunsSchema } from '#contracts/api/operations-schemas.js';
import type { Database } from '#db/client.js';
import { graphCatalogue } from '#graphs/catalogue.js';
import { DATABASE } from '#runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';

type ParkedRuns = z.infer<typeof parkedRunsSchema>;
type Row = Omit<ParkedRuns, 'oldest_at' | 'current_version' | 'resumes'> & { oldest_at: Date };

/** Ids of runs named in each row; `runs` counts them all. */
const IDS_SHOWN = 100;

/** Runs of all tenants that wait, and what this release makes of them. */
@Injectable()
export class ParkedRunsService {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  /**
   * Waiting runs by version of their graph and node, and whether the graph of this gateway's release still has the node.
   *
   * @param graph a kind, a version, or `kind@version`; all without it
   */
  async list(graph?: string): Promise<ParkedRuns[]> {
    const rows = await this.db.$queryRaw<Row[]>`
      SELECT r.kind, r.graph_version, t.node, count(DISTINCT r.id)::int AS runs, min(t.created_at) AS oldest_at,
        CASE WHEN t.queue = 'human-input' THEN 'person' ELSE 'worker' END AS waits_for,
        (array_agg(r.id ORDER BY t.created_at, r.id))[1:${IDS_SHOWN}::int] AS run_ids
      FROM runs r JOIN tasks t ON t.run_id = r.id AND t.status = 'pending'
      WHERE r.status = 'waiting'
        AND (${graph ?? null}::text IS NULL OR ${graph ?? null} IN (r.kind, r.graph_version, r.kind || '@' || r.graph_version))
      GROUP BY r.kind, r.graph_version, t.node, waits_for
      ORDER BY r.kind, r.graph_version, t.node`;
    return rows.map((row) => {
      const current = graphCatalogue.get(row.kind);
      return {
        ...row,
        run_ids: [...new Set(row.run_ids)],
        oldest_at: row.oldest_at.toISOString(),
        current_version: current?.version ?? null,
        resumes: current?.nodes.includes(row.node) ?? false,
      };
    });
  }
}
