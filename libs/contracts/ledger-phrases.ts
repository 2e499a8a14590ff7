import texts from '#locales/en.json' with { type: 'json' };
import { findText } from './phrases/known-text.js';
import { phrase, type Phrase } from './phrases/phrase.js';
import type { PhraseCatalogue } from './phrases/render.js';

const { ledger, pieces } = texts.service;

/** Maximum number of characters of a place that is translated; longer ones have long names of files. */
const MAX_PLACE = 500;

const names = new Map(
  Object.entries(pieces).map(([code, text]): [string, Phrase] => [text, { code, params: {} }]),
);

/** Parts whose texts have a placeholder. */
const variableParts = {
  'piece_at.comment_on': pieces['piece_at.comment_on'],
  'piece_at.header_or_footer': pieces['piece_at.header_or_footer'],
  'piece_at.form_of_output': pieces['piece_at.form_of_output'],
};

function phraseIn(catalogue: PhraseCatalogue, text: string): Phrase | undefined {
  const known = findText(catalogue, text);
  return known === null ? undefined : { code: known.code, params: known.values };
}

/** Returns the phrase of a rule, difference or note of a ledger; undefined if its text comes from elsewhere. */
export const ledgerPhrase = (text: string): Phrase | undefined => phraseIn(ledger, text);

/** Returns the phrase of why a piece of a file is not carried; undefined if a part of the text is unknown. */
export function reasonPhrase(text: string): Phrase | undefined {
  const found = ledgerPhrase(text) ?? piecePhrase(text);
  if (found) return found;
  const [, version] = /^the (.{1,100}) is used$/.exec(text) ?? [];
  if (version !== undefined)
    return phrase('piece_at.version_used', { version: names.get(version) ?? version });
  const place = text.startsWith('as in ') ? piecePhrase(text.slice('as in '.length)) : undefined;
  return place && phrase('piece_at.as_in', { place });
}

/**
 * Returns the phrase of a part of a file or a place in it, such as `page 4, form field` or `sheet "Q1" B7`; undefined
 * if a part of it is unknown.
 */
export function piecePhrase(text: string): Phrase | undefined {
  return text.length > MAX_PLACE ? undefined : new PlaceReader(text).read(0);
}

/** Reads a place from its outermost part. The names of attached files may contain commas. */
class PlaceReader {
  private readonly failed = new Set<number>();

  constructor(private readonly text: string) {}

  read(from: number): Phrase | undefined {
    if (this.failed.has(from)) return undefined;
    const found = this.readMarked(from) ?? this.readParts(from);
    if (!found) this.failed.add(from);
    return found;
  }

  /** Reads a place whose beginning says what is there: deleted words, a sheet. */
  private readMarked(from: number): Phrase | undefined {
    const rest = this.text.slice(from);
    if (names.has(rest)) return names.get(rest);
    const deleted = 'deleted text in ';
    if (rest.startsWith(deleted)) {
      const place = this.read(from + deleted.length);
      return place && phrase('piece_at.deleted_in', { place });
    }
    const [unseen, what = ''] = /^(deleted text|hidden text) /.exec(rest) ?? [];
    const whole = unseen === undefined ? undefined : this.read(from + unseen.length);
    if (whole !== undefined) return phrase('piece_at.part', { whole, part: names.get(what)! });
    const [sheet, name = ''] = /^sheet ("(?:[^"\\]|\\.)*") /.exec(rest) ?? [];
    if (sheet === undefined) return undefined;
    const cell = rest.slice(sheet.length);
    const place = /^[A-Z]{1,3}\d{1,7}$/.test(cell) ? cell : this.read(from + sheet.length);
    return place === undefined ? undefined : phrase('piece_at.sheet', { name, place });
  }

  private readParts(from: number): Phrase | undefined {
    const { text } = this;
    for (let at = text.indexOf(', ', from); at >= 0; at = text.indexOf(', ', at + 1)) {
      const whole = onePart(text.slice(from, at));
      const part = whole && this.read(at + 2);
      if (part) return phrase('piece_at.part', { whole, part });
    }
    return onePart(text.slice(from));
  }
}

function onePart(text: string): Phrase | undefined {
  const name = names.get(text);
  if (name) return name;
  const [, what = '', number = ''] = /^(.{1,60}) (\d{1,9})$/.exec(text) ?? [];
  const numbered = names.get(what);
  if (numbered) return phrase('piece_at.named', { what: numbered, name: number });
  const [, holder = '', file = ''] = /^(attachment|included file) (.+)$/s.exec(text) ?? [];
  if (file !== '') return phrase('piece_at.named', { what: names.get(holder)!, name: file });
  return phraseIn(variableParts, text);
}
