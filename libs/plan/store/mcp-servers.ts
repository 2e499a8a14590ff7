import { MAX_MCP_SERVERS, type McpServerError } from '../contract/mcp-schemas.js';
import { Prisma, type Database } from '#db/client.js';
import type { McpServer, McpTool } from '#db/generated/client.js';
import { toJsonb } from '#db/jsonb.js';
import { lockTenant } from '#db/lock-tenant.js';

export type { McpServer, McpTool };
export type McpServerWithTools = McpServer & { tools: McpTool[] };

/** The columns of a tool that calls need. */
type CallableTool = Pick<
  McpTool,
  'name' | 'approved' | 'approvedHash' | 'seenHash' | 'isOffered' | 'isIdempotent' | 'isOpenWorld'
>;

const CALLABLE_TOOL = Prisma.sql`jsonb_build_object('name', t.name, 'approved', t.approved, 'approvedHash', t.approved_hash,
  'seenHash', t.seen_hash, 'isOffered', t.is_offered, 'isIdempotent', t.is_idempotent,
  'isOpenWorld', t.is_open_world)`;

/** The columns of a server that plans need, with its tools. */
type PlannedServer = Pick<McpServer, 'name' | 'url' | 'allowedTools' | 'sideEffects'> & {
  tools: CallableTool[];
};

/** A tool, with the columns of its server that a call needs. */
export type CallableServer = Pick<
  McpServer,
  | 'id'
  | 'name'
  | 'url'
  | 'command'
  | 'protocol'
  | 'oauth'
  | 'secrets'
  | 'allowedTools'
  | 'sideEffects'
  | 'failures'
  | 'closedUntil'
> & { tool: CallableTool };

interface NewMcpServerRow {
  id: string;
  name: string;
  url: string | null;
  command: string | null;
  headerNames: string[];
  oauth: object | null;
  secrets: string;
  allowedTools: string[] | null;
  sideEffects: string[] | null;
}
export type McpServerRowChange = Partial<
  Pick<NewMcpServerRow, 'headerNames' | 'oauth' | 'secrets' | 'allowedTools' | 'sideEffects'>
>;

/** A tool as its server describes it. */
export interface SeenTool {
  name: string;
  description: object;
  hash: string;
  /** True if a repeated call does not change anything. */
  isIdempotent: boolean;
  /** False if the server says that it passes arguments on to nobody else. */
  isOpenWorld: boolean;
}

/** Tools of a server at its last discovery. */
export interface ServerOffer {
  protocol: string;
  tools: SeenTool[];
  /** Names of tools that were skipped because their description is invalid. */
  skipped: string[];
}

/** Seconds until the next automatic discovery of a server, after a success and after a failure. */
const NEXT_LOOK_SECONDS = 3_600;
const NEXT_TRY_SECONDS = 300;
/** Seconds that a discovery may take before another worker starts one. */
const LOOK_SECONDS = 120;
/** Failed calls in a row after which a server gets no calls for `CLOSED_SECONDS`. */
const FAILURES_TO_CLOSE = 5;
const CLOSED_SECONDS = 30;

/** Notifies that a server is due for discovery. */
export const MCP_SERVERS_CHANNEL = 'scriptorium_mcp_servers';

const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
const byName = { tools: { orderBy: { name: 'asc' as const } } };

/** MCP servers of tenants, and their tools. */
export class McpServerRepository {
  constructor(private readonly db: Database) {}

  /** @returns the new row, or the reason why the server cannot be added */
  create(tenantId: string, server: NewMcpServerRow): Promise<McpServer | 'too_many' | 'exists'> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      if ((await tx.mcpServer.count({ where: { tenantId } })) >= MAX_MCP_SERVERS) return 'too_many';
      if ((await tx.mcpServer.count({ where: { tenantId, name: server.name } })) > 0) return 'exists';
      await tx.$executeRaw`SELECT pg_notify(${MCP_SERVERS_CHANNEL}, '')`;
      return tx.mcpServer.create({ data: { tenantId, ...jsonOf(server), ...required(server) } });
    });
  }

  list(tenantId: string): Promise<McpServer[]> {
    return this.db.mcpServer.findMany({ where: { tenantId }, orderBy: newestFirst });
  }

  find(tenantId: string, id: string): Promise<McpServerWithTools | null> {
    return this.db.mcpServer.findFirst({ where: { tenantId, id }, include: byName });
  }

  /** Returns a tool by name, with its server; null if either is missing. */
  async findTool(tenantId: string, server: string, tool: string): Promise<CallableServer | null> {
    const [row] = await this.db.$statement<CallableServer>(Prisma.sql`
      SELECT s.id, s.name, s.url, s.command, s.protocol, s.oauth, s.secrets, s.allowed_tools AS "allowedTools", s.side_effects AS "sideEffects",
        s.failures, s.closed_until AS "closedUntil", ${CALLABLE_TOOL} AS tool
      FROM mcp_servers s JOIN mcp_tools t ON t.server_id = s.id
      WHERE s.tenant_id = ${tenantId} AND s.name = ${server} AND t.name = ${tool}`);
    return row ?? null;
  }

  /**
   * Returns all servers of a tenant with their offered tools that were approved; a tool may have changed
   * since its approval.
   */
  approved(tenantId: string): Promise<PlannedServer[]> {
    return this.db.$statement(Prisma.sql`
      SELECT s.name, s.url, s.allowed_tools AS "allowedTools", s.side_effects AS "sideEffects", coalesce(offered.tools, '[]') AS tools
      FROM mcp_servers s CROSS JOIN LATERAL (
        SELECT jsonb_agg(${CALLABLE_TOOL} ORDER BY t.name) AS tools FROM mcp_tools t
        WHERE t.server_id = s.id AND t.is_offered AND t.approved_hash IS NOT NULL) offered
      WHERE s.tenant_id = ${tenantId} ORDER BY s.name`);
  }

  /** Changes a server; false for an unknown server. */
  async change(tenantId: string, id: string, change: McpServerRowChange): Promise<boolean> {
    const { count } = await this.db.mcpServer.updateMany({
      where: { tenantId, id },
      data: { ...jsonOf(change), ...plain(change) },
    });
    return count === 1;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const { count } = await this.db.mcpServer.deleteMany({ where: { tenantId, id } });
    return count === 1;
  }

  /** Makes the server due for discovery now and resets its failures. */
  async refresh(tenantId: string, id: string): Promise<void> {
    await this.db.mcpServer.updateMany({
      where: { tenantId, id },
      data: { status: 'discovering', dueAt: new Date(0), failures: 0, closedUntil: null },
    });
    await this.db.$executeRaw`SELECT pg_notify(${MCP_SERVERS_CHANNEL}, '')`;
  }

  /** Approves tools as they were last seen. @returns the number of tools approved */
  approve(tenantId: string, id: string, tools: string[]): Promise<number> {
    return this.db.$executeRaw`
      /* approve mcp tools */ UPDATE mcp_tools SET approved = seen, approved_hash = seen_hash
      WHERE server_id = ${id} AND tenant_id = ${tenantId} AND name = ANY(${tools})`;
  }

  /**
   * Claims servers of all tenants that are due for discovery. Tenants take turns; within a tenant, servers
   * that wait for their first discovery or were refreshed come first.
   *
   * @param active running discoveries, by tenant
   * @param limit.perTenant maximum running discoveries of a tenant, including those in `active`
   */
  takeDue(
    limit: { total: number; perTenant: number },
    active: ReadonlyMap<string, number>,
  ): Promise<{ id: string; tenantId: string }[]> {
    return this.db.$queryRaw`
      /* take mcp servers */ WITH due AS (
        SELECT s.id, s.due_at, coalesce(active.count, 0) + row_number() OVER (
          PARTITION BY s.tenant_id ORDER BY s.status = 'discovering' DESC, s.due_at) AS place
        FROM mcp_servers s JOIN tenants t ON t.id = s.tenant_id AND t.suspended_at IS NULL
          LEFT JOIN unnest(${[...active.keys()]}::text[], ${[...active.values()]}::int[]) AS active (tenant_id, count)
            ON active.tenant_id = s.tenant_id
        WHERE s.due_at <= now()
      )
      UPDATE mcp_servers SET due_at = now() + make_interval(secs => ${LOOK_SECONDS}::int)
      WHERE id IN (
        SELECT s.id FROM mcp_servers s JOIN due ON due.id = s.id
        WHERE s.due_at <= now() AND due.place <= ${limit.perTenant}
        ORDER BY due.place, due.due_at LIMIT ${limit.total} FOR UPDATE OF s SKIP LOCKED
      ) RETURNING id, tenant_id AS "tenantId"`;
  }

  /**
   * Stores the tools of a server. The first discovery approves tools that the registration lists as free of side
   * effects. An admin has to approve all others.
   */
  async discovered(tenantId: string, id: string, { protocol, tools, skipped }: ServerOffer): Promise<void> {
    await this.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<{ isFirst: boolean; sideEffects: string[] | null }[]>`
        SELECT discovered_at IS NULL AS "isFirst", side_effects AS "sideEffects" FROM mcp_servers
        WHERE id = ${id} AND tenant_id = ${tenantId} FOR UPDATE`;
      if (!row) return;
      await tx.mcpTool.updateMany({ where: { serverId: id }, data: { isOffered: false } });
      for (const { name, description, hash, isIdempotent, isOpenWorld } of tools) {
        const seen = toJsonb(description);
        const isApproved = row.isFirst && row.sideEffects?.includes(name) === false;
        const approved = isApproved ? hash : null;
        await tx.$executeRaw`
          /* keep mcp tool */ INSERT INTO mcp_tools (server_id, tenant_id, name, seen, seen_hash, is_idempotent, is_open_world, approved, approved_hash)
          VALUES (${id}, ${tenantId}, ${name}, ${seen}::jsonb, ${hash}, ${isIdempotent}, ${isOpenWorld},
            CASE WHEN ${approved}::text IS NULL THEN NULL ELSE ${seen}::jsonb END, ${approved})
          ON CONFLICT (server_id, name) DO UPDATE
          SET seen = EXCLUDED.seen, seen_hash = EXCLUDED.seen_hash, is_idempotent = EXCLUDED.is_idempotent, is_open_world = EXCLUDED.is_open_world,
            is_offered = true`;
      }
      await tx.$executeRaw`
        /* mcp server is ready */ UPDATE mcp_servers SET status = 'ready', error = NULL, protocol = ${protocol}, skipped_tools = ${skipped},
          discovered_at = now(), due_at = now() + make_interval(secs => ${NEXT_LOOK_SECONDS}::int)
        WHERE id = ${id}`;
    });
  }

  async failed(tenantId: string, id: string, error: McpServerError): Promise<void> {
    await this.db.$executeRaw`
      /* mcp server failed */ UPDATE mcp_servers SET status = 'failed', error = ${error},
        due_at = now() + make_interval(secs => ${NEXT_TRY_SECONDS}::int)
      WHERE id = ${id} AND tenant_id = ${tenantId}`;
  }

  /** Counts the outcome of a call; after several failures in a row the server gets no calls for a while. */
  async noteCall(id: string, succeeded: boolean): Promise<void> {
    await this.db.$statement(Prisma.sql`
      /* note mcp call */ UPDATE mcp_servers SET
        failures = CASE WHEN ${succeeded} THEN 0 ELSE failures + 1 END,
        closed_until = CASE WHEN ${succeeded} THEN NULL WHEN failures + 1 >= ${FAILURES_TO_CLOSE}
          THEN now() + make_interval(secs => ${CLOSED_SECONDS}::int) ELSE closed_until END
      WHERE id = ${id} AND (failures > 0 OR NOT ${succeeded})`);
  }
}

const required = ({ id, name, url, command, headerNames, secrets }: NewMcpServerRow) => ({
  id,
  name,
  url,
  command,
  headerNames,
  secrets,
});

const plain = ({ headerNames, secrets }: McpServerRowChange) => ({
  ...(headerNames === undefined ? {} : { headerNames }),
  ...(secrets === undefined ? {} : { secrets }),
});

const jsonColumn = (value: object | null) =>
  value === null ? Prisma.DbNull : (value as Prisma.InputJsonValue);

const jsonOf = ({ oauth, allowedTools, sideEffects }: McpServerRowChange) => ({
  ...(oauth === undefined ? {} : { oauth: jsonColumn(oauth) }),
  ...(allowedTools === undefined ? {} : { allowedTools: jsonColumn(allowedTools) }),
  ...(sideEffects === undefined ? {} : { sideEffects: jsonColumn(sideEffects) }),
});
