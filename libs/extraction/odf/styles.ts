import { FORMAT_CODES, numberText } from '../number-formats.js';
import { Numbering } from '../numbering.js';
import type { RunStyle } from '../styled-text.js';
import { readXml, type Attributes } from '../xml.js';

/** Properties that a style gives to text. */
interface OdfStyle {
  run?: RunStyle;
  /** The text, row or slide is not shown. */
  isHidden?: boolean;
  /** Name of the font; characters of symbol fonts depend on it. */
  font?: string;
  /** Style of the list that its paragraphs belong to. */
  list?: string;
  parent?: string;
}

/** Longer chains of styles, or circles, are cut. */
const MAX_CHAIN = 20;
const FORMATS: Record<string, string> = {
  '1': 'decimal',
  a: 'alphabetLower',
  A: 'alphabetUpper',
  i: 'lowerRoman',
  I: 'upperRoman',
  '': 'none',
};
/** Name of the list of numbered headings. */
export const OUTLINE = 'outline of headings';
const MAX_LEVELS = 10;

/** The styles of an OpenDocument file, from `styles.xml` and `content.xml`. */
export class OdfStyles {
  readonly numbering = new Numbering();
  private readonly styles = new Map<string, OdfStyle>();

  /** Reads the styles of a part; later parts add to them. */
  read(xml: string): void {
    let style: OdfStyle = {};
    let list = '';
    readXml(xml, {
      open: (name, attributes) => {
        if (name === 'style:style') {
          style = {
            parent: attributes['style:parent-style-name'],
            list: attributes['style:list-style-name'],
          };
          const key = keyOf(attributes['style:family'] ?? '', attributes['style:name'] ?? '');
          this.styles.set(key, style);
        } else if (name === 'style:text-properties') Object.assign(style, textProperties(attributes));
        else if (name === 'style:table-properties' && attributes['table:display'] === 'false')
          style.isHidden = true;
        else if (
          name === 'style:drawing-page-properties' &&
          attributes['presentation:visibility'] === 'hidden'
        )
          style.isHidden = true;
        else if (name === 'text:list-style') list = attributes['style:name'] ?? '';
        else if (name === 'text:outline-style') list = OUTLINE;
        else if (name.startsWith('text:list-level-style') || name === 'text:outline-level-style')
          this.level(list, name, attributes);
      },
      close: () => undefined,
    });
    this.numbering.addList(OUTLINE, OUTLINE);
  }

  /** Returns the properties of a style, including inherited ones. @param family such as `text` */
  of(family: string, name: string | undefined): OdfStyle {
    const chain: OdfStyle[] = [];
    for (
      let at = this.styles.get(keyOf(family, name ?? ''));
      at && chain.length < MAX_CHAIN;
      at = this.styles.get(keyOf(family, at.parent ?? ''))
    )
      chain.push(definedOf(at));
    return Object.assign({}, ...chain.reverse()) as OdfStyle;
  }

  private level(list: string, name: string, attributes: Attributes): void {
    const number = Number(attributes['text:level']) || 1;
    if (number < 1 || number > MAX_LEVELS) return;
    const level = this.numbering.describe(list, number - 1);
    const isBullet = !name.endsWith('number') && name !== 'text:outline-level-style';
    const format = attributes['style:num-format'] ?? '';
    level.format = isBullet ? 'bullet' : formatOf(format, attributes['style:num-letter-sync'] === 'true');
    level.start = Number(attributes['text:start-value'] ?? 1) || 0;
    level.text = isBullet ? '' : levelText(number, attributes, format === '');
  }
}

/** Returns the format of Word that counts like a format. Rare ones are given by their first numbers: `一, 二, 三, ...`. */
function formatOf(format: string, doublesLetters: boolean): string {
  if (doublesLetters && /^a$/i.test(format)) return format === 'a' ? 'lowerLetter' : 'upperLetter';
  const [first, second] = format.split(',').map((each) => each.trim());
  return (
    FORMATS[format] ??
    FORMAT_CODES.find((each) => numberText(1, each) === first && numberText(2, each) === second) ??
    'decimal'
  );
}

const keyOf = (family: string, name: string) => `${family} ${name}`;

/** Removes undefined properties, which would hide inherited ones. */
const definedOf = (style: OdfStyle): OdfStyle =>
  Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined));

function textProperties(attributes: Attributes): OdfStyle {
  const position = attributes['style:text-position'];
  const through = attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type'];
  const style: OdfStyle = {};
  if (position !== undefined) style.run = runOf(position);
  if (through !== undefined && (style.run ?? 'plain') === 'plain')
    style.run = through === 'none' ? 'plain' : 'struck';
  const font = attributes['style:font-name'] ?? attributes['fo:font-family'];
  if (font !== undefined)
    style.font = font
      .replace(/['"]/g, '')
      .replace(/\d{1,3}$/, '')
      .trim();
  if (attributes['text:display'] !== undefined) style.isHidden = attributes['text:display'] === 'none';
  return style;
}

function runOf(position: string): RunStyle {
  const [shift = ''] = position.split(' ');
  if (shift === 'super' || Number.parseFloat(shift) > 0) return 'raised';
  return shift === 'sub' || Number.parseFloat(shift) < 0 ? 'lowered' : 'plain';
}

/** Returns the text around the numbers of a level in the form of Word: `%1.%2.` */
function levelText(number: number, attributes: Attributes, isEmpty: boolean): string {
  const given = attributes['style:num-list-format'] ?? attributes['loext:num-list-format'];
  if (given !== undefined) return given.replace(/%(\d{1,2})%/g, '%$1');
  const levels = isEmpty ? 0 : Math.max(1, Math.min(number, Number(attributes['text:display-levels']) || 1));
  const numbers = Array.from({ length: levels }, (_, index) => `%${number - levels + 1 + index}`);
  return (attributes['style:num-prefix'] ?? '') + numbers.join('.') + (attributes['style:num-suffix'] ?? '');
}
