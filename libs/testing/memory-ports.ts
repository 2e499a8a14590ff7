import type { NewRunEvent } from '#catalogue/events.js';
import { isSourceName } from '#contracts/file-kinds.js';
import {
  ToolError,
  type CheckpointPort,
  type InputPage,
  type InputPort,
  type ManuscriptPort,
} from '#kit/graph/ports.js';
import { manuscriptPort } from '#kit/runner/services.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import { MemoryStore } from './memory-store.js';

export type InputFiles = Record<string, string | Uint8Array>;

const NEWLINE = 0x0a;
const isContinuation = (byte: number | undefined) => ((byte ?? 0) & 0xc0) === 0x80;

/** Returns the end of the page that begins at `start`: the end of a line, or of a character if the line exceeds a page. */
function pageEnd(bytes: Uint8Array, start: number, pageBytes: number): number {
  if (bytes.length - start <= pageBytes) return bytes.length;
  const lineEnd = bytes.lastIndexOf(NEWLINE, start + pageBytes - 1) + 1;
  if (lineEnd > start) return lineEnd;
  let end = start + pageBytes;
  while (isContinuation(bytes[end])) end -= 1;
  return end;
}

/** In-memory inputs of a session (D6, D7); names are not normalized. */
export class MemoryInputs implements InputPort {
  private readonly files: Map<string, Buffer>;

  constructor(
    files: InputFiles,
    private readonly pageBytes: number,
  ) {
    this.files = new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]));
  }

  async list(): Promise<{ name: string; bytes: number }[]> {
    return [...this.files].map(([name, content]) => ({ name, bytes: content.length }));
  }

  async readPage(name: string, cursor: number): Promise<InputPage> {
    const content = this.files.get(name);
    if (!content) throw new ToolError(`there is no input file "${name}"; list_files returns the names`);
    if (!isSourceName(name)) throw new ToolError(`"${name}" is not a text file`);
    if (cursor > content.length) throw new ToolError(`the cursor ${cursor} is past the end of "${name}"`);
    let start = cursor;
    while (isContinuation(content[start])) start += 1;
    const end = pageEnd(content, start, this.pageBytes);
    const before = content.subarray(0, start).filter((byte) => byte === NEWLINE).length;
    const page = content.subarray(start, end);
    const newlines = page.filter((byte) => byte === NEWLINE).length;
    return {
      text: decode(page, name),
      first_line: before + 1,
      last_line: before + newlines + (page.at(-1) === NEWLINE || page.length === 0 ? 0 : 1),
      start,
      end,
      size: content.length,
      next_cursor: end < content.length ? end : null,
    };
  }
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError(`"${name}" is not UTF-8 text`);
  }
}

/** Creates the product's manuscript store in memory. */
export function memoryManuscripts(sessionId: string): { port: ManuscriptPort; store: ManuscriptStore } {
  const store = new ManuscriptStore(new MemoryStore(), 'ten_test', sessionId);
  return { port: manuscriptPort(store), store };
}

export interface MemoryCheckpoint {
  id: string;
  label: string;
  manuscript: string;
  validated: boolean;
}

/** In-memory checkpoints (D11, D30). All IDs share one time, so that the names of equal labels collide. */
export class MemoryCheckpoints implements CheckpointPort {
  readonly saved: MemoryCheckpoint[] = [];
  private readonly byEffect = new Map<string, string>();

  async create(checkpoint: {
    label: string;
    manuscript: string;
    effectKey: string;
    validated: boolean;
  }): Promise<string> {
    const { label, manuscript, effectKey, validated } = checkpoint;
    const done = this.byEffect.get(effectKey);
    if (done !== undefined) return done;
    const base = `20260102_030405_${label}`;
    let id = `${base}.md`;
    for (let attempt = 2; this.find(id); attempt++) id = `${base}_${attempt}.md`;
    this.saved.push({ id, label, manuscript, validated });
    this.byEffect.set(effectKey, id);
    return id;
  }

  async restore(checkpointId: string): Promise<string | null> {
    return this.find(checkpointId)?.manuscript ?? null;
  }

  private find(id: string): MemoryCheckpoint | undefined {
    return this.saved.find((checkpoint) => checkpoint.id === id);
  }
}

/** Event log of a run; an event with a known effect key is not added again (X4). */
export class MemoryEvents {
  readonly log: NewRunEvent[] = [];
  /** Effect keys that were emitted more than once. */
  readonly repeated: string[] = [];

  emit(event: NewRunEvent): void {
    const isRepeated =
      event.effectKey !== undefined && this.log.some(({ effectKey }) => effectKey === event.effectKey);
    if (isRepeated) this.repeated.push(event.effectKey!);
    else this.log.push(event);
  }
}
