import { BOOK_FONT } from '../book-styles.js';
import { walkXml } from '../reference.js';

/** Properties that determine a paragraph's size. Lengths are in twentieths of a point. */
export interface StyleMetrics {
  fixedWidth: boolean;
  serif: boolean;
  bold: boolean;
  size: number;
  before: number;
  after: number;
  line: number;
  rule: 'auto' | 'atLeast' | 'exact';
  left: number;
  right: number;
  hanging: number;
  keepNext: boolean;
  keepLines: boolean;
  /** Distance between tab stops; 0 for the document's default stops, measured from the margin. */
  tab: number;
}

interface OwnStyle {
  basedOn: string;
  own: Partial<StyleMetrics>;
}

export const START: StyleMetrics = {
  fixedWidth: false,
  serif: false,
  bold: false,
  size: 200,
  before: 0,
  after: 0,
  line: 240,
  rule: 'auto',
  left: 0,
  right: 0,
  hanging: 0,
  keepNext: false,
  keepLines: false,
  tab: 0,
};
const FIXED_FONTS = /courier|mono|consolas|menlo|code/i;

/** Reads the metrics of paragraph and character styles from `word/styles.xml`, by ID, with inheritance. */
export function styleMetrics(stylesXml: string): ReadonlyMap<string, StyleMetrics> {
  const styles = readStyles(stylesXml);
  const done = new Map<string, StyleMetrics>();
  const defaults = { ...START, ...styles.get('')?.own };
  const resolve = (id: string, depth: number): StyleMetrics => {
    const known = done.get(id);
    if (known) return known;
    const style = styles.get(id);
    const base = style && style.basedOn !== '' && depth < 20 ? resolve(style.basedOn, depth + 1) : defaults;
    const metrics = { ...base, ...style?.own };
    done.set(id, metrics);
    return metrics;
  };
  for (const id of styles.keys()) resolve(id, 0);
  return done;
}

/** Reads each style's own properties; the document defaults have an empty ID. */
function readStyles(xml: string): Map<string, OwnStyle> {
  const styles = new Map<string, OwnStyle>([['', { basedOn: '', own: {} }]]);
  let current = styles.get('');
  let conditional = false;
  let lastStop = 0;
  walkXml(xml, {
    open: ({ name, attributes }) => {
      if (name === 'w:style') {
        current = { basedOn: '', own: {} };
        styles.set(attributes['w:styleId'] ?? '', current);
      } else if (name === 'w:tblStylePr') conditional = true;
      else if (name === 'w:basedOn' && current) current.basedOn = attributes['w:val'] ?? '';
      else if (name === 'w:tab' && current && attributes['w:val'] === 'left') {
        const stop = Number(attributes['w:pos']);
        current.own.tab = stop - lastStop;
        lastStop = stop;
      } else if (name === 'w:tabs') lastStop = 0;
      else if (current && !conditional) Object.assign(current.own, propertyOf(name, attributes));
    },
    close: (name) => {
      if (name === 'w:tblStylePr') conditional = false;
      if (name === 'w:style') current = undefined;
    },
  });
  return styles;
}

/** Returns the metrics set by one property element. */
function propertyOf(name: string, attributes: Readonly<Record<string, string>>): Partial<StyleMetrics> {
  const found: Partial<StyleMetrics> = {};
  const number = (key: string, attribute: string): number | undefined => {
    const value = attributes[`w:${attribute}`] ?? attributes[`w:${key}`];
    return value === undefined ? undefined : Number(value);
  };
  const take = <K extends keyof StyleMetrics>(key: K, value: StyleMetrics[K] | undefined): void => {
    if (value !== undefined) found[key] = value;
  };
  if (name === 'w:spacing') {
    take('before', number('before', 'before'));
    take('after', number('after', 'after'));
    take('line', number('line', 'line'));
    if (attributes['w:line']) take('rule', (attributes['w:lineRule'] as StyleMetrics['rule']) ?? 'auto');
  } else if (name === 'w:ind') {
    take('left', number('start', 'left'));
    take('right', number('end', 'right'));
    take('hanging', number('hanging', 'hanging'));
    if (attributes['w:firstLine']) take('hanging', -Number(attributes['w:firstLine']));
  } else if (name === 'w:rFonts' && attributes['w:ascii']) {
    found.fixedWidth = FIXED_FONTS.test(attributes['w:ascii']);
    found.serif = attributes['w:ascii'] === BOOK_FONT;
  } else if (name === 'w:sz') take('size', Number(attributes['w:val']) * 10);
  else if (name === 'w:b') found.bold = attributes['w:val'] !== '0';
  else if (name === 'w:keepNext') found.keepNext = attributes['w:val'] !== '0';
  else if (name === 'w:keepLines') found.keepLines = attributes['w:val'] !== '0';
  return found;
}
