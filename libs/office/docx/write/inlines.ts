import type { ImageInline, Inline, LinkInline, Mark, TableBlock, TextInline } from '#contracts/structure.js';
import type { WriteContext } from './context.js';
import { drawingXml } from './drawings.js';
import { linkTarget } from './links.js';
import type { Relationships } from './relationships.js';
import { CODE_FONTS } from './styles.js';
import { escapeAttribute, escapeText, runText } from './xml.js';

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
      return `<w:hyperlink w:anchor="${anchor}"${tooltip} w:history="1">${this.write(link.content, indent, hyperlink)}</w:hyperlink>`;
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
