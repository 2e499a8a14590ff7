import { Prisma, type Database } from '../client.js';
import type { GraphBlob, GraphCheckpoint } from '../generated/client.js';
import type { PageRequest } from '../page.js';

/** Blob with a channel's value at a checkpoint. */
export interface ChannelBlob extends Pick<GraphBlob, 'channel' | 'version' | 'type'> {
  checkpointId: string;
  value: Uint8Array | null;
}

/**
 * A checkpoint of a run's graph. Small values are in its head, others in blobs; a channel with neither is
 * empty. Checkpoints of subgraphs are not included.
 */
export interface SavedCheckpoint extends Omit<GraphCheckpoint, 'head'> {
  head: {
    channel_versions: Record<string, string>;
    channel_values?: Record<string, unknown>;
    versions_seen: Record<string, Record<string, string> | undefined>;
  };
  blobs: ChannelBlob[];
}
type Row = Omit<SavedCheckpoint, 'blobs'>;

/** Selects the newest checkpoint. IDs come from the clocks of runners, which may differ: the database's clock orders them. */
export const NEWEST_CHECKPOINT = Prisma.sql`ORDER BY created_at DESC, id DESC LIMIT 1`;

/** Checkpoints of the graphs of runs, as written by LangGraph; the thread ID is the run's ID. */
export class GraphCheckpointRepository {
  constructor(private readonly db: Database) {}

  /** Returns the ID of a run's newest checkpoint, or null. */
  async newest(tenantId: string, runId: string): Promise<string | null> {
    const rows = await this.db.$queryRaw<{ id: string }[]>`
      SELECT c.id FROM graph_checkpoints c JOIN runs r ON r.id = c.thread_id AND r.tenant_id = ${tenantId}
      WHERE c.thread_id = ${runId} AND c.ns = '' ORDER BY c.created_at DESC, c.id DESC LIMIT 1`;
    return rows[0]?.id ?? null;
  }

  /** Returns a checkpoint with its complete state, or null. */
  async find(tenantId: string, runId: string, id: string): Promise<SavedCheckpoint | null> {
    const [row] = await this.rows(tenantId, runId, Prisma.sql`AND c.id = ${id}`, 1);
    if (!row) return null;
    return { ...row, blobs: await this.blobs([row], Prisma.sql`true`) };
  }

  /**
   * Returns a page of a run's checkpoints, newest first by the database's clock (IDs come from the clocks of
   * runners, which may differ). Includes the named channels and the channels that determine the next nodes.
   */
  async page(
    tenantId: string,
    runId: string,
    { take, after }: PageRequest,
    channels: string[],
  ): Promise<SavedCheckpoint[]> {
    const older = after
      ? Prisma.sql`AND (c.created_at, c.id) < (${after.createdAt}::timestamptz, ${after.id})`
      : Prisma.empty;
    const rows = await this.rows(tenantId, runId, older, take);
    const channelCondition = Prisma.sql`(b.channel = ANY(${channels}) OR b.channel LIKE 'branch:to:%')`;
    const blobs = await this.blobs(rows, channelCondition);
    return rows.map((row) => ({
      ...row,
      blobs: blobs.filter(({ checkpointId }) => checkpointId === row.id),
    }));
  }

  /** Returns the ID of the checkpoint written by the step after `parentId`, or null if it was removed. */
  async childOf(tenantId: string, runId: string, parentId: string): Promise<string | null> {
    const [row] = await this.rows(tenantId, runId, Prisma.sql`AND c.parent_id = ${parentId}`, 1);
    return row?.id ?? null;
  }

  private rows(tenantId: string, runId: string, which: Prisma.Sql, limit: number): Promise<Row[]> {
    return this.db.$queryRaw<Row[]>`
      SELECT c.thread_id AS "threadId", c.ns, c.id, c.parent_id AS "parentId", c.head, c.metadata, c.created_at AS "createdAt"
      FROM graph_checkpoints c JOIN runs r ON r.id = c.thread_id AND r.tenant_id = ${tenantId}
      WHERE c.thread_id = ${runId} AND c.ns = '' ${which} ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}`;
  }

  private blobs(rows: Row[], which: Prisma.Sql): Promise<ChannelBlob[]> {
    const [first] = rows;
    if (!first) return Promise.resolve([]);
    return this.db.$queryRaw<ChannelBlob[]>`
      SELECT c.id AS "checkpointId", b.channel, b.version, b.type, b.value
      FROM graph_checkpoints c CROSS JOIN LATERAL jsonb_each_text(c.head->'channel_versions') v
        JOIN graph_blobs b ON b.thread_id = c.thread_id AND b.ns = c.ns AND b.channel = v.key AND b.version = v.value
      WHERE c.thread_id = ${first.threadId} AND c.ns = '' AND c.id = ANY(${rows.map(({ id }) => id)})
        AND b.type <> 'empty' AND ${which}`;
  }
}
