import { z } from 'zod';
import { captionLists } from '../docx/write/front.js';
import { labelsFor } from '../docx/write/labels.js';
import { isNumbered, type Settings } from '../docx/write/options.js';
import { TO_RIGHT_PAGE, typstBookFront } from './typst-book.js';
import type { Structure } from '#contracts/structure.js';
import { plainText } from '../structure/text.js';
import { joinPdfs, INTERNAL_LINK_PREFIX, type PdfPart } from './join/join.js';
import { literal } from './typst-literal.js';
import { typstCover, typstLooks } from './typst-preamble.js';
import { opensChapter, TypstWriter, type TypstParts } from './typst-source.js';

/** Characters of source that Typst sets in one run; each takes about 120 bytes of memory. */
const PART = 1_000_000;
/** Heading levels in the table of contents. */
const DEPTH = 3;
/** Maximum number of attempts: if the length of the front matter changes, so do the page numbers in it. */
const ATTEMPTS = 3;
/** Placeholder for an unknown page number, as wide as one. */
const UNKNOWN_PAGE = 1_000;

/** Typst code that reports the position of each heading, figure and table. */
const PLACES = `#context {
  let place(it) = { let at = it.location().position(); (str(it.label), counter(page).at(it.location()).first(), at.page, at.y.pt()) }
  [#metadata((last: counter(page).final().first(), at: query(selector(heading).or(figure)).filter(it => it.has("label")).map(place))) <scriptorium-places>]
}`;

/**
 * Sets a source as PDF and returns the result of its query `<scriptorium-places>`.
 *
 * @throws Error if Typst cannot set it
 */
interface Typesetter {
  set(source: string): { bytes: Uint8Array; places: unknown };
}

const placesSchema = z.tuple([
  z.object({
    last: z.number().int(),
    at: z.array(z.tuple([z.string(), z.number().int(), z.number().int(), z.number()])),
  }),
]);

interface Part {
  source: string;
  /** Number of chapters before the part; `notes` counts the footnotes before it. */
  chapters: number;
  notes: number;
}

/** Returns whether a document is set in parts: it is long, and each chapter starts on a new page. */
export function isLong({ chaptersOnNewPages }: Settings, source: string, size = PART): boolean {
  return chaptersOnNewPages && source.length > 2 * size;
}

/**
 * Sets a long document in parts of whole chapters and joins them, which limits memory: Typst keeps all glyphs
 * of a document. Pages, footnotes and chapters are numbered continuously; the table of contents is set last,
 * when the pages are known. Page numbers do not include the total, which is unknown while the first parts are
 * set.
 *
 * @param size characters of source per part
 */
export function longPdf(
  typesetter: Typesetter,
  structure: Structure,
  settings: Settings,
  given: TypstParts,
  size = PART,
): Uint8Array {
  const sources = partsOf(structure, new TypstWriter(structure, settings, given, 'anywhere'), size);
  const hasFront = settings.cover || settings.toc;
  const front = (pages: ReadonlyMap<string, number>) =>
    set(typesetter, frontSource(settings, structure, pages));
  let first = hasFront && !settings.book ? front(new Map()).last : 0;
  for (let attempt = 1; ; attempt++) {
    const pages = new Map<string, number>();
    const files: PdfPart[] = [];
    let last = first;
    for (const part of sources) {
      const made = set(typesetter, partSource(settings, part, last + 1));
      for (const [label, page] of made.at) if (!pages.has(label)) pages.set(label, page);
      files.push(made);
      last = made.last;
    }
    if (!hasFront) return joinPdfs(files);
    const made = front(pages);
    // The pages of a book are numbered from its first chapter.
    if (settings.book || made.last === first || attempt === ATTEMPTS) return joinPdfs([made, ...files]);
    first = made.last;
  }
}

function set(typesetter: Typesetter, source: string) {
  const { bytes, places } = typesetter.set(`${source}\n${PLACES}`);
  const [{ last, at }] = placesSchema.parse(places);
  return { bytes, last, at, targets: at.map(([name, , page, top]) => ({ name, page, top })) };
}

/** Groups whole chapters into parts of about the given size. */
function partsOf(structure: Structure, writer: TypstWriter, size: number): Part[] {
  const parts: Part[] = [];
  let [lines, length, chapters, notes]: [string[], number, number, number] = [[], 0, 0, 0];
  let begun = { chapters, notes };
  const end = () => {
    if (lines.length > 0) parts.push({ source: lines.join('\n'), ...begun });
    [lines, length, begun] = [[], 0, { chapters, notes }];
  };
  for (const [at, block] of structure.blocks.entries()) {
    const opens = opensChapter(block);
    if (opens && length >= size) end();
    const source = writer.blockOfDocument(structure.blocks, at);
    lines.push(source);
    length += source.length;
    if (opens) chapters += 1;
    notes = writer.notesShown;
  }
  end();
  return parts;
}

function partSource(settings: Settings, { source, chapters, notes }: Part, page: number): string {
  return [
    typstLooks({ ...settings, cover: false }, '1'),
    `#counter(page).update(${page})`,
    `#counter(heading).update(${chapters})`,
    `#counter(footnote).update(${notes})`,
    source,
    endOfPart(settings),
  ].join('\n');
}

/** Ends each part of a book with a left page, so that the next one begins with a right page. */
const endOfPart = ({ book }: Settings): string => (book ? TO_RIGHT_PAGE : '');

function frontSource(settings: Settings, structure: Structure, pages: ReadonlyMap<string, number>): string {
  const contents = settings.toc ? contentsSource(settings, structure, pages) : '';
  if (settings.book) return [typstLooks(settings, '1'), typstBookFront(settings, contents)].join('\n');
  const cover = typstCover(settings);
  const both = settings.toc && cover !== '';
  return [typstLooks(settings, '1'), cover, both ? '#pagebreak()' : '', contents].join('\n');
}

function contentsSource(
  settings: Settings,
  structure: Structure,
  pages: ReadonlyMap<string, number>,
): string {
  const labels = labelsFor(settings.language);
  const entry = (level: number, id: string, words: string): string => {
    const to = literal(INTERNAL_LINK_PREFIX + encodeURIComponent(id));
    return `#entry(${level}, ${to}, ${literal(words)}, "${pages.get(id) ?? UNKNOWN_PAGE}")`;
  };
  const counts: number[] = [];
  const entries = structure.headings.flatMap(({ id, level, text }) => {
    counts.length = level;
    counts[level - 1] = (counts[level - 1] ?? 0) + 1;
    if (level > (settings.book ? 2 : DEPTH)) return [];
    const number = isNumbered(settings, { id, level })
      ? `${Array.from(counts, (count) => count ?? 0).join('.')} `
      : '';
    return [entry(level, id, number + text)];
  });
  const looks =
    '#let entry(level, to, words, page) = block(above: 0.75em, below: 0.75em, link(to, { h((level - 1) * 1.2em); text(words); [ ]; box(width: 1fr, repeat(gap: 0.15em)[.]); [ ]; text(page) }))';
  const title = (words: string): string =>
    `#heading(outlined: false, bookmarked: false, numbering: none, ${literal(words)})`;
  const captions = captionLists(structure, settings, labels).flatMap((list) => [
    title(list.title),
    ...list.entries.map(({ id, content }) => entry(1, id, plainText(content))),
  ]);
  return [title(labels.contents), looks, ...entries, ...captions].join('\n');
}
