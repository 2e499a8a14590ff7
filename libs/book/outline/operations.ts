import { z } from 'zod';
import {
  chapterOutlineChangesSchema,
  outlineChapterSchema,
  type ChapterOutlineChanges,
  type OutlineChapter,
} from '../contract/outline.js';
import type { OutlinedChapter } from '../graph/ports.js';

const chapter = z
  .number()
  .int()
  .min(1)
  .max(1_000)
  .meta({ description: 'number of the chapter in <outline>' });
const after = z
  .number()
  .int()
  .min(0)
  .max(1_000)
  .meta({ description: 'number of the chapter before it; 0: first' });
const reason = z.string().max(500).default('');
const title = outlineChapterSchema.shape.title;
const { summary, sections, terms } = chapterOutlineChangesSchema.shape;
const content = { summary, sections, terms };

/** Changes of an outline. Numbers are those before the first change. */
export const outlineOperationSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), after, title, ...content, reason }),
  z.object({ op: z.literal('remove'), chapter, reason }),
  z.object({ op: z.literal('move'), chapter, after, reason }),
  z.object({
    op: z.literal('merge'),
    chapters: z.array(chapter).min(2).max(20),
    title: title.optional(),
    reason,
  }),
  z.object({ op: z.literal('rename'), chapter, title, reason }),
  z.object({ op: z.literal('edit'), chapter, ...content, reason }),
]);
export type OutlineOperation = z.infer<typeof outlineOperationSchema>;

/** An outline after a list of operations. */
interface ChangedOutline {
  chapters: OutlineChapter[];
  /** Descriptions of the changes, in order. */
  changes: string[];
  /** The operations that were refused, each with the reason. */
  refused: string[];
}

interface Entry extends OutlineChapter {
  /** Number before the first change; null for a new chapter. */
  number: number | null;
}

/** Applies operations in their order. One that names no chapter, or would leave no chapter, is refused without effect. */
export function changeOutline(before: OutlinedChapter[], operations: OutlineOperation[]): ChangedOutline {
  const changed = new OutlineChange(before);
  for (const operation of operations) changed.apply(operation);
  return changed.result();
}

class OutlineChange {
  private entries: Entry[];
  private readonly changes: string[] = [];
  private readonly refused: string[] = [];
  /** The last chapter added after a number, so that several are added in their order. */
  private readonly addedAfter = new Map<number, Entry>();

  constructor(before: OutlinedChapter[]) {
    this.entries = before.map(({ id, number, title: name, outline }) => ({
      id,
      number,
      title: name,
      ...outline,
    }));
  }

  result(): ChangedOutline {
    const chapters = distinctTitles(this.entries.map(({ number: _, ...rest }) => rest));
    return { chapters, changes: this.changes, refused: this.refused };
  }

  apply(operation: OutlineOperation): void {
    const problem = this.problemOf(operation);
    if (problem !== null) this.refused.push(problem);
    else
      this.changes.push(
        `${this.change(operation)}${operation.reason === '' ? '' : ` (${operation.reason})`}`,
      );
  }

  private problemOf(operation: OutlineOperation): string | null {
    const named =
      'chapters' in operation ? operation.chapters : 'chapter' in operation ? [operation.chapter] : [];
    const places = 'after' in operation && operation.after > 0 ? [operation.after] : [];
    const unknown = [...named, ...places].find((number) => !this.find(number));
    if (unknown !== undefined) return `"${operation.op}": the outline has no chapter ${unknown}.`;
    if (new Set(named).size < named.length) return `"${operation.op}" names a chapter twice.`;
    if (operation.op === 'move' && operation.chapter === operation.after)
      return `"move": chapter ${operation.chapter} cannot follow itself.`;
    if (operation.op === 'remove' && this.entries.length === 1) return 'The only chapter cannot be removed.';
    return null;
  }

  /** @returns a description of the change */
  private change(operation: OutlineOperation): string {
    switch (operation.op) {
      case 'add':
        return this.add(operation);
      case 'remove': {
        const entry = this.take(operation.chapter);
        return `Removed chapter ${operation.chapter}, "${entry.title}".`;
      }
      case 'move': {
        const entry = this.take(operation.chapter);
        this.entries.splice(this.placeAfter(operation.after), 0, entry);
        return `Moved chapter ${operation.chapter}, "${entry.title}", ${placed(operation.after)}.`;
      }
      case 'merge':
        return this.merge(operation.chapters, operation.title);
      case 'rename': {
        const entry = this.find(operation.chapter)!;
        const old = entry.title;
        entry.title = operation.title;
        return `Renamed chapter ${operation.chapter}, "${old}", to "${operation.title}".`;
      }
      case 'edit': {
        const entry = this.find(operation.chapter)!;
        Object.assign(entry, contentOf(operation));
        return `Changed the plan of chapter ${operation.chapter}, "${entry.title}".`;
      }
    }
  }

  private add(operation: Extract<OutlineOperation, { op: 'add' }>): string {
    const { after: number, title: name } = operation;
    const entry: Entry = {
      number: null,
      title: name,
      summary: '',
      sections: [],
      terms: [],
      ...contentOf(operation),
    };
    const last = this.addedAfter.get(number);
    this.entries.splice(last ? this.entries.indexOf(last) + 1 : this.placeAfter(number), 0, entry);
    this.addedAfter.set(number, entry);
    return `Added "${name}" ${placed(number)}.`;
  }

  private merge(numbers: number[], name: string | undefined): string {
    const parts = this.entries.filter(({ number }) => number !== null && numbers.includes(number));
    const [first, ...others] = parts as [Entry, ...Entry[]];
    const titles = parts.map((part) => `"${part.title}"`).join(' and ');
    for (const part of others) this.entries.splice(this.entries.indexOf(part), 1);
    const all = parts.flatMap((part) => part.sections).slice(0, 40);
    const passages = parts.flatMap((part) => part.passages ?? []).slice(0, 400);
    Object.assign(first, {
      title:
        name ??
        parts
          .map((part) => part.title)
          .join(' and ')
          .slice(0, 300),
      summary: parts
        .map((part) => part.summary)
        .filter(Boolean)
        .join(' ')
        .slice(0, 4_000),
      sections: all,
      terms: [...new Set(parts.flatMap((part) => part.terms))].slice(0, 20),
      ...(passages.length > 0 ? { passages } : {}),
    });
    return `Merged ${titles}.`;
  }

  private find(number: number): Entry | undefined {
    return this.entries.find((entry) => entry.number === number);
  }

  private take(number: number): Entry {
    const entry = this.find(number)!;
    this.entries.splice(this.entries.indexOf(entry), 1);
    return entry;
  }

  private placeAfter(number: number): number {
    return this.entries.findIndex((entry) => entry.number === number) + 1;
  }
}

const placed = (number: number): string =>
  number === 0 ? 'as the first chapter' : `after chapter ${number}`;

function contentOf({
  summary: text,
  sections: parts,
  terms: words,
}: ChapterOutlineChanges): Partial<OutlineChapter> {
  return {
    ...(text === undefined ? {} : { summary: text }),
    ...(parts === undefined ? {} : { sections: parts }),
    ...(words === undefined ? {} : { terms: words }),
  };
}

/** Makes titles unique, because equal titles would merge two chapters. */
export function distinctTitles(chapters: OutlineChapter[]): OutlineChapter[] {
  const seen = new Set<string>();
  return chapters.map((entry) => {
    let { title: name } = entry;
    for (let n = 2; seen.has(name.toLowerCase()); n++) name = `${entry.title.slice(0, 290)} (${n})`;
    seen.add(name.toLowerCase());
    return { ...entry, title: name };
  });
}
