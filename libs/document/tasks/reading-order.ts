import { baseName, compareNames, folderOf, isOverview } from '#contracts/source-name.js';
import { isDigits, splitAtLineEnds } from '#contracts/text.js';
import { stampOf } from '#verbatim/own-lines/stamps.js';
import { sourceForm } from '#verbatim/source/form.js';

/** What a source says about its place among the others. */
export interface PlaceClues {
  /** Time in ms of the fields at its beginning, or of its title; null if there is none. */
  date: number | null;
  /** Words of prose, of which some may be names of files. */
  words: ReadonlySet<string>;
}

/** Number of lines that are searched for a date, and of characters for names of files. */
const HEAD_LINES = 12;
const MAX_READ = 200_000;
// The lookbehind keeps the search linear in words without a dot.
const NAMES = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+\.[\p{L}\p{N}]+/gu;

const isProse = (name: string) => ['markdown', 'text'].includes(sourceForm(name));

/** Reads what a source says about its place; code and data say nothing. */
export function readClues(name: string, text: string): PlaceClues {
  if (!isProse(name)) return { date: null, words: new Set() };
  const read = text.slice(0, MAX_READ);
  const stamps = splitAtLineEnds(read.slice(0, HEAD_LINES * 500))
    .slice(0, HEAD_LINES)
    .flatMap((line) => stampOf(line, line.startsWith('# ')) ?? []);
  return { date: stamps.find(({ isField }) => isField)?.at ?? null, words: new Set(read.match(NAMES)) };
}

/**
 * Returns names in the order in which a reader expects the sources: within a folder, dated ones ascending in their places,
 * unless numbers begin their names, and code and data behind the prose that mentions them. Other names stay, and so does
 * an order that a person has set.
 */
export function readingOrder(names: readonly string[], clues: ReadonlyMap<string, PlaceClues>): string[] {
  if (names.some((name, at) => at > 0 && compareNames(names[at - 1]!, name) > 0)) return [...names];
  const dateOf = (name: string) =>
    isOverview(name) || isDigits(baseName(name).charAt(0)) ? null : (clues.get(name)?.date ?? null);
  const ordered = [...names];
  const dated = new Map<string, string[]>();
  for (const name of names)
    if (dateOf(name) !== null) dated.set(folderOf(name), [...(dated.get(folderOf(name)) ?? []), name]);
  const places = new Map(names.map((name, at) => [name, at]));
  for (const group of dated.values()) {
    const ascending = [...group].sort((a, b) => dateOf(a)! - dateOf(b)!);
    group.forEach((name, at) => (ordered[places.get(name)!] = ascending[at]!));
  }
  const waiting = new Set<string>();
  const behind = new Map<string, string[]>();
  const mentioned = new Set<string>();
  for (const name of ordered) {
    if (!isProse(name)) waiting.add(name);
    for (const word of clues.get(name)?.words ?? []) {
      const other = `${folderOf(name)}${word}`;
      if (!mentioned.has(other) && waiting.has(other)) behind.set(name, [...(behind.get(name) ?? []), other]);
      mentioned.add(other);
    }
  }
  const moved = new Set([...behind.values()].flat());
  return ordered.flatMap((name) => (moved.has(name) ? [] : [name, ...(behind.get(name) ?? [])]));
}
