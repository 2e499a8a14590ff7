import { withoutByteOrderMark } from '#contracts/text.js';
import { splitLines } from '#markdown/scan/scan.js';
import type { Ledger, LedgerSource } from '../schema.js';
import { sourceForm } from '../source/form.js';
import { MARKS, MONTHS } from './vocabulary.js';

/** A date with or without a time of day, as a line says it. */
export interface Stamp {
  /** Milliseconds since 1970; a time without a zone counts as UTC. */
  at: number;
  /** The day as it is written, YYYY-MM-DD. */
  day: string;
  hasClock: boolean;
  hasZone: boolean;
  /** Whether a field such as `Date:` says what the date is. */
  isField: boolean;
}

/** Hours from UTC of zones that have names. */
const ZONES: Readonly<Record<string, number>> = {
  Z: 0, UTC: 0, GMT: 0, WET: 0, WEST: 1, BST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3,
  EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7,
}; // prettier-ignore
const CLOCK = String.raw`(?<h>\d{1,2}):(?<min>\d{2})(?::(?<s>\d{2})(?:[.,]\d{1,9})?)?`;
const ZONE = String.raw`(?: ?(?<zone>${Object.keys(ZONES).join('|')}|[+-]\d{2}:?\d{2})(?![\p{L}\p{N}]))?`;
const AFTER = String.raw`(?:(?:[T:,]| -)? ?${CLOCK}${ZONE})?(?![\p{L}\p{N}])`;
const DAY = String.raw`(?<d>\d{1,2})`;
/** Forms of a date whose parts cannot be taken for each other; `02/03/2026` is none. */
const FORMS = [
  String.raw`(?<y>\d{4})[-/.](?<m>\d{2})[-/.](?<d>\d{2})${AFTER}`,
  String.raw`${DAY}\.(?<m>\d{1,2})\.(?<y>\d{4}|\d{2}(?=,? \d{1,2}:))${AFTER}`,
  String.raw`(?:\p{L}{2,12}[.,]{0,2} )?${DAY}(?:\. ?|[ /-])(?<m>\p{L}{3,12})[. /-]{1,2}(?<y>\d{4})${AFTER}`,
  String.raw`(?:\p{L}{3} )?(?<m>\p{L}{3,12}) {1,2}${DAY},? (?:${CLOCK} )?(?<y>\d{4})${ZONE}(?![\p{L}\p{N}])`,
].map((form) => new RegExp(form, 'uy'));
/** What may stand before a date: punctuation, then the name of a field, a log level or a commit. */
const BEFORE = /^[^\p{L}\p{N}@]{0,20}/u;
const FIRST_WORD = /(?<word>[\p{L}@_]{2,20}|[0-9a-f]{7,40})(?<end>["*\]]{0,3}[:=]?[^\p{L}\p{N}]{1,12})/uy;
/** Number of characters of a line that are searched for a date. */
const HEAD = 160;

/**
 * Returns the date with which a line begins, after punctuation, the name of a field or a log level, that it has in
 * brackets, or that a heading contains; null if it has none, or one whose parts are not certain.
 */
export function stampOf(line: string, isHeading = false): Stamp | null {
  const head = line.slice(0, HEAD);
  const first = BEFORE.exec(head)![0].length;
  FIRST_WORD.lastIndex = first;
  const { 0: all = '', groups } = FIRST_WORD.exec(head) ?? {};
  const word = groups?.['word']?.toLowerCase() ?? '';
  const isField = MARKS.date.has(word) && /[:=]/.test(groups!['end']!);
  const isSkipped = isField || MARKS.level.has(word) || /^[0-9a-f]{7,40}$/.test(word);
  const start = isSkipped ? first + all.length : first;
  // Logs of web servers have it in brackets.
  const stamp = dateAt(head, start) ?? dateAt(head, head.indexOf('[') + 1);
  if (stamp || !isHeading) return stamp && { ...stamp, isField };
  for (const { index } of head.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)) {
    const found = dateAt(head, index);
    if (found) return { ...found, isField: true };
  }
  return null;
}

function dateAt(text: string, start: number): Omit<Stamp, 'isField'> | null {
  for (const form of FORMS) {
    form.lastIndex = start;
    const found = form.exec(text)?.groups;
    if (!found) continue;
    const [y, d] = [Number(found['y']), Number(found['d'])];
    const year = y < 100 ? 2000 + y : y;
    const month = MONTHS.get(found['m']!.toLowerCase()) ?? Number(found['m']);
    const [hour, minute, second] = [found['h'], found['min'], found['s']].map((part) => Number(part ?? 0));
    const date = new Date(Date.UTC(year, month - 1, d, hour, minute, second));
    const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === d && year >= 1970 && year < 2100;
    if (!isDay) continue;
    const day = [year, month, d].map((part) => String(part).padStart(2, '0')).join('-');
    const zone = found['zone'];
    const at = date.getTime() - (zone === undefined ? 0 : hoursOf(zone) * 3_600_000);
    return { at, day, hasClock: found['h'] !== undefined, hasZone: zone !== undefined };
  }
  return null;
}

function hoursOf(zone: string): number {
  const digits = zone.replace(':', '');
  const sign = digits.startsWith('-') ? -1 : 1;
  return ZONES[zone] ?? sign * (Number(digits.slice(1, 3)) + Number(digits.slice(3)) / 60);
}

/**
 * Returns the first and the last day that log entries, messages, commits, fields such as `Date:` and titles of the
 * sources name; undefined if there are none.
 */
export function timeSpan(sources: readonly LedgerSource[]): Ledger['span'] {
  let span: Ledger['span'];
  for (const { name, text } of sources) {
    const isMarkdown = sourceForm(name) === 'markdown';
    // Most lines of a log begin with the same day.
    let counted = '\n';
    splitLines(withoutByteOrderMark(text)).forEach((line, at) => {
      if (line.startsWith(counted)) return;
      const { day, hasClock, isField } = stampOf(line, isMarkdown && at === 0 && line.startsWith('# ')) ?? {};
      if (day === undefined || !(hasClock || isField)) return;
      const start = line.indexOf(day);
      counted = start < 0 ? '\n' : line.slice(0, start + day.length);
      span ??= { first: day, last: day };
      if (day < span.first) span.first = day;
      if (day > span.last) span.last = day;
    });
  }
  return span;
}
