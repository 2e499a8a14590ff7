import type { OutlineEntry } from '#contracts/manuscript.js';
import type { Ledger } from '#verbatim/schema.js';
import type { InputChanges } from '../contract.js';
import { Folders } from '../offline/sources/folders.js';
import { isImage } from '../offline/sources/kind.js';

/** A chapter of the earlier manuscript that is taken over. */
export interface KeptChapter {
  /** Sources of which it carries lines. */
  files: string[];
  /** First and last line in the earlier manuscript. */
  lines: [first: number, last: number];
  /** Sources that are written before it, behind the kept chapter before it. */
  due: string[];
  /** Whether people have edited it, or accepted that it does not carry its sources whole. */
  isSettled: boolean;
}

export interface KeptChapters extends InputChanges {
  chapters: KeptChapter[];
  /** Sources that are not written again. */
  kept: string[];
  /** Sources of chapters that people have edited: kept ones, and ones that have to be written again. */
  edited: { kept: string[]; lost: string[] };
}

/** A version of a manuscript: its lines without line feeds, and its headings. */
interface ManuscriptLines {
  lines: string[];
  outline: OutlineEntry[];
}

export interface EarlierDocument {
  /** Ledger of the version `written`, as JSON. */
  ledger: string;
  written: ManuscriptLines;
  /** `written` with the changes that people have accepted since. */
  current: ManuscriptLines;
  /** SHA-256 of each input by name, then and now. */
  before: Record<string, string>;
  now: Record<string, string>;
  /** The present sources, in processing order. */
  sources: string[];
  /** Sources of edited chapters that the version `written` had taken over. */
  edited: string[];
}

interface Lines {
  title: string | null;
  first: number;
  last: number;
}
interface Chapter {
  files: Set<string>;
  lines: [first: number, last: number];
  isEdited: boolean;
  /** Whether lines of its sources are missing or altered. */
  isFaulty: boolean;
}

/**
 * Compares the inputs of two runs, and returns the chapters of the earlier manuscript whose sources have not changed
 * (X6). A chapter belongs to the sources of which the ledger finds lines in it; a source that also has lines in a changed
 * chapter is written again, and so are its other chapters.
 *
 * Runs in a thread, because its time depends on the manuscript.
 */
export default function keepChapters(work: EarlierDocument): KeptChapters {
  const { before, now, sources } = work;
  const chapters = currentChapters(work);
  const then = new Folders(Object.keys(before).filter((name) => !isImage(name)));
  const folders = new Folders(sources);
  const isMoved = (name: string) => then.groupsOf(name).join('\n') !== folders.groupsOf(name).join('\n');
  const outdated = new Set(Object.keys(before).filter((name) => now[name] !== before[name] || isMoved(name)));
  const hasOtherImages = imagesIn(before) !== imagesIn(now);
  const isOutdated = ({ files, lines: [first, last] }: Chapter) =>
    [...files].some((name) => outdated.has(name)) ||
    (hasOtherImages && files.size === 0 && showsOnlyImages(work.current.lines.slice(first, last)));
  for (let known = -1; known !== outdated.size;) {
    known = outdated.size;
    for (const chapter of chapters.filter(isOutdated)) for (const name of chapter.files) outdated.add(name);
  }
  const kept = new Set(sources.filter((name) => name in before && !outdated.has(name)));
  const edited = chapters.filter(({ isEdited }) => isEdited);
  const filesOf = (of: Chapter[]) => [...new Set(of.flatMap(({ files }) => [...files]))];
  return {
    ...changesOf(before, now),
    kept: sources.filter((name) => kept.has(name)),
    chapters: inPlace(chapters, (chapter) => !isOutdated(chapter), sources, kept, folders),
    edited: {
      kept: filesOf(edited.filter((chapter) => !isOutdated(chapter))),
      lost: filesOf(edited.filter(isOutdated)),
    },
  };
}

const imagesIn = (hashes: Record<string, string>) =>
  JSON.stringify(Object.keys(hashes).filter(isImage).sort());

const showsOnlyImages = (lines: string[]) => lines.every((line) => line === '' || line.startsWith('!['));

/** Returns which inputs differ; an input with the content of a removed one is renamed. */
function changesOf(before: Record<string, string>, now: Record<string, string>): InputChanges {
  const gone = new Set(Object.keys(before).filter((name) => !(name in now)));
  const renamed: InputChanges['renamed'] = [];
  const added = Object.keys(now).filter((to) => {
    if (to in before) return false;
    const from = [...gone].find((name) => before[name] === now[to]);
    if (from === undefined) return true;
    gone.delete(from);
    renamed.push({ from, to });
    return false;
  });
  const changed = Object.keys(now).filter((name) => name in before && before[name] !== now[name]);
  return { added, changed, renamed, removed: [...gone] };
}

/** Returns the kept chapters, each with the sources that are written before it: where they were, or by their order. */
function inPlace(
  chapters: Chapter[],
  isKept: (chapter: Chapter) => boolean,
  sources: string[],
  kept: ReadonlySet<string>,
  folders: Folders,
): KeptChapter[] {
  const order = new Map(sources.map((name, index) => [name, index]));
  const placeOf = (name: string): number => {
    const own = chapters.findIndex(({ files }) => files.has(name));
    const isEarlier = ({ files }: Chapter) =>
      [...files].some((other) => (order.get(other) ?? Infinity) < order.get(name)!);
    if (own >= 0) return own;
    const last = chapters.findLastIndex(isEarlier);
    const [folder] = folders.groupsOf(name);
    const isBeside = ({ files }: Chapter) => [...files].some((other) => folder && other.startsWith(folder));
    const before = last >= 0 && isBeside(chapters[last]!) ? last : chapters.findLastIndex(isBeside);
    if (before >= 0) return before + 1;
    return last >= 0
      ? last + 1
      : Math.max(
          0,
          chapters.findIndex(({ files }) => files.size > 0),
        );
  };
  const waiting = sources
    .filter((name) => !kept.has(name))
    .map((name) => ({ name, place: placeOf(name) }))
    .sort((a, b) => a.place - b.place);
  return chapters.flatMap((chapter, index) => {
    if (!isKept(chapter)) return [];
    const later = waiting.findIndex(({ place }) => place > index);
    const due = waiting.splice(0, later < 0 ? waiting.length : later).map(({ name }) => name);
    const { files, lines, isEdited, isFaulty } = chapter;
    return [{ files: [...files], lines, due, isSettled: isEdited || isFaulty }];
  });
}

/** Returns the chapters of the current version with their sources. */
function currentChapters({ ledger: json, written, current, edited }: EarlierDocument): Chapter[] {
  const parts = partsOf(written);
  const ledger = JSON.parse(json) as Ledger;
  const filesOf = sourcesByPart(ledger, parts);
  const faulty = ledger.files.filter(({ coverage }) => coverage < 1).map(({ name }) => name);
  const now = partsOf(current);
  const length = Math.min(parts.length, now.length);
  const isSame = (a?: Lines, b?: Lines) => a?.title === b?.title;
  let head = 0;
  while (head < length && isSame(parts[head], now[head])) head++;
  let tail = 0;
  while (tail < length - head && isSame(parts.at(-1 - tail), now.at(-1 - tail))) tail++;
  const pair = (from: number, count: number, to: number, nowCount: number): Chapter[] => {
    if (count + nowCount === 0) return [];
    const then = parts.slice(from, from + count);
    const text = now.slice(to, to + nowCount);
    const first = text[0]?.first ?? now[to - 1]?.last ?? 1;
    const lines: Chapter['lines'] = [first, text.at(-1)?.last ?? first - 1];
    const files = new Set(filesOf.slice(from, from + count).flatMap((names) => [...names]));
    const has = (names: string[]) => names.some((name) => files.has(name));
    const isEdited = has(edited) || textOf(written, then) !== textOf(current, text);
    return [{ files, lines, isEdited, isFaulty: has(faulty) }];
  };
  const single = (from: number, to: number) => (_: unknown, index: number) =>
    pair(from + index, 1, to + index, 1);
  return [
    ...parts.slice(0, head).flatMap(single(0, 0)),
    // Here headings of chapters have changed, so that only the chapters together have a counterpart.
    ...pair(head, parts.length - head - tail, head, now.length - head - tail),
    ...parts.slice(parts.length - tail).flatMap(single(parts.length - tail, now.length - tail)),
  ];
}

const textOf = ({ lines }: ManuscriptLines, parts: Lines[]) =>
  parts
    .map(({ first, last }) =>
      lines
        .slice(first - 1, last)
        .join('\n')
        .trimEnd(),
    )
    .join('\n');

/** Returns the lines before the first chapter, and the chapters. */
function partsOf({ lines, outline }: ManuscriptLines): Lines[] {
  const starts = outline.filter(({ level }) => level === 1);
  const all = [{ title: null, line: 1 }, ...starts];
  return all
    .map(({ title, line }, index) => ({
      title,
      first: line,
      last: (starts[index]?.line ?? lines.length + 1) - 1,
    }))
    .filter(({ first, last }) => last >= first);
}

/** Returns the names of the sources that have lines in each part. */
function sourcesByPart({ files, runs, altered }: Ledger, parts: Lines[]): Set<string>[] {
  const names = parts.map(() => new Set<string>());
  const add = (name: string, first: number, last: number) => {
    let low = 0;
    for (let high = parts.length; low < high;) {
      const middle = (low + high) >> 1;
      if (parts[middle]!.last < first) low = middle + 1;
      else high = middle;
    }
    for (; low < parts.length && parts[low]!.first <= last; low++) names[low]!.add(name);
  };
  for (const { source, manuscript_line: line, count, how } of runs)
    add(files[source]!.name, line, line + (how === 'exact' || how === 'table' ? count - 1 : 0));
  for (const { source, manuscript_line: line } of altered) add(source, line, line);
  return names;
}
