import type { NewRunEvent } from '#contracts/events.js';
import { isTextName } from '#extraction/file-kinds.js';
import {
  ToolError,
  type CheckpointPort,
  type InputPage,
  type InputPort,
  type ManuscriptPort,
} from '#kit/graph/ports.js';
import { manuscriptPort } from '#kit/runner/session-manuscripts.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import { MemoryStore } from './memory-store.js';

export type InputFiles = Record<string, string | Uint8Array>;

const NEWLINE = 0x0a;
const isContinuation = (byte: number | undefined) => ((byte ?? 0) & 0xc0) === 0x80;

/** The end of the page that begins at `start`: a line's end, or a character's end in a line longer than a page. */
function pageEnd(bytes: Uint8Array, start: number, pageBytes: number): number {
  if (bytes.length - start <= pageBytes) return bytes.length;
  const lineEnd = bytes.lastIndexOf(NEWLINE, start + pageBytes - 1) + 1;
  if (lineEnd > start) return lineEnd;
  let end = start + pageBytes;
  while (isContinuation(bytes[end])) end -= 1;
  return end;
}

/** The inputs of a session in memory (D6, D7); the names are looked up as they are. */
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
    if (!content) throw new ToolError(`there is no input file "${name}"; list_files names them`);
    if (!isTextName(name)) throw new ToolError(`"${name}" is not a text file`);
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

/** The product's manuscript store over memory. */
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

/** Checkpoints in memory (D11, D30): ids of one instant, so that every name of equal label collides. */
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

/** The run's event log: an effect key that is there already adds nothing (X4). */
export class MemoryEvents {
  readonly log: NewRunEvent[] = [];
  /** Keys that were announced more than once. */
  readonly repeated: string[] = [];

  emit(event: NewRunEvent): void {
    const isRepeated =
      event.effectKey !== undefined && this.log.some(({ effectKey }) => effectKey === event.effectKey);
    if (isRepeated) this.repeated.push(event.effectKey!);
    else this.log.push(event);
  }
}
