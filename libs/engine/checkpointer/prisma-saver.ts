import { Prisma, type Database } from '#db/client.js';
import { NEWEST_CHECKPOINT } from '#db/repositories/graph-checkpoints.js';
import { toJsonb } from '#db/jsonb.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  compareWritesSortKeys,
  maxChannelVersion,
  TASKS,
  WRITES_IDX_MAP,
  writesSortKey,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
  INTERRUPT,
  RESUME,
  copyCheckpoint,
} from '@langchain/langgraph-checkpoint';
import { randomBytes } from 'node:crypto';
import { commitStatement, type GroupCommit, type SaverRows } from './group-commit.js';

interface StoredWrite {
  taskId: string;
  taskPath: string;
  idx: number;
  channel: string;
  value: unknown;
}

/** Row of pending writes, as read by the saver. */
interface WriteRow {
  kind: string;
  task_id: string | null;
  task_path: string | null;
  idx: number | null;
}

/**
 * In-memory copy of the newest checkpoint of a thread, which saves most reads. Only the runner that claimed
 * the run keeps one: if another runner had written, the next write would be fenced out.
 */
class LastTuple {
  private key: string | null = null;
  private tuple: CheckpointTuple | null = null;
  private readonly writes = new Map<string, StoredWrite>();

  /** @returns null if the thread is known to be empty, undefined if the database must be read */
  get(thread: string, ns: string, id: string | undefined): CheckpointTuple | null | undefined {
    if (this.key !== `${thread}|${ns}`) return undefined;
    if (!this.tuple) return id === undefined ? null : undefined;
    if (id !== undefined && id !== this.tuple.checkpoint.id) return undefined;
    const writes = [...this.writes.values()].sort((a, b) =>
      compareWritesSortKeys(
        writesSortKey(a.taskPath, a.taskId, a.idx),
        writesSortKey(b.taskPath, b.taskId, b.idx),
      ),
    );
    return {
      ...this.tuple,
      // LangGraph applies writes to the checkpoint that it gets, even when it only reads the state.
      checkpoint: copyCheckpoint(this.tuple.checkpoint),
      pendingWrites: writes.map(({ taskId, channel, value }) => [taskId, channel, value]),
    };
  }

  /** Records that a read found no checkpoint. */
  setNone(thread: string, ns: string): void {
    this.clear();
    this.key = `${thread}|${ns}`;
  }

  /** Stores the result of a read; `rows` are in the same order as the tuple's writes. */
  set(thread: string, ns: string, tuple: CheckpointTuple, rows: WriteRow[]): void {
    this.put(thread, ns, tuple);
    const places = rows
      .filter((row) => row.kind === 'write')
      .sort((a, b) =>
        compareWritesSortKeys(
          writesSortKey(a.task_path!, a.task_id!, a.idx!),
          writesSortKey(b.task_path!, b.task_id!, b.idx!),
        ),
      );
    places.forEach((place, index) => {
      const [taskId, channel, value] = tuple.pendingWrites![index]!;
      this.remember({ taskId, taskPath: place.task_path!, idx: place.idx!, channel, value }, true);
    });
  }

  put(thread: string, ns: string, tuple: CheckpointTuple): void {
    this.key = `${thread}|${ns}`;
    this.tuple = { ...tuple, checkpoint: copyCheckpoint(tuple.checkpoint) };
    this.writes.clear();
  }

  putWrites(
    thread: string,
    ns: string,
    id: string,
    taskId: string,
    taskPath: string,
    writes: { channel: string; value: unknown; idx: number }[],
    replace: boolean,
  ): void {
    if (this.key !== `${thread}|${ns}` || this.tuple?.checkpoint.id !== id) return;
    for (const write of writes) this.remember({ taskId, taskPath, ...write }, replace);
  }

  clear(): void {
    this.key = null;
    this.tuple = null;
    this.writes.clear();
  }

  private remember(write: StoredWrite, replace: boolean): void {
    const key = `${write.taskId}|${write.idx}`;
    if (replace || !this.writes.has(key)) this.writes.set(key, write);
  }
}

interface Address {
  thread: string;
  ns: string;
  id: string | undefined;
}

interface Row {
  kind: 'checkpoint' | 'blob' | 'write';
  id: string;
  parent_id: string | null;
  /** Includes the values of channels that need no blob. */
  head: Checkpoint | null;
  metadata: CheckpointMetadata | null;
  channel: string | null;
  type: string | null;
  value: Uint8Array | null;
  task_id: string | null;
  task_path: string | null;
  idx: number | null;
}

function addressOf(config: RunnableConfig): Address {
  const { thread_id, checkpoint_ns = '', checkpoint_id } = config.configurable ?? {};
  if (typeof thread_id !== 'string' && typeof thread_id !== 'number') {
    throw new Error('The configuration of a checkpointed graph needs configurable.thread_id');
  }
  return { thread: String(thread_id), ns: String(checkpoint_ns), id: checkpoint_id as string | undefined };
}

const configOf = (thread: string, ns: string, id: string): RunnableConfig => ({
  configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id },
});

/** Returns the statement that reads a checkpoint, by default the newest. */
function selectTuple({ thread, ns, id }: Address): Prisma.Sql {
  const which = id === undefined ? NEWEST_CHECKPOINT : Prisma.sql`AND id = ${id}`;
  return Prisma.sql`
      WITH c AS (SELECT * FROM graph_checkpoints WHERE thread_id = ${thread} AND ns = ${ns} ${which})
      SELECT 'checkpoint' AS kind, id, parent_id, head, metadata, NULL AS channel, NULL AS type, NULL::bytea AS value,
             NULL AS task_id, NULL AS task_path, NULL::int AS idx
      FROM c
      UNION ALL
      SELECT 'blob', c.id, NULL, NULL, NULL, b.channel, b.type, b.value, NULL, NULL, NULL
      FROM c CROSS JOIN jsonb_each_text(c.head->'channel_versions') v
        JOIN graph_blobs b ON b.thread_id = c.thread_id AND b.ns = c.ns AND b.channel = v.key AND b.version = v.value
      UNION ALL
      SELECT 'write', c.id, NULL, NULL, NULL, w.channel, w.type, w.value, w.task_id, w.task_path, w.idx
      FROM c JOIN graph_writes w ON w.thread_id = c.thread_id AND w.ns = c.ns AND w.checkpoint_id = c.id`;
}

/** Returns the condition that a checkpoint is older than another, by the database's clock. */
function olderThan(before: RunnableConfig | undefined): Prisma.Sql[] {
  if (before?.configurable?.checkpoint_id === undefined) return [];
  const { thread, ns, id } = addressOf(before);
  return [
    Prisma.sql`(created_at, id) < (
      SELECT created_at, id FROM graph_checkpoints WHERE thread_id = ${thread} AND ns = ${ns} AND id = ${id})`,
  ];
}

/** Returns whether the graph has a `DeltaChannel`, whose value is rebuilt from the writes of all steps. */
const keepsWrites = (metadata: CheckpointMetadata) => 'delta_writes_versioned' in metadata;

/** Returns whether JSON preserves the value exactly, so that it can be stored in the checkpoint's row. */
const needsNoBlob = (value: unknown) =>
  value === null || typeof value === 'boolean' || (Number.isSafeInteger(value) && !Object.is(value, -0));

/**
 * LangGraph checkpointer on the product's own PostgreSQL tables (D19, X4).
 *
 * A channel's value is a blob under its version, so a channel that a step did not change is not written
 * again; a channel whose version has no blob is empty. With a group commit, one statement commits a step's
 * writes, checkpoint and events, if the run's epoch is unchanged. Passes LangGraph's official conformance
 * suite.
 */
export class PrismaSaver extends BaseCheckpointSaver<string> {
  private readonly last = new LastTuple();
  /** Suffix that makes the versions of one writer unique. */
  private readonly tail = randomBytes(6).toString('hex');

  /** @param reading nodes that only read: a checkpoint before them is committed with the next one */
  constructor(
    private readonly db: Database,
    private readonly groupCommit?: GroupCommit,
    private readonly reading: ReadonlySet<string> = new Set(),
  ) {
    super();
  }

  /** Skips the first read of a run that has no state. */
  startsEmpty(thread: string): void {
    this.last.setNone(thread, '');
  }

  /** Returns a version that sorts by its number; the suffix makes it unique among forked writers. */
  override getNextVersion(current: string | undefined): string {
    const next = (current === undefined ? 0 : Number.parseInt(String(current).split('.')[0]!, 10)) + 1;
    return `${String(next).padStart(16, '0')}.${this.tail}`;
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    if (config.configurable?.thread_id === undefined) return undefined;
    const { thread, ns, id } = addressOf(config);
    const known = this.groupCommit && this.last.get(thread, ns, id);
    if (known !== undefined) return known ?? undefined;
    return this.tupleIn({ thread, ns, id }, await this.db.$statement<Row>(selectTuple({ thread, ns, id })));
  }

  /** Reads the newest checkpoint of a thread in one message with another statement, whose rows it also returns. */
  async getNewestWith<Other>(
    thread: string,
    other: Prisma.Sql,
  ): Promise<{ tuple: CheckpointTuple | undefined; rows: Other[] }> {
    const address = { thread, ns: '', id: undefined };
    const [found, rows] = await this.db.$together([selectTuple(address), other]);
    return { tuple: await this.tupleIn(address, found as Row[]), rows: rows as Other[] };
  }

  /** Returns the checkpoint that its rows contain. */
  private async tupleIn({ thread, ns, id }: Address, rows: Row[]): Promise<CheckpointTuple | undefined> {
    const head = rows.find((row) => row.kind === 'checkpoint');
    if (!head) {
      if (this.groupCommit && id === undefined) this.last.setNone(thread, ns);
      return undefined;
    }
    const tuple = await this.tupleOf(thread, ns, head, rows);
    if (tuple.checkpoint.v < 4 && head.parent_id !== null)
      await this.migrateSends(thread, ns, head.parent_id, tuple);
    if (this.groupCommit) this.last.set(thread, ns, tuple, rows);
    return tuple;
  }

  private async tupleOf(thread: string, ns: string, head: Row, rows: Row[]): Promise<CheckpointTuple> {
    const blobs = rows.filter((row) => row.kind === 'blob' && row.type !== 'empty');
    const writes = rows
      .filter((row) => row.kind === 'write')
      .sort((a, b) =>
        compareWritesSortKeys(
          writesSortKey(a.task_path!, a.task_id!, a.idx!),
          writesSortKey(b.task_path!, b.task_id!, b.idx!),
        ),
      );
    const load = (row: Row) => this.serde.loadsTyped(row.type!, row.value ?? new Uint8Array());
    return {
      config: configOf(thread, ns, head.id),
      checkpoint: {
        ...head.head!,
        channel_values: {
          ...head.head!.channel_values,
          ...Object.fromEntries(
            await Promise.all(blobs.map(async (row) => [row.channel!, await load(row)] as const)),
          ),
        },
      },
      metadata: head.metadata!,
      ...(head.parent_id === null ? {} : { parentConfig: configOf(thread, ns, head.parent_id) }),
      pendingWrites: await Promise.all(
        writes.map(async (row) => [row.task_id!, row.channel!, await load(row)] as [string, string, unknown]),
      ),
    };
  }

  /** Reads the sends of a checkpoint before version 4: they were stored as writes of its parent. */
  private async migrateSends(
    thread: string,
    ns: string,
    parent: string,
    { checkpoint }: CheckpointTuple,
  ): Promise<void> {
    const rows = await this.db.$queryRaw<{ type: string; value: Uint8Array }[]>`
      SELECT type, value FROM graph_writes
      WHERE thread_id = ${thread} AND ns = ${ns} AND checkpoint_id = ${parent} AND channel = ${TASKS}
      ORDER BY task_path, task_id, idx`;
    checkpoint.channel_values[TASKS] = await Promise.all(
      rows.map((row) => this.serde.loadsTyped(row.type, row.value)),
    );
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {};
    const conditions = [
      ...(thread_id === undefined ? [] : [Prisma.sql`thread_id = ${String(thread_id)}`]),
      ...(checkpoint_ns === undefined ? [] : [Prisma.sql`ns = ${String(checkpoint_ns)}`]),
      ...(checkpoint_id === undefined ? [] : [Prisma.sql`id = ${String(checkpoint_id)}`]),
      ...olderThan(options.before),
      ...(options.filter ? [Prisma.sql`metadata @> ${toJsonb(options.filter)}::jsonb`] : []),
    ];
    const where =
      conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join(conditions, ' AND ')}`;
    const limit = options.limit === undefined ? Prisma.empty : Prisma.sql`LIMIT ${options.limit}`;
    const found = await this.db.$queryRaw<{ thread_id: string; ns: string; id: string }[]>`
      SELECT thread_id, ns, id FROM graph_checkpoints ${where} ORDER BY created_at DESC, id DESC ${limit}`;
    for (const row of found) {
      const tuple = await this.getTuple(configOf(row.thread_id, row.ns, row.id));
      if (tuple) yield tuple;
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { thread, ns, id: parent } = addressOf(config);
    const { channel_values: values } = checkpoint;
    const inHead = Object.entries(values).filter(([, value]) => needsNoBlob(value));
    const inBlobs = Object.entries(newVersions).filter(
      ([channel]) => channel in values && !needsNoBlob(values[channel]),
    );
    const blobs = await Promise.all(
      inBlobs.map(async ([channel, version]) => {
        const [type, value] = await this.serde.dumpsTyped(values[channel]);
        return Prisma.sql`(${thread}, ${ns}, ${channel}, ${String(version)}, ${type}, ${value}::bytea)`;
      }),
    );
    const head = { ...checkpoint, channel_values: Object.fromEntries(inHead) };
    const row = Prisma.sql`(${thread}, ${ns}, ${checkpoint.id}, ${parent ?? null}, ${toJsonb(head)}::jsonb,
      ${toJsonb(metadata)}::jsonb)`;
    const supersedes = keepsWrites(metadata) ? {} : { supersedes: [thread, ns, parent].join('|') };
    const rows = { blobs, checkpoint: row, ...supersedes };
    // The input of a new run is committed with the step that consumes it, in which no node runs.
    const isFirst = metadata.source === 'input' && parent === undefined;
    const isLast = metadata.source === 'loop' && isEnd(values);
    if (this.groupCommit && (isFirst || isLast || isBeforeReading(values, this.reading)))
      this.groupCommit.hold(rows);
    else await this.commit(rows, metadata.source !== 'input');
    if (this.groupCommit) {
      this.last.put(thread, ns, {
        config: configOf(thread, ns, checkpoint.id),
        checkpoint,
        metadata,
        ...(parent === undefined ? {} : { parentConfig: configOf(thread, ns, parent) }),
        pendingWrites: [],
      });
    }
    return configOf(thread, ns, checkpoint.id);
  }

  async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const { thread, ns, id } = addressOf(config);
    if (id === undefined) throw new Error('putWrites needs configurable.checkpoint_id');
    const special = writes.every(([channel]) => channel in WRITES_IDX_MAP);
    const indexed = writes.map(([channel, value], index) => ({
      channel,
      value,
      idx: WRITES_IDX_MAP[channel] ?? index,
    }));
    if (indexed.length === 0) return;
    const rows = () =>
      Promise.all(
        indexed.map(async ({ channel, value, idx }) => {
          const [type, bytes] = await this.serde.dumpsTyped(value);
          return Prisma.sql`(${thread}, ${ns}, ${id}, ${taskId}, ${taskPath}, ${idx}::int, ${channel}, ${type},
            ${bytes}::bytea)`;
        }),
      );
    const address = [thread, ns, id].join('|');
    if (special) {
      const places = indexed.map(({ idx }) => [address, taskId, idx].join('|'));
      const marks = new Map((await rows()).map((row, index) => [places[index]!, row]));
      if (this.groupCommit && writes.every(([channel]) => isOfPause(channel)))
        this.groupCommit.hold({ of: address, marks });
      else await this.commit({ of: address, marks }, false);
    } else {
      await this.commit({ of: address, writes: rows }, false);
    }
    if (this.groupCommit) this.last.putWrites(thread, ns, id, taskId, taskPath, indexed, special);
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.db.$transaction([
      this.db.$executeRaw`/* delete graph writes */ DELETE FROM graph_writes WHERE thread_id = ${threadId}`,
      this.db.$executeRaw`/* delete graph blobs */ DELETE FROM graph_blobs WHERE thread_id = ${threadId}`,
      this.db
        .$executeRaw`/* delete graph checkpoints */ DELETE FROM graph_checkpoints WHERE thread_id = ${threadId}`,
    ]);
    this.last.clear();
  }

  private async commit(rows: SaverRows, atOnce: boolean): Promise<void> {
    if (this.groupCommit) return this.groupCommit.write(rows, atOnce);
    const gate = Prisma.sql`run_row AS (SELECT 1)`;
    await this.db.$statement(await commitStatement(gate, [rows]));
  }
}

/** Prefix of the channels that lead to a node. */
const TO_NODE = 'branch:to:';

/** Prefix of the channels on which a node waits for several others. */
const JOIN = 'join:';

/**
 * Returns whether a checkpoint is the last in its graph: the statement that ends the run can include it.
 */
function isEnd(values: Checkpoint['channel_values']): boolean {
  const sends = values[TASKS];
  if (Array.isArray(sends) && sends.length > 0) return false;
  return !Object.keys(values).some((channel) => channel.startsWith(TO_NODE) || channel.startsWith(JOIN));
}

/**
 * Returns whether only reading nodes follow a checkpoint: they can run again from the previous checkpoint
 * without side effects.
 *
 * @param reading names of the nodes that only read
 */
function isBeforeReading(values: Checkpoint['channel_values'], reading: ReadonlySet<string>): boolean {
  const sends = values[TASKS];
  if (reading.size === 0 || (Array.isArray(sends) && sends.length > 0)) return false;
  const next = Object.keys(values).filter((channel) => channel.startsWith(TO_NODE));
  return next.length > 0 && next.every((channel) => reading.has(channel.slice(TO_NODE.length)));
}

/**
 * Returns whether a channel's mark comes from an interrupt or its resume. The statement that parks the run
 * writes the marks of an interrupt with its task; the resume value can be read from the task again.
 */
const isOfPause = (channel: string) => channel === INTERRUPT || channel === RESUME;
