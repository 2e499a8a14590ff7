import { strToU8, zipSync, type Zippable } from 'fflate';
import { createHash } from 'node:crypto';
import type { Block, HeadingBlock, Structure } from '../structure/schema.js';
import { xml, XhtmlWriter } from './xhtml.js';

export interface EpubOptions {
  title: string;
  subtitle?: string;
  author?: string;
  /** BCP 47 tag of the words. */
  language?: string;
}

/** Files of an archive have a fixed date, so that equal input gives equal bytes. */
const ARCHIVE_DATE = new Date(1980, 0, 1);
const MODIFIED = '2000-01-01T00:00:00Z';

interface Chapter {
  file: string;
  title: string;
  blocks: Block[];
}

/**
 * Writes a book as EPUB 3.3: a title page, navigation, one file a chapter (a heading of level 1), notes at the end of each. Equal input gives
 * equal bytes.
 *
 * @returns the bytes of the file
 */
export function writeEpub(structure: Structure, options: EpubOptions): Uint8Array {
  const chapters = chaptersOf(structure, options.title);
  const fileOf = new Map(
    chapters.flatMap(({ file, blocks }) => anchorsIn(blocks).map((id) => [id, file] as const)),
  );
  const notes = new Map(structure.notes.map((note) => [note.id, note]));
  const language = options.language ?? 'en';
  const files: Zippable = {
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    'META-INF/container.xml': strToU8(CONTAINER),
    'OEBPS/package.opf': strToU8(packageXml(chapters, options, language, identifierOf(structure, options))),
    'OEBPS/nav.xhtml': strToU8(navXhtml(chapters, options, language)),
    'OEBPS/title.xhtml': strToU8(titlePage(options, language)),
    'OEBPS/style.css': strToU8(STYLE),
  };
  for (const { file, title, blocks } of chapters) {
    const hrefOf = (anchor: string) => {
      const target = fileOf.get(anchor);
      return target === undefined ? null : `${target === file ? '' : target}#${anchor}`;
    };
    const writer = new XhtmlWriter(hrefOf, new Set(notes.keys()));
    const body = writer.blocks(blocks);
    files[`OEBPS/${file}`] = strToU8(
      page(title, language, `<main>\n${body}\n${writer.endnotes(notes)}\n</main>`),
    );
  }
  return zipSync(files, { mtime: ARCHIVE_DATE, level: 6 });
}

function chaptersOf({ blocks }: Structure, title: string): Chapter[] {
  const chapters: Chapter[] = [];
  for (const block of blocks) {
    const opens = block.type === 'heading' && block.level === 1;
    const last = chapters.at(-1);
    if (!last || opens)
      chapters.push({
        file: `chapter-${String(chapters.length + 1).padStart(3, '0')}.xhtml`,
        title: opens ? headingText(block) || title : title,
        blocks: [block],
      });
    else last.blocks.push(block);
  }
  if (chapters.length === 0) chapters.push({ file: 'chapter-001.xhtml', title, blocks: [] });
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

/** Ids of headings, tables and anchors that links of the book may point to. */
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

function identifierOf(structure: Structure, options: EpubOptions): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([options, structure.blocks, structure.notes]))
    .digest('hex');
  const variant = ((parseInt(hash[16] as string, 16) & 3) | 8).toString(16);
  return `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

const STYLE = `body { margin: 5%; line-height: 1.5; }
h1, h2, h3 { line-height: 1.2; }
pre { white-space: pre-wrap; font-size: 0.85em; }
table { border-collapse: collapse; }
td, th { border: 1px solid #666; padding: 0.2em 0.5em; text-align: left; }
`;

function packageXml(chapters: Chapter[], options: EpubOptions, language: string, identifier: string): string {
  const items = chapters.map(
    ({ file }, i) => `<item id="c${i + 1}" href="${file}" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, i) => `<itemref idref="c${i + 1}"/>`);
  const title = options.subtitle ? `${options.title}: ${options.subtitle}` : options.title;
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${xml(language)}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${identifier}</dc:identifier>
<dc:title>${xml(title)}</dc:title>
<dc:language>${xml(language)}</dc:language>
${options.author ? `<dc:creator>${xml(options.author)}</dc:creator>\n` : ''}<meta property="dcterms:modified">${MODIFIED}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">Text with headings, navigation and linked notes.</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
${items.join('\n')}
</manifest>
<spine>
<itemref idref="title"/>
<itemref idref="nav"/>
${spine.join('\n')}
</spine>
</package>
`;
}

function navXhtml(chapters: Chapter[], { title }: EpubOptions, language: string): string {
  const items = chapters.map((chapter) => `<li><a href="${chapter.file}">${xml(chapter.title)}</a></li>`);
  return page(
    title,
    language,
    `<nav epub:type="toc" role="doc-toc"><h1>${xml(title)}</h1><ol>\n${items.join('\n')}\n</ol></nav>`,
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
