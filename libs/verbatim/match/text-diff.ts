import { diffChars } from 'diff';
import type { DiffPart } from '../schema.js';

const MAX_MIDDLE = 400;
const MAX_EQUAL = 120;

/**
 * Returns a character diff from `before` to `after`. Equal ends are skipped first. To limit the effort, a
 * changed middle of more than 400 characters is shown as completely replaced. Long equal parts are shortened
 * to their ends with `…`.
 */
export function characterDiff(before: string, after: string): DiffPart[] {
  const start = commonPrefix(before, after);
  const end = commonSuffix(before, after, start);
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  const parts: DiffPart[] = [{ op: 'equal', text: shorten(before.slice(0, start)) }];
  if (a.length > MAX_MIDDLE || b.length > MAX_MIDDLE) {
    parts.push({ op: 'delete', text: cut(a) }, { op: 'insert', text: cut(b) });
  } else {
    for (const part of diffChars(a, b)) {
      parts.push({ op: part.added ? 'insert' : part.removed ? 'delete' : 'equal', text: part.value });
    }
  }
  parts.push({ op: 'equal', text: shorten(before.slice(before.length - end)) });
  return parts.filter((part) => part.text !== '');
}

/**
 * Returns the similarity of two lines, 0 to 1: the share of equal ends or of common character pairs,
 * whichever is greater.
 */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 1;
  const start = commonPrefix(a, b);
  const ends = (start + commonSuffix(a, b, start)) / longest;
  return ends >= 0.5 || longest > 1000 ? ends : Math.max(ends, commonPairs(a, b));
}

function commonPairs(a: string, b: string): number {
  if (a.length < 2 || b.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let i = 0; i + 1 < a.length; i++)
    pairs.set(a.slice(i, i + 2), (pairs.get(a.slice(i, i + 2)) ?? 0) + 1);
  let common = 0;
  for (let i = 0; i + 1 < b.length; i++) {
    const pair = b.slice(i, i + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    common++;
    pairs.set(pair, left - 1);
  }
  return (2 * common) / (a.length + b.length - 2);
}

function commonPrefix(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function commonSuffix(a: string, b: string, start: number): number {
  const limit = Math.min(a.length, b.length) - start;
  let at = 0;
  while (at < limit && a.charCodeAt(a.length - 1 - at) === b.charCodeAt(b.length - 1 - at)) at++;
  return at;
}

function shorten(text: string): string {
  return text.length <= MAX_EQUAL ? text : `${text.slice(0, MAX_EQUAL / 2)}…${text.slice(-MAX_EQUAL / 2)}`;
}

function cut(text: string): string {
  return text.length <= 2 * MAX_MIDDLE ? text : `${text.slice(0, 2 * MAX_MIDDLE)}…`;
}
