import { CALLOUT_COLORS } from './styles.js';

/** Bar colours by paragraph style. */
const BARS: Readonly<Record<string, string>> = {
  Quote: 'BFC7D1',
  ...Object.fromEntries(CALLOUT_COLORS.map(([kind, color]) => [`Callout ${kind}`, color])),
};
/** Maximum distance in Word between a border and its text, in points. */
const MAX_BORDER_SPACE = 31;

/** Returns borders that keep the bar of a quote or callout aligned where its text is indented further. */
export function barXml(
  place: { style: string; indent: number | null; bar?: number },
  hanging: number,
): string {
  const color = BARS[place.style];
  const offset = (place.indent ?? 0) - hanging - (place.bar ?? 0);
  if (!color || offset <= 0) return '';
  const space = Math.min(MAX_BORDER_SPACE, (place.style === 'Quote' ? 10 : 8) + Math.round(offset / 20));
  return `<w:pBdr><w:left w:val="single" w:sz="${place.style === 'Quote' ? 18 : 24}" w:space="${space}" w:color="${color}"/></w:pBdr>`;
}

export interface ParagraphExtra {
  keepNext?: boolean;
  pageBreakBefore?: boolean;
  numbering?: string;
  rtl?: boolean;
  indent?: number | undefined;
  right?: number | undefined;
  hanging?: number;
  /** Borders that replace the style's borders. */
  bar?: string;
  /** Space before, in twentieths of a point. */
  before?: number | undefined;
  /** `w:sectPr` of the section that the paragraph ends. */
  section?: string;
  align?: 'left' | 'center' | 'right' | undefined;
}

/** Writes paragraph properties in the order of Word's schema. */
export function extraXml(extra: ParagraphExtra): string {
  let xml = '';
  if (extra.keepNext) xml += '<w:keepNext/>';
  if (extra.pageBreakBefore) xml += '<w:pageBreakBefore/>';
  if (extra.numbering) xml += extra.numbering;
  if (extra.bar) xml += extra.bar;
  if (extra.rtl) xml += '<w:bidi/>';
  if (extra.before) xml += `<w:spacing w:before="${extra.before}"/>`;
  if (extra.indent !== undefined || extra.right !== undefined) {
    const left = extra.indent === undefined ? '' : ` w:left="${extra.indent}"`;
    const right = extra.right === undefined ? '' : ` w:right="${extra.right}"`;
    xml += `<w:ind${left}${right}${extra.hanging ? ` w:hanging="${extra.hanging}"` : ''}/>`;
  }
  // "left" means the side where lines start, also in right-to-left paragraphs.
  if (extra.align && extra.align !== 'left') xml += `<w:jc w:val="${extra.align}"/>`;
  return xml + (extra.section ?? '');
}
