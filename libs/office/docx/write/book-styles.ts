import { entryStyle, paragraph, size, spacing, type StyleDefinition } from './styles.js';

/**
 * Serif font that Word always has and for which other programs have a metric-compatible equivalent, so that page
 * numbers in the table of contents are correct without a font in the file.
 */
export const BOOK_FONT = 'Times New Roman';
export const BOOK_SIZE = 10.5;
/** Line height of a book's text, in points. */
export const BOOK_LINE = 14;
/** Style of a paragraph that follows another one: its first line is indented. */
export const BOOK_INDENT = 'Body Text First Indent';

/** Style of the paragraph that ends a section: so low that it does not begin a page. */
export const SECTION_END = 'Section End';

const BASED = '<w:basedOn w:val="{Normal}"/><w:qFormat/>';
const align = (side: string): string => `<w:jc w:val="${side}"/>`;
const NO_HYPHENS = '<w:suppressAutoHyphens/>';

function heading(
  level: number,
  points: number,
  before: number,
  after: number,
  looks: string,
): StyleDefinition {
  return paragraph(
    `heading ${level}`,
    `Heading${level}`,
    `<w:basedOn w:val="{Normal}"/><w:next w:val="{Normal}"/><w:uiPriority w:val="9"/><w:qFormat/>` +
      `<w:pPr><w:keepNext/><w:keepLines/>${NO_HYPHENS}${spacing(before, after, points * 1.25)}${align('left')}<w:outlineLvl w:val="${level - 1}"/></w:pPr>` +
      `<w:rPr>${looks}${size(points)}</w:rPr>`,
  );
}

function front(name: string, points: number, before: number, after: number): StyleDefinition {
  return paragraph(
    name,
    name,
    `${BASED}<w:pPr>${NO_HYPHENS}${spacing(before, after, points * 1.25)}${align('center')}</w:pPr><w:rPr>${size(points)}</w:rPr>`,
  );
}

/** @param room width between the margins, in twentieths of a point */
function contents(level: number, room: number): StyleDefinition {
  return paragraph(
    ...entryStyle(level),
    `<w:basedOn w:val="{Normal}"/><w:next w:val="{Normal}"/><w:autoRedefine/><w:uiPriority w:val="39"/><w:unhideWhenUsed/>` +
      `<w:pPr><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="${room}"/></w:tabs>${NO_HYPHENS}${spacing(level === 1 ? 120 : 0, 20)}` +
      `<w:ind w:left="${Math.max(0, level - 1) * 240}"/>${align('left')}</w:pPr><w:rPr><w:noProof/></w:rPr>`,
  );
}

/**
 * Returns the styles of a book that differ from a report's: black serif text, justified, with indented instead of
 * spaced paragraphs.
 *
 * @param room width between the margins, in twentieths of a point
 */
export function bookStyles(room: number): StyleDefinition[] {
  const bold = '<w:b/><w:bCs/>';
  const italic = '<w:i/><w:iCs/>';
  const plain = (name: string, id: string, properties: string, looks = ''): StyleDefinition =>
    paragraph(
      name,
      id,
      `${BASED}<w:pPr>${properties}</w:pPr>${looks === '' ? '' : `<w:rPr>${looks}</w:rPr>`}`,
    );
  return [
    paragraph('Normal', 'Normal', `<w:qFormat/><w:pPr><w:widowControl/>${align('both')}</w:pPr>`),
    plain(BOOK_INDENT, 'BodyTextFirstIndent', '<w:ind w:firstLine="300"/>'),
    heading(1, 22, 1600, 700, ''),
    heading(2, 13, 320, 120, bold),
    heading(3, 11.5, 260, 80, italic),
    heading(4, BOOK_SIZE, 220, 60, bold),
    heading(5, BOOK_SIZE, 200, 40, italic),
    heading(6, BOOK_SIZE, 200, 40, ''),
    front('Half Title', 16, 2600, 0),
    front('Title', 26, 2600, 240),
    front('Subtitle', 14, 0, 700),
    front('Author', 13, 0, 60),
    front('Date', 11, 0, 60),
    plain('Imprint', 'Imprint', `${NO_HYPHENS}${spacing(0, 40, 12)}${align('left')}`, size(9)),
    plain('List Paragraph', 'ListParagraph', spacing(0, 40)),
    plain('Quote', 'Quote', `${spacing(120, 120)}<w:ind w:left="340" w:right="340"/>`),
    plain('caption', 'Caption', `${spacing(60, 200, 12)}${align('left')}`, size(9)),
    plain('Captioned Figure', 'CaptionedFigure', `<w:keepNext/>${spacing(160, 60)}${align('center')}`),
    plain('Table Text', 'TableText', `${spacing(20, 20, 12)}${align('left')}`, size(9)),
    plain(
      SECTION_END,
      'SectionEnd',
      '<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>',
      size(1),
    ),
    plain('TOC Heading', 'TOCHeading', `<w:keepNext/>${spacing(0, 360, 27)}${align('left')}`, size(22)),
    ...[0, 1, 2, 3].map((level) => contents(level, room)),
    plain(
      'index 1',
      'Index1',
      `${NO_HYPHENS}${spacing(0, 20, 12)}<w:ind w:left="240" w:hanging="240"/>${align('left')}`,
      size(9),
    ),
    plain('footnote text', 'FootnoteText', spacing(0, 30, 10.5), size(8.5)),
    plain('header', 'Header', `${NO_HYPHENS}${spacing(0, 0, 11)}`, `${italic}${size(9)}`),
    plain('footer', 'Footer', `${spacing(0, 0, 11)}${align('center')}`, size(9)),
    {
      name: 'Hyperlink',
      type: 'character',
      id: 'Hyperlink',
      body: '<w:rPr/>',
    },
  ];
}
