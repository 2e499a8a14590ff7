import { CODE_INSET, CODE_SIZES, TAB_COLUMNS, type CodeSize } from './code-looks.js';

/**
 * Style of the writer. Names are Word's own if they exist, and for code those known from other tools ("Source
 * Code", "Verbatim Char"). A reference document replaces any of them by name.
 */
export interface StyleDefinition {
  /** Name as Word stores it; built-in names are in lower case. */
  name: string;
  type: 'paragraph' | 'character' | 'table';
  id: string;
  /** Everything after `w:name`; `{Other Name}` stands for the ID of another style. */
  body: string;
}

const ACCENT = '1F3864';
const ACCENT_2 = '2F5496';
const MUTED = '595959';
const RULE = 'BFC7D1';
/**
 * Fonts that Word always has and for which other programs have metric-compatible equivalents: lines break at
 * the same words everywhere, so the page numbers in the table of contents are correct in every program.
 */
const BODY_FONT = 'Arial';
const CODE_FONT = 'Courier New';

const fonts = (font: string): string => `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:cs="${font}"/>`;
export const CODE_FONTS = fonts(CODE_FONT);
export const size = (points: number): string =>
  `<w:sz w:val="${points * 2}"/><w:szCs w:val="${points * 2}"/>`;
/** Space before and after in twentieths of a point; line height in points, which taller images extend. */
export const spacing = (before: number, after: number, line?: number): string =>
  `<w:spacing w:before="${before}" w:after="${after}"${line ? ` w:line="${Math.round(line * 20)}" w:lineRule="atLeast"` : ''}/>`;
const border = (side: string, width: number, space: number, color: string): string =>
  `<w:${side} w:val="single" w:sz="${width}" w:space="${space}" w:color="${color}"/>`;
export const paragraph = (name: string, id: string, body: string): StyleDefinition => ({
  name,
  type: 'paragraph',
  id,
  body,
});
const character = (name: string, id: string, body: string): StyleDefinition => ({
  name,
  type: 'character',
  id,
  body,
});

function heading(
  level: number,
  points: number,
  color: string,
  before: number,
  italic = false,
): StyleDefinition {
  return paragraph(
    `heading ${level}`,
    `Heading${level}`,
    `<w:basedOn w:val="{Normal}"/><w:next w:val="{Normal}"/><w:uiPriority w:val="9"/><w:qFormat/>` +
      `<w:pPr><w:keepNext/><w:keepLines/>${spacing(before, 110, points * 1.3)}<w:outlineLvl w:val="${level - 1}"/></w:pPr>` +
      `<w:rPr><w:b/><w:bCs/>${italic ? '<w:i/><w:iCs/>' : ''}<w:color w:val="${color}"/>${size(points)}</w:rPr>`,
  );
}

/** Returns name and ID of the style of an entry of the table of contents; of level 0, of a list of figures or tables. */
export const entryStyle = (level: number): [string, string] =>
  level === 0 ? ['table of figures', 'TableofFigures'] : [`toc ${level}`, `TOC${level}`];

function contents(level: number): StyleDefinition {
  const before = level === 1 ? 100 : 0;
  return paragraph(
    ...entryStyle(level),
    `<w:basedOn w:val="{Normal}"/><w:next w:val="{Normal}"/><w:autoRedefine/><w:uiPriority w:val="39"/><w:unhideWhenUsed/>` +
      `<w:pPr><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9026"/></w:tabs>${spacing(before, 40)}` +
      `<w:ind w:left="${Math.max(0, level - 1) * 240}"/></w:pPr><w:rPr>${level === 1 ? '<w:b/><w:bCs/>' : ''}<w:noProof/></w:rPr>`,
  );
}

/** Bar colour and background of each kind of callout. */
export const CALLOUT_COLORS: readonly [string, string, string][] = [
  ['Note', '2F6FDE', 'EEF4FD'],
  ['Tip', '1A7F37', 'EDF8F0'],
  ['Important', '8250DF', 'F5F0FD'],
  ['Warning', '9A6700', 'FDF7E7'],
  ['Caution', 'CF222E', 'FDEFF0'],
];

function callout([kind, bar, back]: readonly [string, string, string]): StyleDefinition[] {
  return [
    paragraph(
      `Callout ${kind}`,
      `Callout${kind}`,
      `<w:basedOn w:val="{Normal}"/><w:qFormat/><w:pPr><w:pBdr>${border('left', 24, 8, bar)}</w:pBdr>` +
        `<w:shd w:val="clear" w:color="auto" w:fill="${back}"/>${spacing(0, 0)}<w:ind w:left="284" w:right="142"/></w:pPr>`,
    ),
    character(
      `Callout ${kind} Title`,
      `Callout${kind}Title`,
      `<w:qFormat/><w:rPr><w:b/><w:bCs/><w:color w:val="${bar}"/></w:rPr>`,
    ),
  ];
}

/** Bar on the left of the code; on the right, space between the text and the end of the shading. */
const codeBar = (width: number, color: string): string =>
  `<w:pBdr>${border('left', width, 5, color)}${border('right', 4, 5, 'F6F8FA')}</w:pBdr>`;

function codeStyles(): StyleDefinition[] {
  const [usual, small] = CODE_SIZES;
  const layout = ({ column, height }: CodeSize): string => {
    const stop = TAB_COLUMNS * column;
    const tabs = Array.from(
      { length: 13 },
      (_, i) => `<w:tab w:val="left" w:pos="${CODE_INSET + (i + 1) * stop}"/>`,
    );
    return (
      `<w:tabs>${tabs.join('')}</w:tabs><w:suppressAutoHyphens/><w:spacing w:before="0" w:after="0" w:line="${height}" w:lineRule="exact"/>` +
      `<w:ind w:left="${CODE_INSET + stop}" w:right="${CODE_INSET}" w:hanging="${stop}"/><w:jc w:val="left"/>`
    );
  };
  const turned = (size: CodeSize): StyleDefinition =>
    paragraph(
      size.turnedStyle,
      size.turnedStyle.replaceAll(' ', ''),
      `<w:basedOn w:val="{${size.style}}"/><w:pPr>${codeBar(24, '7D8896')}</w:pPr>`,
    );
  return [
    paragraph(
      usual.style,
      'SourceCode',
      `<w:basedOn w:val="{Normal}"/><w:qFormat/><w:pPr>${codeBar(4, 'D5DAE1')}<w:shd w:val="clear" w:color="auto" w:fill="F6F8FA"/>${layout(usual)}</w:pPr>` +
        `<w:rPr>${fonts(CODE_FONT)}<w:noProof/>${size(8.5)}</w:rPr>`,
    ),
    turned(usual),
    paragraph(
      small.style,
      'SourceCodeSmall',
      `<w:basedOn w:val="{${usual.style}}"/><w:pPr>${layout(small)}</w:pPr><w:rPr>${size(7)}</w:rPr>`,
    ),
    turned(small),
  ];
}

const TABLE_BORDERS = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => border(side, 4, 0, RULE))
  .join('');

const TABLE: StyleDefinition = {
  name: 'Scriptorium Table',
  type: 'table',
  id: 'ScriptoriumTable',
  body:
    `<w:basedOn w:val="{Normal Table}"/><w:uiPriority w:val="59"/><w:qFormat/>` +
    `<w:tblPr><w:tblBorders>${TABLE_BORDERS}</w:tblBorders>` +
    `<w:tblCellMar><w:top w:w="30" w:type="dxa"/><w:left w:w="100" w:type="dxa"/><w:bottom w:w="30" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar></w:tblPr>` +
    `<w:tblStylePr w:type="firstRow"><w:rPr><w:b/><w:bCs/><w:color w:val="${ACCENT}"/></w:rPr>` +
    `<w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="E4EAF4"/></w:tcPr></w:tblStylePr>`,
};

export const STYLES: readonly StyleDefinition[] = [
  paragraph('Normal', 'Normal', '<w:qFormat/>'),
  character(
    'Default Paragraph Font',
    'DefaultParagraphFont',
    '<w:uiPriority w:val="1"/><w:semiHidden/><w:unhideWhenUsed/>',
  ),
  {
    name: 'Normal Table',
    type: 'table',
    id: 'TableNormal',
    body:
      '<w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/>' +
      '<w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr>',
  },
  heading(1, 18, ACCENT, 400),
  heading(2, 14, ACCENT_2, 300),
  heading(3, 11.5, ACCENT_2, 240),
  heading(4, 10.5, ACCENT, 200),
  heading(5, 10, ACCENT_2, 180, true),
  heading(6, 10, MUTED, 180),
  paragraph(
    'Title',
    'Title',
    `<w:basedOn w:val="{Normal}"/><w:next w:val="{Subtitle}"/><w:qFormat/><w:pPr><w:pBdr>${border('bottom', 12, 10, ACCENT_2)}</w:pBdr>${spacing(3400, 240, 40)}</w:pPr>` +
      `<w:rPr><w:b/><w:bCs/><w:color w:val="${ACCENT}"/>${size(30)}</w:rPr>`,
  ),
  paragraph(
    'Subtitle',
    'Subtitle',
    `<w:basedOn w:val="{Normal}"/><w:next w:val="{Normal}"/><w:qFormat/><w:pPr>${spacing(0, 360, 20)}</w:pPr><w:rPr><w:color w:val="${MUTED}"/>${size(15)}</w:rPr>`,
  ),
  paragraph(
    'Author',
    'Author',
    `<w:basedOn w:val="{Normal}"/><w:qFormat/><w:pPr>${spacing(0, 60, 16)}</w:pPr><w:rPr>${size(11)}</w:rPr>`,
  ),
  paragraph(
    'Date',
    'Date',
    `<w:basedOn w:val="{Normal}"/><w:qFormat/><w:pPr>${spacing(0, 60, 16)}</w:pPr><w:rPr><w:color w:val="${MUTED}"/>${size(11)}</w:rPr>`,
  ),
  ...codeStyles(),
  paragraph(
    'Quote',
    'Quote',
    `<w:basedOn w:val="{Normal}"/><w:qFormat/><w:pPr><w:pBdr>${border('left', 18, 10, RULE)}</w:pBdr><w:ind w:left="340"/></w:pPr><w:rPr><w:color w:val="${MUTED}"/></w:rPr>`,
  ),
  paragraph(
    'List Paragraph',
    'ListParagraph',
    `<w:basedOn w:val="{Normal}"/><w:qFormat/><w:pPr>${spacing(0, 60)}</w:pPr>`,
  ),
  paragraph(
    'caption',
    'Caption',
    `<w:basedOn w:val="{Normal}"/><w:next w:val="{Normal}"/><w:qFormat/><w:pPr>${spacing(60, 200, 12.5)}</w:pPr><w:rPr><w:color w:val="${MUTED}"/>${size(9)}</w:rPr>`,
  ),
  paragraph(
    'Captioned Figure',
    'CaptionedFigure',
    `<w:basedOn w:val="{Normal}"/><w:qFormat/><w:pPr><w:keepNext/>${spacing(160, 60)}</w:pPr>`,
  ),
  paragraph(
    'Table Text',
    'TableText',
    `<w:basedOn w:val="{Normal}"/><w:qFormat/><w:pPr>${spacing(20, 20, 12.5)}</w:pPr><w:rPr>${size(9)}</w:rPr>`,
  ),
  paragraph(
    'Table Text Small',
    'TableTextSmall',
    `<w:basedOn w:val="{Table Text}"/><w:pPr>${spacing(10, 10, 9.5)}</w:pPr><w:rPr>${size(7)}</w:rPr>`,
  ),
  paragraph(
    'Table Part',
    'TablePart',
    `<w:basedOn w:val="{Normal}"/><w:pPr><w:keepNext/>${spacing(60, 40, 12.5)}</w:pPr><w:rPr><w:i/><w:iCs/><w:color w:val="${MUTED}"/>${size(9)}</w:rPr>`,
  ),
  paragraph(
    'Spacer',
    'Spacer',
    `<w:basedOn w:val="{Normal}"/><w:pPr>${spacing(0, 0, 8)}</w:pPr><w:rPr>${size(6)}</w:rPr>`,
  ),
  paragraph(
    'Horizontal Rule',
    'HorizontalRule',
    `<w:basedOn w:val="{Normal}"/><w:qFormat/><w:pPr><w:pBdr>${border('bottom', 6, 1, RULE)}</w:pBdr>${spacing(60, 240, 8)}</w:pPr><w:rPr>${size(6)}</w:rPr>`,
  ),
  paragraph(
    'TOC Heading',
    'TOCHeading',
    `<w:basedOn w:val="{Normal}"/><w:next w:val="{Normal}"/><w:qFormat/><w:pPr><w:keepNext/>${spacing(0, 200, 24)}</w:pPr><w:rPr><w:b/><w:bCs/><w:color w:val="${ACCENT}"/>${size(18)}</w:rPr>`,
  ),
  ...[0, 1, 2, 3].map(contents),
  paragraph(
    'footnote text',
    'FootnoteText',
    `<w:basedOn w:val="{Normal}"/><w:pPr>${spacing(0, 40, 11)}</w:pPr><w:rPr>${size(8)}</w:rPr>`,
  ),
  paragraph(
    'header',
    'Header',
    `<w:basedOn w:val="{Normal}"/><w:pPr><w:tabs><w:tab w:val="right" w:pos="9026"/></w:tabs>${spacing(0, 0, 11)}</w:pPr><w:rPr><w:color w:val="${MUTED}"/>${size(8)}</w:rPr>`,
  ),
  paragraph(
    'footer',
    'Footer',
    `<w:basedOn w:val="{Normal}"/><w:pPr>${spacing(0, 0, 11)}<w:jc w:val="center"/></w:pPr><w:rPr><w:color w:val="${MUTED}"/>${size(8)}</w:rPr>`,
  ),
  character('footnote reference', 'FootnoteReference', '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'),
  character('Hyperlink', 'Hyperlink', '<w:rPr><w:color w:val="0B5CAD"/><w:u w:val="single"/></w:rPr>'),
  character(
    'Verbatim Char',
    'VerbatimChar',
    `<w:qFormat/><w:rPr>${fonts(CODE_FONT)}<w:noProof/><w:shd w:val="clear" w:color="auto" w:fill="F0F2F5"/></w:rPr>`,
  ),
  character('Page Reference', 'PageReference', `<w:rPr><w:color w:val="${MUTED}"/></w:rPr>`),
  character('Math Source', 'MathSource', `<w:rPr>${fonts(CODE_FONT)}<w:noProof/></w:rPr>`),
  character(
    'Missing Asset',
    'MissingAsset',
    `<w:rPr><w:b w:val="0"/><w:bCs w:val="0"/><w:i/><w:iCs/><w:color w:val="${MUTED}"/>${size(9)}</w:rPr>`,
  ),
  ...CALLOUT_COLORS.flatMap(callout),
  TABLE,
];

/** Text of a document; `after` is the space below paragraphs in twentieths of a point. */
interface TextLook {
  font: string;
  points: number;
  after: number;
  line: number;
}

/** Document defaults: fonts for Latin, East Asian and right-to-left scripts, size, language. */
export function documentDefaults(
  language: string,
  { font, points, after, line }: TextLook = { font: BODY_FONT, points: 10, after: 140, line: 14 },
): string {
  return (
    `<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="Microsoft YaHei" w:cs="${font}"/>` +
    `${size(points)}<w:lang w:val="${language}" w:eastAsia="zh-CN" w:bidi="ar-SA"/></w:rPr></w:rPrDefault>` +
    `<w:pPrDefault><w:pPr>${spacing(0, after, line)}</w:pPr></w:pPrDefault></w:docDefaults>`
  );
}
