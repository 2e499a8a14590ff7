import type { ImageInline, Inline, LinkInline, Mark, TableBlock, TextInline } from '#contracts/structure.js';
import type { WriteContext, Relationships } from './context.js';
import { linkTarget } from './links.js';
import { CODE_FONTS } from './styles.js';
import { escapeAttribute, escapeText, runText } from './xml.js';
import { percentDecoded } from '#contracts/lenient.js';
import type { MissingReason } from './assets.js';
import type { Labels } from './labels.js';

/** Characters of right-to-left scripts. */
const RTL = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
const STRONG = /\p{L}/u;

/**
 * Returns whether a paragraph runs from right to left, by its first letter as in Unicode's bidi algorithm.
 */
export function isRightToLeft(content: readonly Inline[]): boolean {
  for (const inline of content) {
    if (inline.type === 'text') {
      const letter = STRONG.exec(inline.value);
      if (letter) return RTL.test(letter[0]);
    }
    if (inline.type === 'link' && inline.content.length > 0) return isRightToLeft(inline.content);
  }
  return false;
}

/** Returns whether a table runs from right to left: most cells of its first row do. */
export function isTableRightToLeft({ rows }: TableBlock): boolean {
  const cells = rows[0]?.cells ?? [];
  return cells.filter(isRightToLeft).length > cells.length / 2;
}

const MARK_XML: Readonly<Record<Mark, string>> = {
  bold: '<w:b/><w:bCs/>',
  italic: '<w:i/><w:iCs/>',
  strike: '<w:strike/>',
  highlight: '<w:highlight w:val="yellow"/>',
  underline: '<w:u w:val="single"/>',
  subscript: '<w:vertAlign w:val="subscript"/>',
  superscript: '<w:vertAlign w:val="superscript"/>',
  code: '',
};
/** Order of run properties in Word's schema. */
const MARK_ORDER: readonly Mark[] = [
  'bold',
  'italic',
  'strike',
  'highlight',
  'underline',
  'subscript',
  'superscript',
];

/** Writes runs for one part of the package. */
export class InlineWriter {
  private inCell = false;
  /** Height that images leave free for content above them on the page, in twentieths of a point. */
  above = 0;

  constructor(
    private readonly context: WriteContext,
    private readonly rels: Relationships,
    /** False inside notes, where Word does not allow references to other notes. */
    private readonly notes: boolean,
  ) {}

  write(content: readonly Inline[], indent = 0, style = ''): string {
    let xml = '';
    for (const inline of content) xml += this.inline(inline, indent, style);
    return xml;
  }

  /** Writes the runs of a table cell. */
  cell(content: readonly Inline[], indent: number): string {
    this.inCell = this.context.styles.own;
    const xml = this.write(content, indent);
    this.inCell = false;
    return xml;
  }

  /** Writes a run of plain text in a character style. */
  styled(text: string, styleName: string): string {
    return `<w:r><w:rPr><w:rStyle w:val="${this.context.styles.id(styleName)}"/></w:rPr>${runText(text)}</w:r>`;
  }

  image(image: ImageInline, indent: number): string {
    return drawingXml(image, this.context, this.rels, indent, this.above);
  }

  private inline(inline: Inline, indent: number, style: string): string {
    switch (inline.type) {
      case 'text':
        return this.text(inline, style);
      case 'break':
        return '<w:r><w:br/></w:r>';
      case 'link':
        return this.link(inline, indent, style);
      case 'image':
        return this.image(inline, indent);
      case 'note_ref':
        return this.noteReference(inline.id);
      case 'math':
        return this.context.formulas.get(inline.tex) ?? this.styled(inline.tex, 'Math Source');
      case 'anchor':
        return this.context.bookmarkXml(inline.id, '');
    }
  }

  private text({ value, marks = [] }: TextInline, style: string): string {
    if (value === '') return '';
    const code = marks.includes('code');
    const named = code ? this.context.styles.id('Verbatim Char') : style;
    let properties = named === '' ? '' : `<w:rStyle w:val="${named}"/>`;
    // Within tables, LibreOffice prefers the document's font to the character style's.
    if (code && this.inCell) properties += CODE_FONTS;
    for (const mark of MARK_ORDER) if (marks.includes(mark)) properties += MARK_XML[mark];
    if (!RTL.test(value) || code) return run(properties, value);
    return value
      .split(/((?:[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC][\s\p{P}\p{N}]*)+)/u)
      .map((part, i) => (part === '' ? '' : run(i % 2 === 1 ? `${properties}<w:rtl/>` : properties, part)))
      .join('');
  }

  private link(link: LinkInline, indent: number, style: string): string {
    const hyperlink = this.context.styles.id('Hyperlink');
    const tooltip = link.title ? ` w:tooltip="${escapeAttribute(link.title.slice(0, 255))}"` : '';
    if (link.anchor !== null) {
      const anchor = this.context.bookmark(link.anchor);
      const words = this.write(link.content, indent, hyperlink);
      // A link that names a file shows the page.
      const page = this.notes && !link.url.startsWith('#') ? pageMark(anchor) : '';
      return `<w:hyperlink w:anchor="${anchor}"${tooltip} w:history="1">${words}</w:hyperlink>${page}`;
    }
    const target = linkTarget(link.url);
    if (target === null) return this.write(link.content, indent, style);
    const id = this.rels.add('hyperlink', target);
    return `<w:hyperlink r:id="${id}"${tooltip} w:history="1">${this.write(link.content, indent, hyperlink)}</w:hyperlink>`;
  }

  private noteReference(id: string): string {
    const number = this.context.noteNumber(id);
    if (number === undefined || !this.notes) return '';
    const style = `<w:rPr><w:rStyle w:val="${this.context.styles.id('footnote reference')}"/></w:rPr>`;
    const bookmark = `note ${id}`;
    if (this.context.firstMention(id))
      return this.context.bookmarkXml(
        bookmark,
        `<w:r>${style}<w:footnoteReference w:id="${number + 1}"/></w:r>`,
      );
    const code = ` NOTEREF ${this.context.bookmark(bookmark)} \\f \\h `;
    return field(code, `<w:r>${style}<w:t>${number}</w:t></w:r>`, style);
  }
}

/** Marks the place of a reference to the page of a bookmark, while the pages are unknown. */
const pageMark = (bookmark: string): string => `<w:pageOf w:name="${bookmark}"/>`;
/** Marks the place of the pages of an index entry: each bookmark is after a blank. */
export const pagesMark = (bookmarks: readonly string[]): string => pageMark(` ${bookmarks.join(' ')}`);
const PAGE_MARK = /<w:pageOf w:name="([^"]*)"\/>/g;
/** Style of references to pages; Word file readers pass over them. */
export const PAGE_REFERENCE = 'Page Reference';

/** Writes the marked references to pages; those to unknown pages are omitted. */
export function withPages(xml: string, pages: ReadonlyMap<string, number>, context: WriteContext): string {
  const style = `<w:rPr><w:rStyle w:val="${context.styles.id(PAGE_REFERENCE)}"/></w:rPr>`;
  const text = (words: string) => `<w:r>${style}${runText(words)}</w:r>`;
  return xml.replace(PAGE_MARK, (_, bookmark: string) => {
    if (bookmark.startsWith(' ')) return indexPages(bookmark.trim().split(' '), pages);
    const page = pages.get(bookmark);
    if (page === undefined) return '';
    const number = field(` PAGEREF ${bookmark} \\h `, text(String(page)), style);
    return `${text(` (${context.labels.page} `)}${number}${text(')')}`;
  });
}

/** Writes the pages of an index entry, each once. */
function indexPages(bookmarks: readonly string[], pages: ReadonlyMap<string, number>): string {
  const shown = new Map<number, string>();
  for (const bookmark of bookmarks) {
    const page = pages.get(bookmark);
    if (page !== undefined && !shown.has(page)) shown.set(page, bookmark);
  }
  const links = [...shown].map(([page, bookmark]) => {
    const number = field(` PAGEREF ${bookmark} \\h `, `<w:r>${runText(String(page))}</w:r>`);
    return `<w:r>${runText(', ')}</w:r><w:hyperlink w:anchor="${bookmark}" w:history="1">${number}</w:hyperlink>`;
  });
  return links.join('');
}

/** Writes a complex field with the result shown until Word updates it. */
export function field(code: string, result: string, properties = ''): string {
  const char = (type: string): string => `<w:r>${properties}<w:fldChar w:fldCharType="${type}"/></w:r>`;
  const instruction = `<w:r>${properties}<w:instrText xml:space="preserve">${escapeText(code)}</w:instrText></w:r>`;
  return char('begin') + instruction + char('separate') + result + char('end');
}

function run(properties: string, text: string): string {
  return properties === ''
    ? `<w:r>${runText(text)}</w:r>`
    : `<w:r><w:rPr>${properties}</w:rPr>${runText(text)}</w:r>`;
}

const EMU_PER_PIXEL = 9525;
const EMU_PER_TWIP = 635;
/** Height reserved under an image for its caption and a line of text, in twentieths of a point. */
const CAPTION_ROOM = 1400;

/**
 * Writes a run with an image that fits within the margins and keeps its aspect ratio; a placeholder text if
 * the file is missing.
 *
 * @param above height of content that must stay on the same page, such as the heading, in twentieths of a
 * point
 */
function drawingXml(
  image: ImageInline,
  context: WriteContext,
  rels: Relationships,
  indent: number,
  above = 0,
): string {
  const asset = context.asset(image.ref);
  if ('missing' in asset) {
    const words = missingImageText(image, asset.missing, context.labels);
    return `<w:r><w:rPr><w:rStyle w:val="${context.styles.id('Missing Asset')}"/></w:rPr><w:t xml:space="preserve">${escapeText(words)}</w:t></w:r>`;
  }
  const size = fit(image, asset.width, asset.height, context, { indent, above });
  const picture = context.embed(asset, rels);
  const id = context.nextId();
  const name = `Picture ${id}`;
  const description = ` descr="${escapeAttribute(image.alt)}"${image.title ? ` title="${escapeAttribute(image.title)}"` : ''}`;
  const extent = `cx="${size.width}" cy="${size.height}"`;
  return (
    `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${extent}/><wp:docPr id="${id}" name="${name}"${description}/>` +
    `<wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr>` +
    `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="${id}" name="${name}"${description}/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill><a:blip r:embed="${picture}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
  );
}

function fit(
  image: ImageInline,
  naturalWidth: number,
  naturalHeight: number,
  context: WriteContext,
  { indent, above }: { indent: number; above: number },
) {
  const ratio = naturalHeight / naturalWidth;
  const requestedWidth = image.width ?? (image.height ? image.height / ratio : naturalWidth);
  const wantedHeight = image.width && image.height ? image.height : requestedWidth * ratio;
  const maxWidth = Math.max(600, context.textWidth - indent) * EMU_PER_TWIP;
  const maxHeight =
    (context.sections.widthOf(!context.sections.isLandscape) - CAPTION_ROOM - above) * EMU_PER_TWIP;
  const scale = Math.min(
    1,
    maxWidth / (requestedWidth * EMU_PER_PIXEL),
    maxHeight / (wantedHeight * EMU_PER_PIXEL),
  );
  const emu = (pixels: number): number => Math.max(1, Math.round(pixels * scale * EMU_PER_PIXEL));
  return { width: emu(requestedWidth), height: emu(wantedHeight) };
}

/**
 * Returns the placeholder for an omitted image: its alternative text, its file name and, unless the file does
 * not exist, the reason.
 */
export function missingImageText(
  image: { alt: string; ref: string },
  reason: MissingReason,
  labels: Labels,
): string {
  const words = [image.alt, imageName(image.ref)].filter(Boolean).join(' – ');
  return reason === 'not_found'
    ? `[${labels.missingImage}: ${words}]`
    : `[${labels.imageLeftOut}: ${words} (${labels.reasons[reason]})]`;
}

/** Returns the readable file name without folders or host. */
export function imageName(ref: string): string {
  const path = ref.startsWith('data:') ? 'data' : ref.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const name = percentDecoded(path.slice(path.lastIndexOf('/') + 1)) || ref;
  return name.length > 60 ? `${name.slice(0, 57)}…` : name;
}
