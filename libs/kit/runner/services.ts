import {
  type InThread,
  type RunnerServices,
  ToolError,
  type ManuscriptPort,
  type CheckpointPort,
  type InputPage,
  type InputPort,
} from '../graph/ports.js';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { OFFLINE_WRITER_LABEL } from '#contracts/model-facts.js';
import type { AgentRunnerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { offlineChatModel } from '#llm/chat-model.js';
import { countInThread } from '#llm/count-tokens.js';
import type { HeldRun } from '#engine/kind.js';
import { ManuscriptStore, LineOutOfRangeError } from '#storage/manuscript-store.js';
import { readSessionFile } from '#storage/kept-objects.js';
import type { ObjectStore } from '#storage/object-store.js';
import { MeteredModel, type ChatModels } from './chat-models.js';
import { NamedCheckpointRepository, type AddedNamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import { sessionKey } from '#storage/session-keys.js';
import { isSourceName } from '#contracts/file-kinds.js';
import { SessionFileRepository, type SessionFile } from '#db/repositories/session-files.js';

const NEWLINE = 0x0a;

/**
 * Counts the newlines before a byte offset of an object. Counts at known offsets are cached: when a large
 * file is read page by page, no part is counted twice. An unknown offset is counted from the nearest known
 * one before it.
 */
class LineCounter {
  private readonly known = new Map<string, Map<number, number>>();

  constructor(private readonly store: ObjectStore) {}

  remember(key: string, offset: number, newlines: number): void {
    const offsets = this.known.get(key) ?? new Map<number, number>();
    offsets.set(offset, newlines);
    this.known.set(key, offsets);
  }

  async newlinesBefore(key: string, offset: number): Promise<number> {
    if (offset === 0) return 0;
    const offsets = this.known.get(key);
    const exact = offsets?.get(offset);
    if (exact !== undefined) return exact;
    const from = Math.max(0, ...[...(offsets?.keys() ?? [])].filter((known) => known < offset));
    let count = offsets?.get(from) ?? 0;
    for await (const chunk of await this.store.get(key, { start: from, end: offset - 1 })) {
      for (const byte of chunk as Uint8Array) if (byte === NEWLINE) count++;
    }
    this.remember(key, offset, count);
    return count;
  }
}

/**
 * Creates the services that this runner provides to all kinds.
 *
 * @param models chat models of tenants
 */
export function runnerServices(
  db: Database,
  store: ObjectStore,
  models: ChatModels,
  settings: AgentRunnerSettings,
  inThread: InThread,
): RunnerServices {
  const services: RunnerServices = {
    settings: {
      decisionDeadlineSeconds: settings.DECISION_DEADLINE_SECONDS,
      maxAgentSteps: settings.MAX_AGENT_STEPS,
      readPageBytes: settings.READ_PAGE_BYTES,
    },
    inThread,
    session(run) {
      const manuscripts = new ManuscriptStore(store, run.tenantId, run.sessionId);
      return {
        title: () => titleOf(db, run),
        inputs: new SessionInputs(db, store, run.tenantId, run.sessionId, settings.READ_PAGE_BYTES),
        manuscripts: manuscriptPort(manuscripts),
        checkpoints: new SessionCheckpoints(db, store, manuscripts, run, settings.CHECKPOINTS_KEPT),
      };
    },
    async model(run, events, offline, promptVersion) {
      const priced = {
        chat: offlineChatModel(offline),
        priceOf: () => undefined,
        keepProfiles: () => Promise.resolve(),
        ...(offline.isChosen ? {} : await models.of(run.tenantId)),
        maxOutputTokens: settings.BUDGETED_ANSWER_TOKENS,
        countTokens: countInThread(inThread),
      };
      const usage = new ModelUsageRepository(db);
      const bounds = usage.begin(run.tenantId, run.id, priced.chat.label, promptVersion);
      return new MeteredModel(priced, db, run, events, bounds);
    },
    async writer(run, events, promptVersion, rules = { label: OFFLINE_WRITER_LABEL, isChosen: false }) {
      // The model of the offline writer is never called.
      const offline = { ...rules, model: new FakeListChatModel({ responses: [''] }) };
      const model = await services.model(run, events, offline, promptVersion);
      return {
        model,
        offline: model.label === rules.label,
        emit: events.emit.bind(events),
        settings: { decisionDeadlineSeconds: settings.DECISION_DEADLINE_SECONDS },
      };
    },
  };
  return services;
}

async function titleOf(
  db: Database,
  { tenantId, sessionId }: Pick<HeldRun, 'tenantId' | 'sessionId'>,
): Promise<string | null> {
  const session = await db.session.findFirst({
    where: { id: sessionId, tenantId },
    select: { title: true },
  });
  return session?.title ?? null;
}

/** Adapts the manuscript store to the document graph: reports an invalid line number as the model's error. */
export function manuscriptPort(store: ManuscriptStore): ManuscriptPort {
  return {
    append: (pointer, content) => store.append(pointer, content),
    tail: (pointer, lines) => store.tail(pointer, lines),
    lines: (pointer) => store.lines(pointer),
    describe: (pointer) => store.describe(pointer),
    editLine: (...args) => reportingRange(store.editLine(...args)),
    replaceLines: (...args) => reportingRange(store.replaceLines(...args)),
    moveLines: (...args) => reportingRange(store.moveLines(...args)),
  };
}

async function reportingRange<T>(edit: Promise<T>): Promise<T> {
  try {
    return await edit;
  } catch (error) {
    if (error instanceof LineOutOfRangeError) throw new ToolError(error.message);
    throw error;
  }
}

/** Formats a date as `YYYYMMDD_HHMMSS` in UTC. */
function timestamp(date: Date): string {
  return date.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_');
}

/**
 * Named checkpoints of a session (D11, D12, D30–D32). The text is stored at `checkpoints/{id}`, the pointer
 * in the row, so a rollback only changes a pointer. The oldest unvalidated ones beyond the retention limit
 * are deleted (D31).
 */
export class SessionCheckpoints implements CheckpointPort {
  private readonly rows: NamedCheckpointRepository;

  constructor(
    db: Database,
    private readonly store: ObjectStore,
    private readonly manuscripts: ManuscriptStore,
    private readonly run: HeldRun,
    private readonly kept: number,
  ) {
    this.rows = new NamedCheckpointRepository(db);
  }

  async create(checkpoint: {
    label: string;
    manuscript: string;
    effectKey: string;
    validated: boolean;
  }): Promise<string> {
    const { tenantId, sessionId } = this.run;
    const effectKey = `${this.run.id}/${checkpoint.effectKey}`;
    const base = `${timestamp(new Date())}_${checkpoint.label}`;
    for (let attempt = 1; ; attempt++) {
      const id = attempt === 1 ? `${base}.md` : `${base}_${attempt}.md`;
      const row = await this.rows.add(tenantId, {
        sessionId,
        runId: this.run.id,
        id,
        label: checkpoint.label,
        manuscriptKey: checkpoint.manuscript,
        objectKey: sessionKey(tenantId, sessionId, 'checkpoints', id),
        effectKey,
        validated: checkpoint.validated,
      });
      if (!row) continue;
      if (row.added) await Promise.all([this.writeText(row), this.removeOutdated()]);
      // The runner that added the row may have died before it wrote the text.
      else if (!(await this.store.head(row.objectKey))) await this.writeText(row);
      return row.id;
    }
  }

  async restore(checkpointId: string): Promise<string | null> {
    const row = await this.rows.find(this.run.tenantId, this.run.sessionId, checkpointId);
    return row?.manuscriptKey ?? null;
  }

  private async writeText({ objectKey, manuscriptKey }: AddedNamedCheckpoint): Promise<void> {
    const text = await this.manuscripts.stream(manuscriptKey);
    await this.store.put(objectKey, text, { contentType: 'text/markdown; charset=utf-8' });
  }

  private async removeOutdated(): Promise<void> {
    const { tenantId, sessionId } = this.run;
    const all = await this.rows.list(tenantId, sessionId);
    for (const row of all.slice(0, Math.max(0, all.length - this.kept))) {
      await this.rows.remove(tenantId, sessionId, row.id);
      await this.store.delete(row.objectKey);
    }
  }
}

/** Inputs of a run's session, read page by page (D6, D7). */
export class SessionInputs implements InputPort {
  private readonly files: SessionFileRepository;
  private readonly lines: LineCounter;
  private listed: Promise<SessionFile[]> | null = null;

  constructor(
    db: Database,
    private readonly store: ObjectStore,
    private readonly tenantId: string,
    private readonly sessionId: string,
    private readonly pageBytes: number,
  ) {
    this.files = new SessionFileRepository(db);
    this.lines = new LineCounter(store);
  }

  async list(): Promise<{ name: string; bytes: number }[]> {
    return (await this.inputs()).map(({ name, size }) => ({ name, bytes: size }));
  }

  async readPage(name: string, cursor: number): Promise<InputPage> {
    const file = (await this.inputs()).find((input) => input.name === name);
    if (!file) throw new ToolError(`there is no input file "${name}"; list_files returns the names`);
    if (!isSourceName(name))
      throw new ToolError(`"${name}" is not a text file; refer to it as an image or attachment`);
    if (cursor > file.size)
      throw new ToolError(`the cursor ${cursor} is past the end of "${name}" (${file.size} bytes)`);
    const page = await this.pageBytesAt(file, cursor);
    const text = decode(page.bytes, name);
    const end = page.start + page.bytes.length;
    const before = await this.lines.newlinesBefore(file.objectKey, page.start);
    const newlines = countNewlines(page.bytes);
    this.lines.remember(file.objectKey, end, before + newlines);
    const endsLine = page.bytes.at(-1) === NEWLINE;
    return {
      text,
      first_line: file.size === 0 ? 0 : before + 1,
      last_line: before + newlines + (endsLine || page.bytes.length === 0 ? 0 : 1),
      start: page.start,
      end,
      size: file.size,
      next_cursor: end < file.size ? end : null,
    };
  }

  /**
   * Reads a page: from the start of a code point to the last line end that fits, else to a code point's end.
   */
  private async pageBytesAt(file: SessionFile, cursor: number): Promise<{ start: number; bytes: Buffer }> {
    if (file.size === 0) return { start: 0, bytes: Buffer.alloc(0) };
    const last = Math.min(file.size, cursor + this.pageBytes + MAX_CODE_POINT_BYTES);
    const isSmall = file.size <= this.pageBytes;
    const chunk = isSmall
      ? Buffer.from(await readSessionFile(this.store, file)).subarray(cursor)
      : await readRange(this.store, file.objectKey, cursor, last - 1);
    let skip = 0;
    while (skip < chunk.length && isContinuation(chunk[skip]!)) skip++;
    if (last === file.size && chunk.length <= this.pageBytes)
      return { start: cursor + skip, bytes: chunk.subarray(skip) };
    let end = chunk.lastIndexOf(NEWLINE, this.pageBytes - 1) + 1;
    if (end <= skip) {
      end = Math.min(this.pageBytes, chunk.length);
      while (end > skip && end < chunk.length && isContinuation(chunk[end]!)) end--;
    }
    return { start: cursor + skip, bytes: chunk.subarray(skip, end) };
  }

  private inputs(): Promise<SessionFile[]> {
    this.listed ??= this.files.listReadable(this.tenantId, this.sessionId);
    return this.listed;
  }
}

const MAX_CODE_POINT_BYTES = 4;
const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError(`"${name}" is not UTF-8 text`);
  }
}

async function readRange(store: ObjectStore, key: string, start: number, end: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await store.get(key, { start, end }))
    chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
