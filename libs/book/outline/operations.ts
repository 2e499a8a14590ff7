import type { Detail } from '#contracts/phrases/detail.js';
import { joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { ChapterOutlineChanges, OutlineChapter } from '../contract/outline.js';
import type { OutlineOperation } from '../contract/operations.js';
import type { OutlinedChapter } from '../graph/ports.js';

const MAX_TITLE = 300;

/** An outline after a list of operations. */
interface ChangedOutline {
  chapters: OutlineChapter[];
  /** Descriptions of the changes, in order. */
  changes: Detail[];
  /** The operations that were refused, each with the reason. */
  refused: Detail[];
}

interface Entry extends OutlineChapter {
  /** Number before the first change; null for a new chapter. */
  number: number | null;
}

/**
 * Applies operations in their order. One that names no chapter, or would leave no chapter, is refused without effect.
 *
 * @param given.language of the book, in which the titles of merged chapters are joined
 * @param given.sectionOf titles of the sections by ID of the passage; a chapter that is split divides its passages by them
 */
export function changeOutline(
  before: OutlinedChapter[],
  operations: OutlineOperation[],
  given: { language?: string | undefined; sectionOf?: ReadonlyMap<string, string> } = {},
): ChangedOutline {
  const changed = new OutlineChange(before, given.sectionOf ?? new Map(), conjunctionIn(given.language));
  for (const operation of operations) changed.apply(operation);
  return changed.result();
}

/** "and" by language, to join two titles. */
const CONJUNCTIONS: Record<string, string> = {
  en: 'and',
  de: 'und',
  pl: 'i',
  fr: 'et',
  es: 'y',
  it: 'e',
  pt: 'e',
  nl: 'en',
  cs: 'a',
};

const conjunctionIn = (language = 'en'): string => ` ${CONJUNCTIONS[language.split('-')[0]!] ?? '/'} `;

class OutlineChange {
  private entries: Entry[];
  private readonly originalCount: number;
  private readonly changes: Detail[] = [];
  private readonly refused: Detail[] = [];
  /** The last chapter added after a number, so that several are added in their order. */
  private readonly addedAfter = new Map<number, Entry>();

  constructor(
    before: OutlinedChapter[],
    private readonly sectionOf: ReadonlyMap<string, string>,
    private readonly and: string,
  ) {
    this.originalCount = before.length;
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
    else {
      const change = this.change(operation);
      const { reason: why } = operation;
      this.changes.push(why === '' ? change : phrase('outline.with_reason', { change, reason: why }));
    }
  }

  private problemOf(operation: OutlineOperation): Phrase | null {
    const { op } = operation;
    const named =
      'chapters' in operation ? operation.chapters : 'chapter' in operation ? [operation.chapter] : [];
    const places = 'after' in operation && operation.after > 0 ? [operation.after] : [];
    const unknown =
      named.find((number) => !this.find(number)) ?? places.find((number) => number > this.originalCount);
    if (unknown !== undefined) return phrase('outline.no_chapter', { number: unknown });
    if (new Set(named).size < named.length) return phrase('outline.named_twice');
    if (op === 'move' && operation.chapter === operation.after)
      return phrase('outline.follows_itself', { number: operation.chapter });
    if (op === 'remove' && this.entries.length === 1) return phrase('outline.only_chapter');
    if (op === 'split' && this.find(operation.chapter)!.sections.length < 2)
      return phrase('outline.one_section', { number: operation.chapter });
    return null;
  }

  /** @returns a description of the change */
  private change(operation: OutlineOperation): Phrase {
    switch (operation.op) {
      case 'add':
        return this.add(operation);
      case 'remove': {
        const entry = this.take(operation.chapter);
        return phrase('outline.removed', { number: operation.chapter, title: entry.title });
      }
      case 'move': {
        const entry = this.take(operation.chapter);
        this.entries.splice(this.placeAfter(operation.after), 0, entry);
        const moved = { number: operation.chapter, title: entry.title };
        return operation.after === 0
          ? phrase('outline.moved_first', moved)
          : phrase('outline.moved_after', { ...moved, after: operation.after });
      }
      case 'merge':
        return this.merge(operation.chapters, operation.title);
      case 'split':
        return this.split(operation.chapter, operation.titles);
      case 'rename': {
        const entry = this.find(operation.chapter)!;
        const old = entry.title;
        entry.title = operation.title;
        return phrase('outline.renamed', { number: operation.chapter, old, title: operation.title });
      }
      case 'edit': {
        const entry = this.find(operation.chapter)!;
        Object.assign(entry, contentOf(operation));
        return phrase('outline.edited', { number: operation.chapter, title: entry.title });
      }
    }
  }

  private add(operation: Extract<OutlineOperation, { op: 'add' }>): Phrase {
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
    return number === 0
      ? phrase('outline.added_first', { title: name })
      : phrase('outline.added_after', { title: name, number });
  }

  private merge(numbers: number[], name: string | undefined): Phrase {
    const parts = this.entries.filter(({ number }) => number !== null && numbers.includes(number));
    const [first, ...others] = parts as [Entry, ...Entry[]];
    const quoted = parts.map((part) => phrase('outline.quoted', { title: part.title }));
    const titles = joinPhrases('list', [
      ...quoted.slice(0, -2),
      joinPhrases('outline.and', quoted.slice(-2)),
    ]);
    for (const part of others) this.entries.splice(this.entries.indexOf(part), 1);
    const all = parts.flatMap((part) => part.sections).slice(0, 40);
    const passages = parts.flatMap((part) => part.passages ?? []).slice(0, 400);
    Object.assign(first, {
      title:
        name ??
        parts
          .map((part) => part.title)
          .join(this.and)
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
    return phrase('outline.merged', { titles });
  }

  /** Moves the second half of a chapter's sections, with their passages, into a new chapter after it. */
  private split(number: number, titles: string[] | undefined): Phrase {
    const entry = this.find(number)!;
    const middle = Math.ceil(entry.sections.length / 2);
    const moved = entry.sections.slice(middle);
    const names = new Set(moved.map((section) => section.title));
    const isMoved = (id: string) => names.has((this.sectionOf.get(id) ?? '').slice(0, MAX_TITLE));
    const added: Entry = {
      number: null,
      title: titles?.[1] ?? moved[0]!.title,
      summary: '',
      sections: moved,
      terms: [],
      ...(entry.passages ? { passages: entry.passages.filter(isMoved) } : {}),
    };
    Object.assign(entry, {
      ...(titles ? { title: titles[0] } : {}),
      sections: entry.sections.slice(0, middle),
      ...(entry.passages ? { passages: entry.passages.filter((id) => !isMoved(id)) } : {}),
    });
    this.entries.splice(this.entries.indexOf(entry) + 1, 0, added);
    return phrase('outline.split', { number, title: entry.title, other: added.title });
  }

  private find(number: number): Entry | undefined {
    return this.entries.find((entry) => entry.number === number);
  }

  private take(number: number): Entry {
    const entry = this.find(number)!;
    this.entries.splice(this.entries.indexOf(entry), 1);
    return entry;
  }

  /** Returns the index after a chapter; after the one before it if it has been removed. */
  private placeAfter(number: number): number {
    const last = this.entries.filter((entry) => (entry.number ?? Infinity) <= number);
    const place = this.find(number) ?? last.sort((a, b) => b.number! - a.number!)[0];
    return place ? this.entries.indexOf(place) + 1 : 0;
  }
}

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
