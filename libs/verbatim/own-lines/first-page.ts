import { FIRST_PAGE_PARTS, type FirstPagePart } from '#contracts/manuscript.js';
import { cutAt, oneLine, withoutByteOrderMark } from '#contracts/text.js';
import { percentDecoded } from '#contracts/lenient.js';
import { escapeInline, escapeLineStart } from '#markdown/escape.js';
import { frontMatterLines } from '#markdown/front-matter.js';
import { scanMarkdown, splitLines, type ScannedLine } from '#markdown/scan/scan.js';
import type { LedgerAdded, LedgerSource } from '../schema.js';
import { findEntries, linesOf, type Entry, type SourceLine } from './entries.js';
import { stampOf } from './stamps.js';
import { FIRST_PAGES, isFirstPage, isZoneHeading } from './vocabulary.js';

type Texts = (typeof FIRST_PAGES)['en'];

/** Number of entries of all parts together, and of characters of a quoted line. */
const MAX_ENTRIES = 24;
const MAX_QUOTE = 110;
const LANGUAGES: readonly Texts[] = Object.values(FIRST_PAGES);
const LINK = /\]\(\/(?<path>[^()\s#]{1,4000})#L(?<lines>\d{1,9}(?:,\d{1,9})?)\)/;

/**
 * Returns a manuscript that begins with a first page (65.6), in place of the one that it has. Each entry quotes lines of
 * a source and links to them; lines are found by their form, and their meaning is not judged.
 *
 * @param language of the document, as a BCP 47 tag; English for languages without texts
 */
export function withFirstPage(
  manuscript: string,
  sources: readonly LedgerSource[],
  { parts, language }: { parts: readonly FirstPagePart[]; language: string | null },
): string {
  const code = language?.toLowerCase().split('-')[0] ?? 'en';
  const texts = Object.hasOwn(FIRST_PAGES, code)
    ? FIRST_PAGES[code as keyof typeof FIRST_PAGES]
    : FIRST_PAGES.en;
  const page = writePage(
    sources,
    FIRST_PAGE_PARTS.filter((part) => parts.includes(part)),
    texts,
  );
  const lines = linesWithoutFirstPage(withoutByteOrderMark(manuscript));
  if (page === null) return lines.join('\n');
  const front = lines.splice(0, frontMatterLines(lines));
  while (lines[0]?.trim() === '') lines.shift();
  // The page ends at the next chapter.
  const [first] = scanMarkdown(lines.slice(0, 2)).lines;
  const isChapter = first === undefined || isChapterStart(first);
  return [...front, page, ...(isChapter ? [] : [`# ${texts.rest}`, '']), ...lines].join('\n');
}

/** Returns the lines, with their line ends but for line feeds, without the first page, which only other zones may precede. */
function linesWithoutFirstPage(text: string): string[] {
  const { lines: scanned } = scanMarkdown(splitLines(text), { frontMatter: true });
  const starts = scanned.flatMap((own, at) => (isChapterStart(own) ? [at] : []));
  const end = starts.findIndex((at) => !isZoneHeading(scanned[at]!.text));
  const zones = end < 0 ? starts : starts.slice(0, end);
  const index = zones.findIndex((at) => isFirstPage(scanned[at]!.text));
  const lines = text.split('\n');
  if (index < 0) return lines;
  return [...lines.slice(0, starts[index]), ...lines.slice(starts[index + 1] ?? lines.length)];
}

const isChapterStart = ({ kind, level }: ScannedLine): boolean =>
  (kind === 'heading' || kind === 'setext') && level === 1;

function writePage(sources: readonly LedgerSource[], parts: FirstPagePart[], texts: Texts): string | null {
  const found = findEntries(sources);
  const filled = parts.filter((part) => found[part].length > 0);
  if (filled.length === 0) return null;
  // The time line counts twice.
  const share = Math.floor(MAX_ENTRIES / (filled.length + Number(filled.includes('timeline'))));
  const sections = filled.map((part) => {
    const all = part === 'timeline' ? found[part].sort((a, b) => a.stamp!.at - b.stamp!.at) : found[part];
    const shown = choose(all, part === 'timeline' ? 2 * share : share);
    const items = shown.map(({ source, lines }) => writeEntry(source, lines, part === 'timeline', texts));
    if (all.length > shown.length) items.push(moreItem(all.length - shown.length, texts));
    return `## ${texts.sections[part]}\n\n${items.join('\n')}\n`;
  });
  return `# ${texts.heading}\n\n${sections.join('\n')}`;
}

/** Returns the entries of the first ranks in their order; of the rank that is too much, entries at equal distances. */
function choose(entries: Entry[], count: number): Entry[] {
  const ranked = entries.map((_, at) => at).sort((a, b) => entries[a]!.rank - entries[b]!.rank || a - b);
  const limit = entries[ranked[count] ?? -1]?.rank ?? Infinity;
  const sure = ranked.filter((at) => entries[at]!.rank < limit);
  const rest = ranked.filter((at) => entries[at]!.rank === limit);
  const room = count - sure.length;
  const spread = Array.from(
    { length: Math.min(room, rest.length) },
    (_, i) => rest[Math.floor((i * rest.length) / room)]!,
  );
  return [...sure, ...spread].sort((a, b) => a - b).map((at) => entries[at]!);
}

const moreItem = (count: number, { more }: Texts): string => `- ${more.replace('{n}', String(count))}`;

/** Returns the item that quotes lines of a source, with a link to the first; says of a time whether it has no zone. */
function writeEntry(source: string, lines: readonly SourceLine[], isTime: boolean, texts: Texts): string {
  const quote = lines.map(({ text }) => quoteOf(text)).join(' · ');
  const numbers = lines.map(({ number }) => number);
  const path = encodeURI(source).replace(/[()#?]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const label = escapeInline(`${source}, ${texts.line} ${numbers.join(', ')}`);
  const isZoneless = isTime && lines.some(({ text }) => lacksZone(text));
  const item = `- ${escapeLineStart(escapeInline(quote))} — [${label}](/${path}#L${numbers.join(',')})`;
  return isZoneless ? `${item}, ${texts.no_zone}` : item;
}

function lacksZone(text: string): boolean {
  const stamp = stampOf(text);
  return stamp !== null && stamp.hasClock && !stamp.hasZone;
}

/** Returns a line without the borders of a table, cut at a word. */
function quoteOf(text: string): string {
  const line = oneLine(text.replace(/^\s*\||\|\s*$/g, ''));
  if (line.length <= MAX_QUOTE) return line;
  const cut = cutAt(line, MAX_QUOTE);
  return `${cut.slice(0, cut.lastIndexOf(' ') + 1 || cut.length).trimEnd()} …`;
}

/**
 * Returns a function that finds the source lines of a first page's entry; null for a line that is not exactly such an
 * entry.
 */
export function entryReader(
  sources: readonly LedgerSource[],
): (line: string) => NonNullable<LedgerAdded['supported_by']> | null {
  const read = new Map<string, Map<number, SourceLine>>();
  const numbered = (source: LedgerSource) => {
    const known = read.get(source.name) ?? new Map(linesOf(source).map((line) => [line.number, line]));
    read.set(source.name, known);
    return known;
  };
  return (line) => {
    const { path, lines: numbers } = LINK.exec(line)?.groups ?? {};
    const source = sources.find(({ name }) => path !== undefined && name === percentDecoded(path));
    if (!source || numbers === undefined) return null;
    const lines = numbers.split(',').flatMap((number) => numbered(source).get(Number(number)) ?? []);
    const isEntry = LANGUAGES.some((texts) =>
      [true, false].some((isTime) => writeEntry(source.name, lines, isTime, texts) === line.trim()),
    );
    return isEntry
      ? lines.map(({ number }) => ({ source: source.name, line: number, last_line: number }))
      : null;
  };
}

/** Returns whether a line is a heading of a part, or counts the entries that are not shown. */
export function isPageText(line: string): boolean {
  const text = line.trim();
  return LANGUAGES.some(
    (texts) =>
      Object.values(texts.sections).some((section) => text === `## ${section}`) ||
      text === moreItem(Number(/\d+/.exec(text)?.[0] ?? NaN), texts),
  );
}
