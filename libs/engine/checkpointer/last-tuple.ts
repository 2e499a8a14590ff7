import {
  compareWritesSortKeys,
  copyCheckpoint,
  writesSortKey,
  type CheckpointTuple,
} from '@langchain/langgraph-checkpoint';

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
export class LastTuple {
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
