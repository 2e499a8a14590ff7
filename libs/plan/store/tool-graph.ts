import { Prisma, type Database } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { ASYNC_COMMIT } from '#db/async-commit.js';

/** Requests and edges learned from a tenant's plans. */
interface LearntTools {
  requests: Map<string, string[]>;
  edges: { from: string; to: string; count: number; confidence: number }[];
}

/** Data to learn from a plan that succeeded. */
interface StoredLesson {
  intent: string | null;
  tools: string[];
  edges: { from: string; to: string }[];
}

/** Newest requests kept per tool; older ones add little. */
const REQUESTS_KEPT = 200;
/** Seconds until a failed lesson is retried; doubles each time, up to an hour. */
const FIRST_PAUSE_SECONDS = 5;

/** P9: co-use of tools and the requests that they served, by tenant. */
export class ToolGraphRepository {
  constructor(private readonly db: Database) {}

  async learnt(tenantId: string): Promise<LearntTools> {
    const [edges, rows] = await Promise.all([
      this.db.toolEdge.findMany({ where: { tenantId } }),
      this.db.$queryRaw<{ tool: string; request: string }[]>`
        SELECT tool, request FROM (
          SELECT tool, request, row_number() OVER (PARTITION BY tool ORDER BY created_at DESC) AS age
          FROM tool_requests WHERE tenant_id = ${tenantId}
        ) kept WHERE age <= ${REQUESTS_KEPT}`,
    ]);
    const requests = new Map<string, string[]>();
    for (const { tool, request } of rows) requests.set(tool, [...(requests.get(tool) ?? []), request]);
    return {
      requests,
      edges: edges.map(({ fromTool, toTool, count, confidence }) => ({
        from: fromTool,
        to: toTool,
        count,
        confidence,
      })),
    };
  }

  /** Deletes everything that was learned. */
  async reset(tenantId: string): Promise<void> {
    await this.db.$transaction([
      this.db.toolEdge.deleteMany({ where: { tenantId } }),
      this.db.toolRequest.deleteMany({ where: { tenantId } }),
    ]);
  }

  /**
   * Stores a run's lesson, once even if its last step is repeated. Commits asynchronously: the end of the run
   * makes it durable.
   */
  async keepLesson(tenantId: string, runId: string, lesson: StoredLesson): Promise<void> {
    await this.db.$statement(Prisma.sql`
      /* keep lesson */ INSERT INTO tool_lessons (run_id, tenant_id, lesson) VALUES (${runId}, ${tenantId}, ${toJsonb(lesson)}::jsonb)
      ON CONFLICT (run_id) DO NOTHING RETURNING ${ASYNC_COMMIT}`);
  }

  /** Returns due lessons of all tenants. */
  dueLessons(limit: number): Promise<{ runId: string; tenantId: string }[]> {
    return this.db.$queryRaw`
      SELECT run_id AS "runId", tenant_id AS "tenantId" FROM tool_lessons
      WHERE learnt_at IS NULL AND due_at <= now() ORDER BY due_at LIMIT ${limit}`;
  }

  /**
   * Learns a lesson: counts edges and requests in the transaction that marks it as learned, so that it counts
   * once.
   *
   * @returns false if another process is learning it or has learned it
   */
  learn(runId: string): Promise<boolean> {
    return this.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<{ tenantId: string; lesson: StoredLesson }[]>`
        /* learn lesson */ UPDATE tool_lessons SET learnt_at = now(), attempts = attempts + 1
        WHERE run_id = (SELECT run_id FROM tool_lessons WHERE run_id = ${runId} AND learnt_at IS NULL FOR UPDATE SKIP LOCKED)
        RETURNING tenant_id AS "tenantId", lesson`;
      if (!row) return false;
      const { tenantId, lesson } = row;
      await tx.$executeRaw(edgesStatement(tenantId, lesson));
      if (lesson.intent !== null)
        await tx.$executeRaw`
          /* learn requests */ INSERT INTO tool_requests (tenant_id, tool, lesson_id, request)
          SELECT ${tenantId}, tool, ${runId}, ${lesson.intent} FROM unnest(${lesson.tools}::text[]) tool
          ON CONFLICT DO NOTHING`;
      return true;
    });
  }

  /** Postpones a lesson that could not be learned. */
  async putOff(runId: string): Promise<void> {
    await this.db.$executeRaw`
      /* put off lesson */ UPDATE tool_lessons SET attempts = attempts + 1,
        due_at = now() + make_interval(secs => least(3600, ${FIRST_PAUSE_SECONDS}::int * 2 ^ least(attempts, 20)))
      WHERE run_id = ${runId} AND learnt_at IS NULL`;
  }
}

/**
 * Returns the upsert of edges (P9): count 1 and confidence 0.5 at first, then +1 and +0.1 up to 1. Fixed
 * order, to prevent deadlocks.
 */
function edgesStatement(tenantId: string, { edges }: StoredLesson): Prisma.Sql {
  return Prisma.sql`
    /* learn edges */ INSERT INTO tool_edges (tenant_id, from_tool, to_tool, count, confidence)
    SELECT DISTINCT ${tenantId}, e->>'from', e->>'to', 1, 0.5::float8
    FROM jsonb_array_elements(${toJsonb(edges)}::jsonb) e WHERE e->>'from' <> e->>'to' ORDER BY 2, 3
    ON CONFLICT (tenant_id, from_tool, to_tool) DO UPDATE
    SET count = tool_edges.count + 1, confidence = least(1, 0.5 + 0.1 * tool_edges.count), updated_at = now()`;
}
