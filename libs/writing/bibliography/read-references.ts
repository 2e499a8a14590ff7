import { visibleLine, withoutByteOrderMark } from '#contracts/text.js';
import type { PersonName } from '#contracts/bibliography-names.js';
import type { Reference } from '#contracts/bibliography.js';
import { readBibtex } from './bibtex.js';
import forms from './forms.json' with { type: 'json' };
import { createReference, type ReferenceEntry } from './entry.js';

/** Reads a bibliography in BibTeX, BibLaTeX or CSL-JSON, which its first character tells apart. @returns null for a text in another form */
export function readReferences(text: string): ReferenceEntry[] | null {
  const source = withoutByteOrderMark(text).trimStart();
  if (!/^[[{]/.test(source)) {
    const entries = readBibtex(source);
    return entries.length > 0 ? entries : null;
  }
  try {
    return readCslJson(source);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Returns whether a text is a citation style file (CSL), which is XML. */
export const isCslStyle = (text: string): boolean =>
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?<style\s/.test(withoutByteOrderMark(text).slice(0, 2_000));

const TYPES = forms.csl.types as Record<string, Reference['type']>;
/** Fields of a reference by their names in CSL-JSON. */
const PLACES = forms.csl.fields as Record<string, keyof Reference>;
const NAMES: Record<string, 'authors' | 'editors'> = { author: 'authors', editor: 'editors' };

/** Reads the items of a CSL-JSON file. @throws SyntaxError if it is not JSON; TypeError if it has no items */
export function readCslJson(text: string): ReferenceEntry[] {
  const data = JSON.parse(text) as unknown;
  const items = Array.isArray(data) ? (data as unknown[]) : [data];
  return items.map((item) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new TypeError('not an item');
    return entryOf(item as Record<string, unknown>);
  });
}

function entryOf({ id, type, ...fields }: Record<string, unknown>): ReferenceEntry {
  const known = typeof type === 'string' ? TYPES[type] : undefined;
  const found = new Map<string, unknown>([['type', known ?? 'other']]);
  const other = new Map<string, unknown>(
    known === undefined && type !== undefined ? [['entry_type', type]] : [],
  );
  for (const [name, value] of Object.entries(fields)) {
    const [place, placed] = placeOf(name, value) ?? [];
    if (place === undefined || placed === null) other.set(name, value);
    else found.set(place, placed);
  }
  const key = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  return { key, reference: createReference(found, other) };
}

/** Returns the field of a reference for a field of an item, and its value; null if it has another form. */
function placeOf(name: string, value: unknown): [keyof Reference, unknown] | null {
  if (name === 'issued') return ['issued', dateOf(value)];
  const names = own(NAMES, name);
  if (names !== undefined) return [names, namesOf(value)];
  const place = own(PLACES, name);
  return place === undefined ? null : [place, textOf(value)];
}

/** Returns the value of an own key, because names of fields come from a file. */
const own = <Value>(of: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined;

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? visibleLine(value) || null : null;
}

/** Returns the date of `date-parts`, `raw` or `literal`; null for a range and for another form. */
function dateOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { 'date-parts': parts, raw, literal, ...rest } = value as Record<string, unknown>;
  if (Object.keys(rest).length > 0) return null;
  const text = raw ?? literal;
  if (typeof text === 'string') return text;
  if (!Array.isArray(parts) || parts.length !== 1 || !Array.isArray(parts[0])) return null;
  const numbers = (parts[0] as unknown[]).map(Number);
  if (
    numbers.length === 0 ||
    numbers.length > 3 ||
    !numbers.every((part) => Number.isInteger(part) && part > 0)
  )
    return null;
  return numbers.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}

function namesOf(value: unknown): PersonName[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const names = (value as unknown[]).map(nameOf);
  return names.every((name) => name !== null) ? names : null;
}

/** Returns a name, or null if it has parts that a reference lacks. */
function nameOf(value: unknown): PersonName | null {
  if (typeof value !== 'object' || value === null) return null;
  const {
    family,
    given,
    literal,
    suffix,
    'non-dropping-particle': particle,
    ...rest
  } = value as Record<string, unknown>;
  if (Object.keys(rest).length > 0) return null;
  const parts = [family, given, literal, suffix, particle].map((part) => part ?? '');
  if (!parts.every((part) => typeof part === 'string')) return null;
  const [last = '', first = '', whole = '', after = '', before = ''] = (parts as string[]).map(visibleLine);
  const named = [before, last].filter((part) => part !== '').join(' ') || whole;
  if (named === '') return first === '' ? null : { family: first };
  return { family: named, ...(first && { given: first }), ...(after && { suffix: after }) };
}
