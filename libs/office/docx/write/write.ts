import type { Structure, Note } from '#contracts/structure.js';
import { prepareAssets, type AssetResolver, type MissingReason } from './assets.js';
import { BlockWriter } from './blocks.js';
import { WriteContext, Relationships } from './context.js';
import {
  appendixHeading,
  coverXml,
  endOfFront,
  pageBreak,
  listsOf,
  listsXml,
  footerXml,
  halfTitleXml,
  headerXml,
  imprintXml,
  indexXml,
  withPageCount,
} from './front.js';
import { type IndexEntry, withIndex } from '../../structure/book-index.js';
import { labelsFor } from './labels.js';
import { withPages } from './inlines.js';
import { officeMath } from './math.js';
import { Numbering } from './numbering.js';
import { type PageLayout, Sections, TITLE_PAGE } from './sections.js';
import { innerMargin, settingsOf, type DocxOptions, type Settings } from './options.js';
import { packageRels, packDocument, PART_TYPES, type Part } from './package.js';
import { readReference, type Reference } from './reference.js';
import { ownStyleSheet, type StyleSheet } from './style-sheet.js';
import { NAMESPACES, XML_HEAD, escapeAttribute, escapeText } from './xml.js';
import { FlowReader } from './layout/flow.js';
import { Pager } from './layout/pager.js';
import { styleMetrics, type StyleMetrics } from './layout/style-metrics.js';

export type { AssetResolver, MissingReason } from './assets.js';
export type { DocxOptions } from './options.js';

/**
 * Writes a document as DOCX (D24); equal input produces equal bytes.
 *
 * @param given `structure.json`
 * @param resolveAsset reads an image by its reference as in the Markdown; if it returns null, a placeholder
 * text is shown
 * @param onMissing called with each omitted image and the reason
 * @returns the bytes of the file
 */
export async function writeDocx(
  given: Structure,
  resolveAsset: AssetResolver,
  options: DocxOptions = {},
  onMissing: (ref: string, reason: MissingReason) => void = () => undefined,
): Promise<Uint8Array> {
  const reference = options.referenceDocx ? readReference(options.referenceDocx) : null;
  const { book, ...others } = options;
  const settings = settingsOf(given, book && !reference ? options : others);
  const labels = labelsFor(settings.language);
  const { structure, entries } = withIndex(given, settings.book?.index ?? [], labels.index);
  const refs = structure.assets.map((asset) => asset.ref);
  const assets = await prepareAssets(refs, resolveAsset);
  for (const [ref, asset] of assets) if ('missing' in asset) onMissing(ref, asset.missing);
  const page = { ...settings.page, ...reference?.layout };
  const bookRoom = settings.book ? page.width - 2 * page.margin : null;
  const styles = reference?.styles ?? ownStyleSheet(settings.language, bookRoom);
  const numbering = new Numbering(settings.book !== null);
  const rels = new Relationships();
  rels.add('styles', 'styles.xml');
  rels.add('numbering', 'numbering.xml');
  rels.add('settings', 'settings.xml');
  const section = reference ? referenceSection(reference, rels) : ownSection(settings, styles, rels);
  const context = new WriteContext(
    structure,
    styles,
    numbering,
    labels,
    page,
    new Sections(page, { ...section, hasTitlePage: section.hasTitlePage || settings.cover }),
    settings,
    assets,
    await officeMath([structure.blocks, structure.notes, options.appendix?.blocks]),
    {
      numbered: settings.lineNumbers,
      // Loaded only if needed, since it contains forty languages.
      highlight: settings.codeColors ? (await import('./code-looks.js')).highlight : null,
    },
  );
  context.marksPlaces = options.manuscript !== undefined;
  return packDocument(documentParts(structure, settings, options, context, { rels, section, entries }));
}

function documentParts(
  structure: Structure,
  settings: Settings,
  options: DocxOptions,
  context: WriteContext,
  { rels, section, entries }: { rels: Relationships; section: Section; entries: IndexEntry[] },
): Part[] {
  const { styles, sections } = context;
  const writer = new BlockWriter(context, rels, true);
  const body = bodyXml(structure, options, writer) + indexXml(entries, writer);
  const notes = footnotesXml(structure.notes, context);
  const hasNotes = structure.notes.length > 0;
  if (hasNotes) rels.add('footnotes', 'footnotes.xml');
  const shared: Part[] = [
    { path: 'word/styles.xml', content: styles.xml, type: PART_TYPES.styles },
    { path: 'word/numbering.xml', content: context.numbering.xml(), type: PART_TYPES.numbering },
    {
      path: 'word/settings.xml',
      content: settingsXml(hasNotes, settings.book !== null),
      type: PART_TYPES.settings,
    },
    ...section.parts,
    ...(hasNotes ? noteParts(notes) : []),
  ];
  const laidOut = {
    body,
    footnotes: hasNotes ? notes.xml : '',
    styles: styles.xml,
    page: context.page,
    turns: sections.turns,
  };
  const hasFront = settings.frontFromPages <= 1 || pageCount(laidOut) >= settings.frontFromPages;
  const frontSection = sections.front();
  const end = frontSection === '' ? '' : endOfFront(frontSection, writer);
  // A single entry is no overview.
  const hasToc = hasFront && settings.toc && (settings.frontFromPages <= 1 || structure.headings.length > 1);
  const imprint = settings.book ? pageBreak + imprintXml(settings, writer) : '';
  const halfTitle = settings.book ? halfTitleXml(settings, writer) : '';
  const cover =
    hasFront && settings.cover
      ? halfTitle + coverXml(settings, structure, writer) + imprint + (hasToc ? pageBreak : end)
      : '';
  const lists = hasToc ? listsOf(structure, settings, context.labels) : [];
  const tocOf = (pages: ReadonlyMap<string, number>): string =>
    hasToc ? listsXml(lists, pages, writer) + end : '';
  const opened = frontSection === '' && (cover !== '' || hasToc) ? onNewPage(body) : body;
  const relsPart: Part = { path: 'word/_rels/document.xml.rels', content: rels.xml() };
  const listed = lists.flatMap(({ entries }) => entries.slice(-1).map(({ id }) => context.bookmark(id)));
  const withCover = settings.book
    ? laidOut
    : withFront({ ...laidOut, body: opened }, cover + tocOf(new Map()), frontSection);
  // The title page says how many pages there are.
  const pager =
    settings.facts.length > 0 && cover !== ''
      ? paged(withCover, body.length)
      : listed.length > 0
        ? pagedTo(withCover, listed)
        : null;
  const pages = pager?.bookmarks ?? new Map<string, number>();
  const toc = tocOf(pages);
  const front = withPageCount(cover, pager?.lastPage ?? 1) + toc;
  // The body is written before it is known whether it is long enough for a cover.
  const hasTitlePage = hasFront || section.hasTitlePage;
  const written = [front, withPages(opened, pages, context), sections.xml()];
  const content = hasTitlePage ? written : withoutFirst(TITLE_PAGE, written);
  const document = [`${XML_HEAD}<w:document ${NAMESPACES}><w:body>`, ...content, '</w:body></w:document>'];
  return [
    { path: '_rels/.rels', content: packageRels(Object.keys(settings.properties).length > 0) },
    { path: 'word/document.xml', content: document, type: PART_TYPES.document },
    relsPart,
    ...shared,
    ...propertyParts(settings),
    ...context.media.map((file) => ({ path: `word/media/${file.name}`, content: file.bytes })),
  ];
}

/** Removes the first occurrence of a text from pieces, of which none has a part of it. */
function withoutFirst(text: string, pieces: readonly string[]): string[] {
  const first = pieces.findIndex((piece) => piece.includes(text));
  return pieces.map((piece, at) => (at === first ? piece.replace(text, '') : piece));
}

function bodyXml(structure: Structure, options: DocxOptions, writer: BlockWriter): string {
  const place = { style: 'Normal', indent: null, depth: 0, numbered: 0 };
  const body = writer.blocks(structure.blocks, place);
  if (!options.appendix) return body;
  const { title, blocks } = options.appendix;
  const heading = appendixHeading(title);
  const { marksPlaces } = writer.context;
  // The lines of an appendix are not those of the manuscript.
  writer.context.marksPlaces = false;
  const appendix = (writer.turn(false) || pageBreak) + writer.blocks([heading, ...blocks], place);
  writer.context.marksPlaces = marksPlaces;
  return body + appendix;
}

/** Begins a text on a new page by its first paragraph: a break after full contents would leave a page empty. */
function onNewPage(body: string): string {
  const at = body.indexOf('/>') + 2;
  const isOpen = body.startsWith('<w:p><w:pPr><w:pStyle ') && !body.startsWith('<w:keep', at);
  return isOpen ? `${body.slice(0, at)}<w:pageBreakBefore/>${body.slice(at)}` : pageBreak + body;
}

function noteParts({ xml, rels }: ReturnType<typeof footnotesXml>): Part[] {
  const part: Part = { path: 'word/footnotes.xml', content: xml, type: PART_TYPES.footnotes };
  return rels.empty ? [part] : [part, { path: 'word/_rels/footnotes.xml.rels', content: rels.xml() }];
}

function propertyParts(settings: Settings): Part[] {
  const parts: Part[] = [
    { path: 'docProps/core.xml', content: coreXml(settings), type: PART_TYPES.core },
    { path: 'docProps/app.xml', content: appXml(), type: PART_TYPES.app },
  ];
  if (Object.keys(settings.properties).length > 0)
    parts.push({
      path: 'docProps/custom.xml',
      content: customXml(settings.properties),
      type: PART_TYPES.custom,
    });
  return parts;
}

/** Writes `word/footnotes.xml`: two separators required by Word, then the notes in numerical order. */
function footnotesXml(notes: readonly Note[], context: WriteContext): { xml: string; rels: Relationships } {
  const rels = new Relationships();
  const writer = new BlockWriter(context, rels, false);
  const separator = (id: number, type: string, element: string): string =>
    `<w:footnote w:type="${type}" w:id="${id}"><w:p><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr><w:r><w:${element}/></w:r></w:p></w:footnote>`;
  const bodies = notes.map(
    (note) => `<w:footnote w:id="${note.number + 1}">${noteBody(note, writer, context)}</w:footnote>`,
  );
  const xml =
    `${XML_HEAD}<w:footnotes ${NAMESPACES}>${separator(0, 'separator', 'separator')}` +
    `${separator(1, 'continuationSeparator', 'continuationSeparator')}${bodies.join('')}</w:footnotes>`;
  return { xml, rels };
}

function noteBody(note: Note, writer: BlockWriter, context: WriteContext): string {
  const mark = `<w:r><w:rPr><w:rStyle w:val="${context.styles.id('footnote reference')}"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>`;
  const place = { style: 'footnote text', indent: null, depth: 0, numbered: 0 };
  const [first, ...rest] = note.blocks;
  if (first?.type !== 'paragraph')
    return writer.paragraph('footnote text', mark, {}) + writer.blocks(note.blocks, place);
  return (
    writer.paragraph('footnote text', mark + writer.inlines.write(first.content), {}) +
    writer.blocks(rest, place)
  );
}

/** XML parts of a document in the writer's own format. */
interface LaidOutParts {
  /** Cover and table of contents. */
  front?: string;
  body: string;
  footnotes: string;
  styles: string;
  page: PageLayout;
  /** Whether each section is landscape, in order. */
  turns: readonly boolean[];
}

/** Adds cover and contents, which begin the first section of the text or are a section of their own. */
const withFront = (parts: LaidOutParts, front: string, section: string): LaidOutParts => ({
  ...parts,
  front,
  turns: front !== '' && section !== '' ? [false, ...parts.turns] : parts.turns,
});

/** Characters of XML to read after the last requested bookmark: text kept with its heading can move it. */
const READ_AFTER_BOOKMARK = 100_000;

/**
 * Computes the page of each bookmark. Text is measured with the widths of Arial and Courier New and broken
 * into lines; pictures, tables and notes take their actual height. Linear in the document's length.
 *
 * @param last bookmarks for which pages are needed, at least the last ones; reading stops soon after them
 */
function pagedTo(parts: LaidOutParts, last: readonly string[]): Pager {
  const ends = last.map((name) => parts.body.lastIndexOf(`w:name="${name}"`));
  return paged(parts, ends.includes(-1) ? parts.body.length : Math.max(...ends) + READ_AFTER_BOOKMARK);
}

/** Returns the number of pages of the text, or of its beginning if it is long. */
const pageCount = (parts: LaidOutParts): number => paged(parts, READ_AFTER_BOOKMARK).lastPage;

function paged({ front = '', body, footnotes, styles, page, turns }: LaidOutParts, end: number): Pager {
  const metrics = styleMetrics(styles);
  const [textWidth, landscapeWidth] = [page.width - 2 * page.margin, page.height - 2 * page.margin];
  const notes = noteHeights(footnotes, metrics, textWidth);
  const pager = new Pager(turns[0] ? textWidth : landscapeWidth);
  const reader = new FlowReader({ styles: metrics, textWidth, landscapeWidth, turns, notes }, pager);
  reader.read(front);
  reader.read(body, end);
  pager.flush();
  return pager;
}

const PROPERTIES = 'http://schemas.openxmlformats.org/officeDocument/2006';

/** Writes `docProps/core.xml`: the properties shown by Word and file managers. */
function coreXml(settings: Settings): string {
  const element = (name: string, text: string): string =>
    text === '' ? '' : `<${name}>${escapeText(text)}</${name}>`;
  const time = settings.createdAt.toISOString().replace(/\.\d+Z$/, 'Z');
  const stamp = (name: string): string =>
    `<dcterms:${name} xsi:type="dcterms:W3CDTF">${time}</dcterms:${name}>`;
  return (
    `${XML_HEAD}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ` +
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    element('dc:title', settings.title) +
    element('dc:subject', settings.subtitle) +
    element('dc:creator', settings.author) +
    element('cp:keywords', settings.keywords) +
    element('dc:description', settings.description) +
    element('dc:language', settings.language) +
    `${stamp('created')}${stamp('modified')}</cp:coreProperties>`
  );
}

function appXml(): string {
  return `${XML_HEAD}<Properties xmlns="${PROPERTIES}/extended-properties"><Application>Scriptorium</Application></Properties>`;
}

/** Writes `docProps/custom.xml`; all custom properties share the same format ID. */
function customXml(properties: Record<string, string>): string {
  const entries = Object.entries(properties).map(
    ([name, value], i) =>
      `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${i + 2}" name="${escapeAttribute(name)}"><vt:lpwstr>${escapeText(value)}</vt:lpwstr></property>`,
  );
  return `${XML_HEAD}<Properties xmlns="${PROPERTIES}/custom-properties" xmlns:vt="${PROPERTIES}/docPropsVTypes">${entries.join('')}</Properties>`;
}

/**
 * Writes the document settings: Word 2013's layout (mode 15), footnote separators, no update prompt; for a book, facing
 * pages and hyphenation in the document's language.
 */
function settingsXml(notes: boolean, isBook: boolean): string {
  const compat = (name: string, value: number): string =>
    `<w:compatSetting w:name="${name}" w:uri="http://schemas.microsoft.com/office/word" w:val="${value}"/>`;
  return (
    `${XML_HEAD}<w:settings ${NAMESPACES}><w:zoom w:percent="100"/>${isBook ? '<w:mirrorMargins/>' : ''}<w:defaultTabStop w:val="720"/>${isBook ? BOOK_SETTINGS : ''}<w:characterSpacingControl w:val="doNotCompress"/>` +
    (notes ? '<w:footnotePr><w:footnote w:id="0"/><w:footnote w:id="1"/></w:footnotePr>' : '') +
    `<w:compat>${compat('compatibilityMode', 15)}${compat('overrideTableStyleFontSizeAndJustification', 1)}` +
    `${compat('enableOpenTypeFeatures', 1)}${compat('doNotFlipMirrorIndents', 1)}</w:compat>` +
    '<m:mathPr><m:mathFont m:val="Cambria Math"/></m:mathPr><w:decimalSymbol w:val="."/><w:listSeparator w:val=","/></w:settings>'
  );
}

const BOOK_SETTINGS =
  '<w:autoHyphenation/><w:consecutiveHyphenLimit w:val="3"/><w:doNotHyphenateCaps/><w:evenAndOddHeaders/>';

/** Properties of the document's sections (`w:sectPr`), and the parts that they reference. */
interface Section {
  references: string;
  page: string;
  /** Whether the first page differs even without a cover. */
  hasTitlePage: boolean;
  parts: Part[];
  openChapter?: (title: string) => string;
}

const headerPart = (path: string, content: string): Part => ({
  path: `word/${path}`,
  content: `${XML_HEAD}<w:hdr ${NAMESPACES}>${content}</w:hdr>`,
  type: PART_TYPES.header,
});

const footerPart = (content: string): Part => ({
  path: 'word/footer1.xml',
  content: `${XML_HEAD}<w:ftr ${NAMESPACES}>${content}</w:ftr>`,
  type: PART_TYPES.footer,
});

/**
 * Writes page size, margins, a header with the title and a footer with page numbers; a cover has neither
 * header nor footer.
 */
function ownSection(settings: Settings, styles: StyleSheet, rels: Relationships): Section {
  if (settings.book) return bookSection(settings, styles, rels);
  const { width, height, margin, header } = settings.page;
  const references =
    `<w:headerReference w:type="default" r:id="${rels.add('header', 'header1.xml')}"/>` +
    `<w:footerReference w:type="default" r:id="${rels.add('footer', 'footer1.xml')}"/>`;
  const page =
    `<w:pgSz w:w="${width}" w:h="${height}"/>` +
    `<w:pgMar w:top="${margin}" w:right="${margin}" w:bottom="${margin}" w:left="${margin}" w:header="${header}" w:footer="${header}" w:gutter="0"/>`;
  return {
    references,
    page,
    hasTitlePage: false,
    parts: [
      headerPart('header1.xml', headerXml(settings.title, styles.id('header'), 'right')),
      footerPart(footerXml(styles.id('footer'), true)),
    ],
  };
}

/**
 * Writes a book's pages: mirrored margins, the book's title on left pages, the chapter's on right ones, no header on
 * the first page of a chapter, and page numbers from the first chapter on.
 */
function bookSection(settings: Settings, styles: StyleSheet, rels: Relationships): Section {
  const { width, height, margin, header } = settings.page;
  const inner = innerMargin(margin);
  const parts = [
    headerPart('header1.xml', headerXml(settings.title, styles.id('header'), 'left')),
    footerPart(footerXml(styles.id('footer'), false)),
  ];
  const title = rels.add('header', 'header1.xml');
  const number = rels.add('footer', 'footer1.xml');
  return {
    references: '',
    page:
      `<w:pgSz w:w="${width}" w:h="${height}"/>` +
      `<w:pgMar w:top="${margin}" w:right="${2 * margin - inner}" w:bottom="${margin}" w:left="${inner}" w:header="${header}" w:footer="${header}" w:gutter="0"/>`,
    hasTitlePage: true,
    parts,
    openChapter(chapter) {
      const path = `header${parts.length}.xml`;
      parts.push(headerPart(path, headerXml(chapter, styles.id('header'), 'right')));
      return (
        `<w:headerReference w:type="even" r:id="${title}"/><w:headerReference w:type="default" r:id="${rels.add('header', path)}"/>` +
        ['even', 'default', 'first']
          .map((type) => `<w:footerReference w:type="${type}" r:id="${number}"/>`)
          .join('')
      );
    },
  };
}

/** Writes the reference document's section: its page size, headers and footers. */
function referenceSection(reference: Reference, rels: Relationships): Section {
  const ids = new Map(reference.related.map(({ key, kind, target }) => [key, rels.add(kind, target)]));
  const { headers, page, titlePage: hasTitlePage } = reference.section;
  const references = headers
    .filter(({ key }) => ids.has(key))
    .map(({ element, type, key }) => `<${element} w:type="${type}" r:id="${ids.get(key) ?? ''}"/>`);
  return { references: references.join(''), page, hasTitlePage, parts: reference.parts };
}

const NOTE = /<w:footnote [^>]*w:id="(\d+)">(.*?)<\/w:footnote>/gs;

/** Returns the height of each footnote, by its ID in `word/footnotes.xml`. */
function noteHeights(
  footnotesXml: string,
  styles: ReadonlyMap<string, StyleMetrics>,
  textWidth: number,
): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  for (const [, id = '', body = ''] of footnotesXml.matchAll(NOTE)) {
    const pager = new Pager(Infinity);
    const context = { styles, textWidth, landscapeWidth: textWidth, turns: [], notes: new Map() };
    new FlowReader(context, pager).read(body);
    pager.flush();
    heights.set(id, pager.height);
  }
  return heights;
}
