import type { FirstPagePart } from '#contracts/manuscript.js';
import { hasWords, wordsIn, withoutByteOrderMark } from '#contracts/text.js';
import { splitLines } from '#markdown/scan/scan.js';
import type { LedgerSource } from '../schema.js';
import { sourceForm, type SourceForm } from '../source/form.js';
import { canonicalUnit } from '../source/units-of-measure.js';
import { visibleMarkdown } from '../word/visible-markdown.js';
import { stampOf, type Stamp } from './stamps.js';
import { MARKS } from './vocabulary.js';

/** A line of a source. */
export interface SourceLine {
  /** Counted from 1. */
  number: number;
  /** Without markup, if the source is Markdown. */
  text: string;
  /** As it is written. */
  raw: string;
}

/** Lines of a source that the first page quotes together. */
export interface Entry {
  source: string;
  lines: SourceLine[];
  stamp: Stamp | null;
  /** The lower, the sooner it is shown if there are too many. */
  rank: number;
}

/** Rank of an entry of a time line. */
const RANK = { field: 0, serious: 1, end: 2, other: 3 };

const HEADING = /^ {0,3}#{1,6}[ \t]/;
const ITEM = /^\s{0,12}(?:[-*+]|\d{1,4}[.)])\s+(?<box>\[ \]\s)?\S/;
/** The name of a field or a mark with its colon, or a mark in capitals. */
const LABEL =
  /^[^\p{L}\p{N}]{0,12}(?<word>\p{L}{2,20})(?:(?<colon> ?[*_]{0,3}:[*_]{0,3})|(?=[\s(]|$))\s{0,4}(?<rest>\S?)/u;
const SPEAKER =
  /^(?:\[[^\]]{4,40}\]:? ?|[\d.,:/ -]{6,24}[–-] )?(?<name>\p{Lu}[\p{L}.'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){0,3}): /u;
const FIGURE =
  /(?<![\p{L}\p{N}.,])\d[\d.,]{0,20}[ \u00A0]?(?<unit>[\p{L}°%€$£]{1,12})(?![\p{L}\p{N}])|[$€£] ?\d/gu;

/** Returns the lines of a source that have words. */
export function linesOf({ name, text }: LedgerSource): SourceLine[] {
  const raw = splitLines(withoutByteOrderMark(text));
  const lines =
    sourceForm(name) === 'markdown'
      ? visibleMarkdown(text).map(({ line, text: shown }) => ({
          number: line,
          text: shown,
          raw: raw[line - 1] ?? '',
        }))
      : raw.map((line, at) => ({ number: at + 1, text: line, raw: line }));
  // The parser may show words of a line at the one before.
  const isHere = ({ text: shown, raw: written }: SourceLine) =>
    wordsIn(shown).every((word) => written.includes(word));
  return lines.filter((line) => hasWords(line.text) && isHere(line));
}

/** Finds the lines for each part of a first page by their form (65.6), in the order of the sources. */
export function findEntries(sources: readonly LedgerSource[]): Record<FirstPagePart, Entry[]> {
  const found: Record<FirstPagePart, Entry[]> = {
    timeline: [],
    people: [],
    decisions: [],
    actions: [],
    figures: [],
  };
  const people = new Set<string>();
  for (const source of sources) {
    const form = sourceForm(source.name);
    const lines = linesOf(source);
    const entry = (line: SourceLine): Entry => ({ source: source.name, lines: [line], stamp: null, rank: 0 });
    found.timeline.push(...timesIn(source.name, lines, form));
    for (const [part, line] of markedLines(lines, form)) found[part].push(entry(line));
    if (form === 'code') continue;
    found.figures.push(...lines.filter(({ text }) => hasFigure(text)).map(entry));
    if (form === 'table') continue;
    found.people.push(...linesWithNewPeople(lines, people).map(entry));
  }
  return found;
}

function timesIn(source: string, lines: SourceLine[], form: SourceForm): Entry[] {
  const entries: Entry[] = [];
  lines.forEach((line, at) => {
    const isHeading = form === 'markdown' && HEADING.test(line.raw);
    const stamp = stampOf(line.text, isHeading);
    const isRow = form === 'table' || line.raw.trimStart().startsWith('|');
    if (stamp === null || (isRow && !stamp.hasClock)) return;
    const subject = stamp.isField && !isHeading ? subjectOf(lines, at) : undefined;
    const quoted = [...(subject ? [subject] : []), line].sort((a, b) => a.number - b.number);
    const words =
      line.text
        .slice(0, 80)
        .toLowerCase()
        .match(/\p{L}+/gu) ?? [];
    const isSerious = form === 'code' && words.slice(0, 6).some((word) => MARKS.serious.has(word));
    const rank = stamp.isField ? RANK.field : isSerious ? RANK.serious : RANK.other;
    entries.push({ source, lines: quoted, stamp, rank });
  });
  for (const end of [entries[0], entries.at(-1)]) if (end) end.rank = Math.min(end.rank, RANK.end);
  return entries;
}

/** Returns the heading above the fields of a message, or the line below them: the title of a commit. */
function subjectOf(lines: SourceLine[], at: number): SourceLine | undefined {
  for (let above = at - 1; above >= Math.max(0, at - 8); above--) {
    if (HEADING.test(lines[above]!.raw)) return lines[above];
    if (!LABEL.exec(lines[above]!.text)?.groups?.['colon']) break;
  }
  return lines[at + 1];
}

type MarkedPart = 'decisions' | 'actions';

/** Returns the lines that a mark such as `Decision:`, `TODO` or a check box begins, and items below one that stands alone. */
function markedLines(lines: SourceLine[], form: SourceForm): [MarkedPart, SourceLine][] {
  const marked: [MarkedPart, SourceLine][] = [];
  let list: MarkedPart | null = null;
  for (const line of lines) {
    const item = form === 'code' || form === 'table' ? null : ITEM.exec(line.raw);
    const { part, isAlone } = markOf(line, form);
    if (part !== null && !isAlone) marked.push([part, line]);
    else if (item?.groups?.['box']) marked.push(['actions', line]);
    else if (item && list) marked.push([list, line]);
    if (!item || isAlone) list = isAlone ? part : null;
  }
  return marked;
}

function markOf({ text, raw }: SourceLine, form: SourceForm): { part: MarkedPart | null; isAlone: boolean } {
  const spoken = form === 'code' ? text : text.slice(speakerOf(text)?.length ?? 0);
  const { word = '', colon, rest = '' } = LABEL.exec(spoken)?.groups ?? {};
  const isCapitals = word.length > 3 && word === word.toUpperCase();
  const isHeading = form === 'markdown' && HEADING.test(raw);
  const isMark = isCapitals || (form !== 'code' && (colon !== undefined || (isHeading && rest === '')));
  const parts: MarkedPart[] = ['decisions', 'actions'];
  const part = isMark ? parts.find((name) => MARKS[name].has(word.toLowerCase())) : undefined;
  return { part: part ?? null, isAlone: part !== undefined && rest === '' };
}

/** Returns what stands before the words of a speaker; null if the line has no speaker. */
function speakerOf(text: string): string | null {
  const { 0: before = '', groups } = SPEAKER.exec(text) ?? {};
  const name = groups?.['name']?.toLowerCase() ?? '';
  const isLabel = Object.values(MARKS).some((words) => words.has(name));
  return before === '' || isLabel ? null : before;
}

/** Returns the fields of messages, commits and minutes that name people, and the first line of each speaker. */
function linesWithNewPeople(lines: SourceLine[], known: Set<string>): SourceLine[] {
  const speakers = lines.map(({ text }) => (speakerOf(text) ? SPEAKER.exec(text)!.groups!['name']! : null));
  const named = speakers.filter((name) => name !== null);
  const isTalk = new Set(named).size > 1 && named.length * 2 >= lines.length;
  return lines.filter(({ text }, at) => {
    const { word = '', colon, rest } = LABEL.exec(text)?.groups ?? {};
    const isField = colon !== undefined && rest !== '' && MARKS.people.has(word.toLowerCase());
    const list = isField
      ? text.slice(text.indexOf(':') + 1).split(/[,;]/)
      : [isTalk ? (speakers[at] ?? '') : ''];
    const fresh = list
      .flatMap((person) =>
        person.split('<').map((part) =>
          part
            .replace(/["'*>]/g, '')
            .trim()
            .toLowerCase(),
        ),
      )
      .filter((person) => person !== '' && !known.has(person));
    for (const person of fresh) known.add(person);
    return fresh.length > 0;
  });
}

const hasFigure = (text: string): boolean =>
  [...text.matchAll(FIGURE)].some(({ groups }) => {
    const unit = groups?.['unit'];
    return unit === undefined || canonicalUnit(unit) !== null;
  });
