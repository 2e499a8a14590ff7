import { isCapitalized } from './text.js';

// Without zod, for the studio.

/** Citation styles of exported texts; without one, notes have the form of earlier releases. */
export const citationStyles = ['chicago', 'apa', 'mla', 'numeric'] as const;
export type CitationStyle = (typeof citationStyles)[number];

/** Kinds of works that the citation styles distinguish. */
export const referenceTypes = [
  'article',
  'book',
  'chapter',
  'conference',
  'manuscript',
  'report',
  'thesis',
  'web',
  'other',
] as const;

/** A person's name in parts, or the name of an institution as `family` alone. */
export interface PersonName {
  family: string;
  given?: string | undefined;
  suffix?: string | undefined;
}

/** Returns a name as people write it: `Ada Nowak`. */
export const fullName = ({ given, family, suffix }: PersonName): string =>
  [given, family, suffix].filter((part) => part !== undefined).join(' ');

/** Longest name that is read as given and family name; a longer one without a comma is an institution's. */
const MAX_NAME_WORDS = 3;

/**
 * Reads the names of a text such as `Ada Nowak, Jan Kowalski` or `Nowak, Ada; Kowalski, Jan`. A name without a comma is
 * a person's if it has two or three words that begin with capitals.
 */
export function readNames(text: string): PersonName[] {
  const whole = text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  const parts = splitNames(whole, whole.includes(';') ? ';' : ',');
  const isList = whole.includes(';') || parts.every((part) => part.includes(' '));
  return (isList ? parts : [whole]).flatMap((part) => readName(part) ?? []);
}

const splitNames = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function readName(text: string): PersonName | null {
  const [family, given] = splitNames(text, ',');
  if (family === undefined) return null;
  if (given !== undefined) return { family, given };
  const words = family.split(' ');
  const isPerson = words.length > 1 && words.length <= MAX_NAME_WORDS && words.every(isCapitalized);
  return isPerson ? { family: words.at(-1)!, given: words.slice(0, -1).join(' ') } : { family };
}
