import { strToU8, zipSync, type Zippable } from 'fflate';
import type { Block, HeadingBlock, Structure } from '#contracts/structure.js';
import { INDEX_ID, type IndexEntry, withIndex } from '../structure/book-index.js';
import { labelsFor } from '../docx/write/labels.js';
import { isNumbered, settingsOf, type BookLook } from '../docx/write/options.js';
import type { AssetResolver } from '../docx/write/assets.js';
import { epubImages, type EpubImage, xml, XhtmlWriter } from './xhtml.js';
import { createHash } from 'node:crypto';

interface EpubOptions {
  title: string;
  subtitle?: string;
  author?: string;
  /** BCP 47 language tag. */
  language?: string;
  /** Numbers the chapters of a book, as in its other formats. */
  book?: BookLook;
}

/** Fixed modification date, so that equal books produce equal bytes. */
const MODIFIED = '2000-01-01T00:00:00Z';

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

/** Writes the package document: the book's metadata, files and reading order. */
function packageXml(
  structure: Structure,
  chapterFiles: string[],
  images: EpubImage[],
  options: Required<Pick<EpubOptions, 'title' | 'language'>> & EpubOptions,
): string {
  const { title, subtitle, author, language } = options;
  const chapters = chapterFiles.map((href, n) => ({ id: `c${n + 1}`, href }));
  const items = chapters.map(
    ({ id, href }) => `<item id="${id}" href="${href}" media-type="application/xhtml+xml"/>`,
  );
  const pictures = images.map(
    ({ path, mediaType }, n) => `<item id="i${n + 1}" href="${path}" media-type="${mediaType}"/>`,
  );
  const creator = author ? `<dc:creator>${xml(author)}</dc:creator>\n` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${xml(language)}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${identifierOf(structure, options)}</dc:identifier>
<dc:title>${xml(subtitle ? `${title}: ${subtitle}` : title)}</dc:title>
<dc:language>${xml(language)}</dc:language>
${creator}<meta property="dcterms:modified">${MODIFIED}</meta>
${accessibility(images.length > 0)}
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="cover-image" href="cover.svg" media-type="image/svg+xml" properties="cover-image"/>
<item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>
<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
${[...items, ...pictures].join('\n')}
</manifest>
<spine>
<itemref idref="cover"/>
<itemref idref="title"/>
<itemref idref="nav"/>
${chapters.map(({ id }) => `<itemref idref="${id}"/>`).join('\n')}
</spine>
</package>
`;
}

function accessibility(hasImages: boolean): string {
  const facts = [
    ['accessMode', 'textual'],
    ...(hasImages ? [['accessMode', 'visual']] : []),
    ['accessModeSufficient', 'textual'],
    ['accessibilityFeature', 'tableOfContents'],
    ['accessibilityFeature', 'readingOrder'],
    ['accessibilityFeature', 'structuralNavigation'],
    ...(hasImages ? [['accessibilityFeature', 'alternativeText']] : []),
    ['accessibilityHazard', 'none'],
    ['accessibilitySummary', 'Text with headings, navigation, linked notes and words for each picture.'],
  ];
  return facts.map(([name, value]) => `<meta property="schema:${name}">${value}</meta>`).join('\n');
}

/** Returns an identifier derived from the content: equal books have equal identifiers. */
function identifierOf(
  { blocks, notes }: Structure,
  { title, subtitle, author, language }: EpubOptions,
): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([title, subtitle, author, language, blocks, notes]))
    .digest('hex');
  const variant = ((parseInt(hash[16] as string, 16) & 3) | 8).toString(16);
  return `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

export type { EpubOptions };

/** Fixed date of archive entries, so that equal input produces equal bytes. */
const ARCHIVE_DATE = new Date(1980, 0, 1);

interface Chapter {
  file: string;
  title: string;
  /** Number with a blank, or an empty string. */
  number: string;
  blocks: Block[];
}

/**
 * Writes a book as EPUB 3.3: cover, title page, navigation, one file per chapter (a level-1 heading), notes
 * at the end of each chapter, images with alternative text. Equal input produces equal bytes.
 *
 * @returns the bytes of the file
 */
export async function writeEpub(
  given: Structure,
  resolve: AssetResolver,
  options: EpubOptions,
): Promise<Uint8Array> {
  const { index } = labelsFor(options.language ?? 'en');
  const { structure, entries } = withIndex(given, options.book?.index ?? [], index);
  const chapters = chaptersOf(structure, options);
  const images = await epubImages(structure, resolve);
  const language = options.language ?? 'en';
  const named = { ...options, language };
  const chapterFiles = chapters.map(({ file }) => file);
  const files: Zippable = {
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    'META-INF/container.xml': strToU8(CONTAINER),
    'OEBPS/package.opf': strToU8(packageXml(structure, chapterFiles, [...images.values()], named)),
    'OEBPS/nav.xhtml': strToU8(navXhtml(chapters, options, language)),
    'OEBPS/cover.svg': strToU8(coverSvg(options)),
    'OEBPS/cover.xhtml': strToU8(coverPage(options, language)),
    'OEBPS/title.xhtml': strToU8(titlePage(options, language)),
    'OEBPS/style.css': strToU8(STYLE),
  };
  for (const { path, bytes } of images.values()) files[`OEBPS/${path}`] = [bytes, { level: 0 }];
  for (const [file, text] of chapterPages(structure, entries, chapters, images, language))
    files[`OEBPS/${file}`] = strToU8(text);
  return zipSync(files, { mtime: ARCHIVE_DATE, level: 6 });
}

/** Returns name and content of each chapter's file. */
function chapterPages(
  structure: Structure,
  entries: readonly IndexEntry[],
  chapters: Chapter[],
  images: ReadonlyMap<string, EpubImage>,
  language: string,
): [string, string][] {
  const notes = new Map(structure.notes.map((note) => [note.id, note]));
  const fileOf = new Map(
    chapters.flatMap(({ file, blocks }) => anchorsIn(blocks).map((id) => [id, file] as const)),
  );
  return chapters.map(({ file, title, number, blocks }) => {
    const hrefOf = (anchor: string) => {
      const target = fileOf.get(anchor);
      return target === undefined ? null : `${target === file ? '' : target}#${anchor}`;
    };
    const writer = new XhtmlWriter(hrefOf, new Set(notes.keys()), images, number);
    const isIndex = blocks.some((block) => block.type === 'heading' && block.id === INDEX_ID);
    const body = writer.blocks(blocks) + (isIndex ? indexList(entries, chapters, fileOf) : '');
    return [file, page(title, language, `<main>\n${body}\n${writer.endnotes(notes)}\n</main>`)];
  });
}

/** Writes an index with a link to the first place in each chapter. */
function indexList(
  entries: readonly IndexEntry[],
  chapters: readonly Chapter[],
  fileOf: ReadonlyMap<string, string>,
): string {
  const lines = entries.map(({ term, anchors }) => {
    const places = new Map(anchors.toReversed().map((id) => [fileOf.get(id), id]));
    const links = chapters.flatMap(({ file, title, number }) => {
      const id = places.get(file);
      return id === undefined
        ? []
        : [`<a href="${file}#${id}" title="${xml(title)}">${number.trim() || xml(title)}</a>`];
    });
    return `<li>${[xml(term), ...links].join(', ')}</li>`;
  });
  return `\n<section epub:type="index" role="doc-index"><ul>\n${lines.join('\n')}\n</ul></section>`;
}

function chaptersOf(structure: Structure, { title, book }: EpubOptions): Chapter[] {
  const settings = settingsOf(structure, { title, ...(book && { book }) });
  const chapters: Chapter[] = [];
  let last = 0;
  for (const block of structure.blocks) {
    const opens = block.type === 'heading' && block.level === 1;
    const open = chapters.at(-1);
    if (!open || opens)
      chapters.push({
        file: `chapter-${String(chapters.length + 1).padStart(3, '0')}.xhtml`,
        title: opens ? headingText(block) || title : title,
        number: opens && isNumbered(settings, block) ? `${++last} ` : '',
        blocks: [block],
      });
    else open.blocks.push(block);
  }
  if (chapters.length === 0) chapters.push({ file: 'chapter-001.xhtml', title, number: '', blocks: [] });
  return chapters;
}

function headingText({ content }: HeadingBlock): string {
  const text = (inlines: HeadingBlock['content']): string =>
    inlines
      .map((inline) =>
        inline.type === 'text' ? inline.value : inline.type === 'link' ? text(inline.content) : '',
      )
      .join('');
  return text(content).trim();
}

/** Returns the IDs of headings, tables, figures and anchors to which links in the book may point. */
function anchorsIn(blocks: readonly Block[]): string[] {
  const found: string[] = [];
  JSON.stringify(blocks, (_key, value: unknown) => {
    const { type, id } = (value ?? {}) as { type?: unknown; id?: unknown };
    if (typeof id === 'string' && ['heading', 'table', 'figure', 'anchor'].includes(String(type)))
      found.push(id);
    return value;
  });
  return found;
}

const STYLE = `body { margin: 5%; line-height: 1.5; font-family: serif; }
h1, h2, h3 { line-height: 1.2; break-after: avoid; hyphens: none; }
main > p { margin: 0; text-align: justify; hyphens: auto; widows: 2; orphans: 2; }
main > p + p { text-indent: 1.4em; }
pre { white-space: pre-wrap; font-size: 0.85em; }
table { border-collapse: collapse; }
td, th { border: 1px solid #666; padding: 0.2em 0.5em; text-align: left; }
img { max-width: 100%; height: auto; }
h1.cover { margin: 0; text-align: center; }
`;

function navXhtml(chapters: Chapter[], { title }: EpubOptions, language: string): string {
  const items = chapters.map(({ file, title: name, number, blocks }) => {
    const sections = blocks.flatMap((block) => {
      const text = block.type === 'heading' && block.level === 2 ? headingText(block) : '';
      return text === ''
        ? []
        : [`<li><a href="${file}#${xml((block as HeadingBlock).id)}">${xml(text)}</a></li>`];
    });
    const inside = sections.length > 0 ? `<ol>\n${sections.join('\n')}\n</ol>` : '';
    return `<li><a href="${file}">${number}${xml(name)}</a>${inside}</li>`;
  });
  const nav = `<nav epub:type="toc" role="doc-toc"><h1>${xml(title)}</h1><ol>\n${items.join('\n')}\n</ol></nav>`;
  return page(title, language, `<main>${nav}</main>\n${landmarks(chapters, language)}`);
}

/** Lists the parts of the book that reading systems offer as jumps. */
function landmarks(chapters: Chapter[], language: string): string {
  const { contents, cover, titlePage, text } = labelsFor(language);
  const places = [
    ['cover', 'cover.xhtml', cover],
    ['titlepage', 'title.xhtml', titlePage],
    ['toc', 'nav.xhtml', contents],
    ['bodymatter', chapters[0]!.file, text],
  ];
  const items = places.map(
    ([type, href, name]) => `<li><a epub:type="${type}" href="${href}">${name}</a></li>`,
  );
  return `<nav epub:type="landmarks" hidden="hidden"><ol>\n${items.join('\n')}\n</ol></nav>`;
}

function coverPage({ title, author }: EpubOptions, language: string): string {
  const words = author ? `${title}, ${author}` : title;
  return page(
    title,
    language,
    `<main epub:type="cover"><h1 class="cover"><img src="cover.svg" alt="${xml(words)}"/></h1></main>`,
  );
}

function titlePage({ title, subtitle, author }: EpubOptions, language: string): string {
  const lines = [subtitle, author].flatMap((line) => (line ? [`<p>${xml(line)}</p>`] : []));
  return page(title, language, `<main epub:type="titlepage"><h1>${xml(title)}</h1>${lines.join('')}</main>`);
}

function page(title: string, language: string, body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="${xml(language)}" lang="${xml(language)}">
<head><title>${xml(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
${body}
</body>
</html>
`;
}

const [WIDTH, HEIGHT] = [1_200, 1_800];
const LINE_CHARACTERS = 18;
const MAX_LINES = 7;

/** Draws a text cover: title, subtitle and author. */
function coverSvg({ title, subtitle, author }: EpubOptions): string {
  const lines = wrapped(title, LINE_CHARACTERS);
  const below = subtitle ? wrapped(subtitle, 2 * LINE_CHARACTERS) : [];
  const titleAt = 560;
  const belowAt = titleAt + lines.length * 120 + 40;
  const text = (words: string, y: number, size: number) =>
    `<text x="${WIDTH / 2}" y="${y}" font-size="${size}">${xml(words)}</text>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#1c3144"/>
<rect x="60" y="60" width="${WIDTH - 120}" height="${HEIGHT - 120}" fill="none" stroke="#f4efe6" stroke-width="6"/>
<g fill="#f4efe6" font-family="Georgia, 'Times New Roman', serif" text-anchor="middle">
${lines.map((line, n) => text(line, titleAt + n * 120, 100)).join('\n')}
${below.map((line, n) => text(line, belowAt + n * 68, 52)).join('\n')}
${author ? text(author, HEIGHT - 200, 60) : ''}
</g>
</svg>
`;
}

/** Breaks words into lines of at most `most` characters; truncates what does not fit. */
function wrapped(words: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.slice(0, most));
  }
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), `${lines[MAX_LINES - 1]!.slice(0, most - 1)}…`];
}
