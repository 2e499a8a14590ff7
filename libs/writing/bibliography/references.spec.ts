import type { PersonName } from '#contracts/bibliography-names.js';
import type { Reference } from '#contracts/bibliography.js';
import { referenceSchema } from '#contracts/bibliography.js';
import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { readBibtex } from './bibtex.js';
import { isCslStyle, readCslJson, readReferences } from './read-references.js';

/** Letters as LaTeX writes them. */
const LATEX: Record<string, string> = {
  ä: '{\\"a}',
  é: "\\'{e}",
  ł: '{\\l}',
  Ø: '\\O{}',
  ś: "\\'s",
  ç: '{\\c c}',
  ő: '\\H{o}',
  í: "{\\'\\i}",
  ß: '{\\ss}',
  '–': '--',
  '&': '\\&',
  '%': '\\%',
  '#': '\\#',
  _: '\\_',
  '“': '``',
  '”': "''",
};
const toLatex = (text: string) => Array.from(text, (letter) => LATEX[letter] ?? letter).join('');

const letters = [...'abcdeXYZäéłØśçőíß'];
const word = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 8 }).map((all) => all.join(''));
const words = fc
  .array(fc.oneof(word, fc.constantFrom('&', '12–30', '50%', '#1', 'a_b', '“x”')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) => all.join(' '));
const capital = word.map((name) => `K${name}`);
const person = fc.oneof(
  fc.record({ family: capital, given: capital }),
  fc.record({ family: capital.map((name) => `van ${name}`), given: capital }),
  fc.record({ family: capital, given: capital, suffix: fc.constant('Jr') }),
  fc.record({ family: fc.tuple(capital, capital).map((parts) => parts.join(' of ')) }),
);
const people = fc.array(person, { minLength: 1, maxLength: 30 });
const year = fc.integer({ min: 1000, max: 2100 }).map(String);
const reference: fc.Arbitrary<Reference> = fc.record(
  {
    type: fc.constantFrom('article', 'book', 'report', 'thesis', 'web'),
    title: words,
    authors: people,
    editors: people,
    issued: fc.oneof(
      year,
      year.map((of) => `${of}-07`),
    ),
    container: words,
    publisher: words,
    place: words,
    volume: words,
    issue: words,
    pages: words,
    url: fc.constantFrom('https://example.org/a_b?x=1&y=2', 'https://example.org/~me/#top%20'),
    doi: fc.constant('10.1000/x_y'),
    other: fc.dictionary(fc.constantFrom('abstract', 'keywords', 'note', 'file'), words, { minKeys: 1 }),
  },
  { requiredKeys: ['type'] },
);

const BIBTEX: Partial<Record<keyof Reference, string>> = {
  authors: 'author',
  editors: 'editor',
  container: 'journal',
  place: 'address',
  issue: 'number',
};
const nameInBibtex = ({ family, given, suffix }: PersonName) =>
  given === undefined
    ? `{${toLatex(family)}}`
    : [family, ...(suffix ? [suffix] : []), given].map(toLatex).join(', ');

function toBibtex(
  { type, issued, other = {}, ...fields }: Reference,
  quote: (text: string) => string,
): string {
  const lines = Object.entries({ ...fields, ...other }).map(([name, value]) => {
    const key = BIBTEX[name as keyof Reference] ?? name;
    if (Array.isArray(value))
      return `${key} = {${value.map((one) => nameInBibtex(one as PersonName)).join(' and ')}}`;
    return `${key} = ${name === 'url' ? `{${String(value)}}` : quote(toLatex(String(value)))}`;
  });
  const [of, month] = issued?.split('-') ?? [];
  if (of !== undefined) lines.push(`year = ${of}`);
  if (month !== undefined) lines.push('month = jul');
  return `@${type === 'web' ? 'Online' : type!.toUpperCase()}{key1,\n  ${lines.join(',\n  ')},\n}`;
}

const CSL: Partial<Record<keyof Reference, string>> = {
  authors: 'author',
  editors: 'editor',
  container: 'container-title',
  place: 'publisher-place',
  pages: 'page',
  url: 'URL',
  doi: 'DOI',
};
const CSL_TYPES: Record<string, string> = { article: 'article-journal', web: 'webpage' };

function toCsl({ type, issued, other, ...fields }: Reference) {
  const renamed = Object.entries(fields).map(([name, value]) => [
    CSL[name as keyof Reference] ?? name,
    value,
  ]);
  return {
    id: 'key1',
    type: CSL_TYPES[type!] ?? type,
    ...Object.fromEntries(renamed),
    ...(issued && { issued: { 'date-parts': [issued.split('-').map(Number)] } }),
    ...other,
  };
}

describe('imported references', () => {
  it('X15 keep every field of generated BibTeX entries: braces, accents, many authors, missing fields', () => {
    const quotes = [
      (text: string) => `{${text}}`,
      (text: string) => `"${text}"`,
      (text: string) => `{{${text}}}`,
    ];
    fc.assert(
      fc.property(reference, fc.constantFrom(...quotes), (given, quote) => {
        expect(readBibtex(toBibtex(given, quote))).toEqual([{ key: 'key1', reference: given }]);
      }),
      { numRuns: atDepth({ quick: 100, full: 2_000 }) },
    );
  });

  it('X15 keep every field of generated CSL-JSON items', () => {
    fc.assert(
      fc.property(reference, (given) => {
        expect(readCslJson(JSON.stringify([toCsl(given)]))).toEqual([{ key: 'key1', reference: given }]);
      }),
      { numRuns: atDepth({ quick: 100, full: 2_000 }) },
    );
  });

  it('X15 are valid for any text and any JSON, without an error', () => {
    const pieces = fc.constantFrom(
      '@book{',
      '@string{x=',
      'a,',
      '}',
      '{',
      '"',
      '#',
      '=',
      '\\',
      "\\'",
      '\\v{',
      '$',
      ' and ',
      'title',
      ',',
      '%',
      '\n',
      '@',
      '(',
      ')',
    );
    const text = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 60 })
      .map((all) => all.join(''));
    const json = fc
      .array(
        fc.dictionary(
          fc.oneof(fc.constantFrom('id', 'title', 'author', 'issued', 'page', '__proto__'), fc.string()),
          fc.jsonValue(),
        ),
      )
      .map((all) => JSON.stringify(all));
    fc.assert(
      fc.property(fc.oneof(text, json), (source) => {
        for (const entry of readReferences(source) ?? [])
          expect(referenceSchema.parse(entry.reference)).toEqual(entry.reference);
      }),
      { numRuns: atDepth({ quick: 60, full: 5_000 }) },
    );
  });

  it('X15 follow BibTeX: abbreviations, concatenation, comments, particles, institutions, and damaged entries', () => {
    const entries = readBibtex(`
      A note before. @comment{ignored @x{y}}
      @string{press = "Sea Press"}
      @inproceedings(light,
        author = {Ludwig van Beethoven and {Ministry of Ports and Harbours} and King, Jr, Martin Luther},
        title = "The {NASA} study: $x_1^2$ of " # {l\\'{\\i}ght},
        publisher = press # " Ltd", booktitle = {Proc.}, date = {2019-04-02}, editor = {})
      @book{broken, title = {never closed
      @misc{last, title = {Last}, year = {c. 1900}}`);
    expect(entries).toEqual([
      {
        key: 'light',
        reference: {
          type: 'conference',
          authors: [
            { given: 'Ludwig', family: 'van Beethoven' },
            { family: 'Ministry of Ports and Harbours' },
            { given: 'Martin Luther', family: 'King', suffix: 'Jr' },
          ],
          title: 'The NASA study: $x_1^2$ of líght',
          publisher: 'Sea Press Ltd',
          container: 'Proc.',
          issued: '2019-04-02',
          other: { editor: '' },
        },
      },
      { key: 'last', reference: { type: 'other', title: 'Last', other: { year: 'c. 1900' } } },
    ]);
  });

  it('X15 tell a CSL style and other texts from a bibliography', () => {
    expect(isCslStyle('<?xml version="1.0"?>\n<style xmlns="http://purl.org/net/xbiblio/csl">')).toBe(true);
    expect(isCslStyle('@book{a, title = {<style>}}')).toBe(false);
    expect(['', 'Just words.', '{"a":', '[1]'].map(readReferences)).toEqual([null, null, null, null]);
  });
});
