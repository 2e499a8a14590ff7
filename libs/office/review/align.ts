import { diffArrays, diffChars } from 'diff';

const WORDS = /[\p{L}\p{M}\p{N}_]+|\n|[^\S\n]+|[^\p{L}\p{M}\p{N}_\s]/gu;

/**
 * Finds which characters of a text are those of an older text: first equal paragraphs, then equal words of the others.
 *
 * @param parts splits the others into what is compared, by default words
 * @returns for each character its position in the older text, ascending; -1 for a new one
 */
export function alignWords(text: string, older: string, parts = wordsOf): Int32Array {
  const places = new Int32Array(text.length).fill(-1);
  const common = commonStart(text, older);
  for (let i = 0; i < common; i++) places[i] = i;
  if (common === text.length && common === older.length) return places;
  const start = text.lastIndexOf('\n', common - 1) + 1;
  const paragraphs = (all: string) => all.slice(start).split(/(?<=\n)/);
  let [at, olderAt] = [start, start];
  const changes = diffArrays(paragraphs(older), paragraphs(text));
  for (let i = 0; i < changes.length; i++) {
    const { value, added, removed } = changes[i]!;
    const [words, next] = [value.join(''), changes[i + 1]];
    if (removed && next?.added) {
      const newer = next.value.join('');
      alignPart([parts(newer), parts(words)], at, olderAt, places);
      [at, olderAt] = [at + newer.length, olderAt + words.length];
      i++;
    } else if (removed) olderAt += words.length;
    else if (added) at += words.length;
    else {
      for (let j = 0; j < words.length; j++) places[at + j] = olderAt + j;
      [at, olderAt] = [at + words.length, olderAt + words.length];
    }
  }
  return places;
}

function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? [];
}

function alignPart(
  [parts, older]: [string[], string[]],
  at: number,
  olderAt: number,
  places: Int32Array,
): void {
  places.fill(-1, at, at + parts.join('').length);
  for (const { value, added, removed } of diffArrays(older, parts)) {
    const { length } = value.join('');
    if (!added && !removed) for (let i = 0; i < length; i++) places[at + i] = olderAt + i;
    if (!removed) at += length;
    if (!added) olderAt += length;
  }
}

/** Finds which characters of a text are those of another one. @returns positions as `alignWords` */
export function alignCharacters(text: string, other: string): Int32Array {
  const places = new Int32Array(text.length).fill(-1);
  const start = commonStart(text, other);
  for (let i = 0; i < start; i++) places[i] = i;
  let end = 0;
  while (end < Math.min(text.length, other.length) - start && text.at(-1 - end) === other.at(-1 - end)) end++;
  for (let i = 1; i <= end; i++) places[text.length - i] = other.length - i;
  let [at, otherAt] = [start, start];
  for (const { value, added, removed } of diffChars(
    other.slice(start, other.length - end),
    text.slice(start, text.length - end),
  )) {
    if (!added && !removed) for (let i = 0; i < value.length; i++) places[at + i] = otherAt + i;
    if (!removed) at += value.length;
    if (!added) otherAt += value.length;
  }
  return places;
}

function commonStart(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at++;
  return at;
}
