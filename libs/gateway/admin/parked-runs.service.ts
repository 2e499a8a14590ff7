import type { parkedRunsQuery, parkedRunsSchema } from '#contracts/api/operations-schemas.js';
import { Prisma, type Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import type { Engine } from '#engine/engine.js';
import type { KnownKinds } from '#engine/kind.js';
import { DATABASE, ENGINE } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { idSchema, readPage, type CursorFormat } from '../http/page.js';

type ParkedRuns = z.infer<typeof parkedRunsSchema>;
type Row = Omit<ParkedRuns, 'oldest_at' | 'current_version' | 'resumes'> & { oldest_at: Date };

type Position = [kind: string, graphVersion: string, node: string, waitsFor: string];

const byNode: CursorFormat<Row, Position> = {
  write: (row): Position => [row.kind, row.graph_version, row.node, row.waits_for],
  schema: z.tuple([idSchema, idSchema, idSchema, idSchema]),
};

/** Maximum number of run ids per row; `runs` counts all runs. */
const IDS_SHOWN = 100;

/** Waiting runs of all tenants, and whether this release can resume them. */
@Injectable()
export class ParkedRunsService {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(ENGINE) private readonly engine: Engine,
  ) {}

  /**
   * Lists waiting runs, grouped by graph version and node, and says whether this release's graph still has
   * the node.
   *
   * @throws ProblemError `invalid_request` for a wrong cursor
   */
  list(query: z.infer<typeof parkedRunsQuery>) {
    return readPage(
      query,
      byNode,
      (request: PageRequest<Position>) => this.read(query.graph, request),
      (rows) => rows.map((row) => preview(row, this.engine.kinds)),
    );
  }

  private read(graph: string | undefined, { take, after }: PageRequest<Position>): Promise<Row[]> {
    const behind = after
      ? Prisma.sql`(kind, graph_version, node, waits_for) > (${Prisma.join(after)})`
      : Prisma.sql`true`;
    return this.db.$queryRaw<Row[]>`
      SELECT * FROM (
      SELECT r.kind, r.graph_version, t.node, count(DISTINCT r.id)::int AS runs, min(t.created_at) AS oldest_at,
        CASE WHEN t.queue = 'human-input' THEN 'person' ELSE 'worker' END AS waits_for,
        (array_agg(r.id ORDER BY t.created_at, r.id))[1:${IDS_SHOWN}::int] AS run_ids
      FROM runs r JOIN tasks t ON t.run_id = r.id AND t.status = 'pending'
      WHERE r.status = 'waiting'
        AND (${graph ?? null}::text IS NULL OR ${graph ?? null} IN (r.kind, r.graph_version, r.kind || '@' || r.graph_version))
      GROUP BY r.kind, r.graph_version, t.node, waits_for) groups
      WHERE ${behind}
      ORDER BY kind, graph_version, node, waits_for LIMIT ${take}`;
  }
}

function preview(row: Row, kinds: KnownKinds): ParkedRuns {
  const current = kinds.get(row.kind);
  return {
    ...row,
    run_ids: [...new Set(row.run_ids)],
    oldest_at: row.oldest_at.toISOString(),
    current_version: current?.version ?? null,
    resumes: current?.nodes.includes(row.node) ?? false,
  };
}
