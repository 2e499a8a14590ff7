import { splitAtSpaces } from '#contracts/text.js';
import { attribute, type Element } from './elements.js';

/** Looks defined by a style sheet that change the meaning of an element's text. */
export interface ElementStyle {
  shift?: 'raised' | 'lowered' | 'plain';
  isStruck?: boolean;
  /** Whether line ends in the text are shown; undefined if inherited. */
  keepsLines?: boolean;
  /** Keyword of `list-style-type`, such as `lower-alpha`. */
  list?: string;
}

interface Rule extends ElementStyle {
  /** Order in which rules apply: the weight of the selector. */
  weight: number;
  /** Name of the element; empty for any. */
  tag: string;
  classes: string[];
  id: string;
}

/** Longer style sheets are read up to here. */
const MAX_SHEET = 500_000;
const MAX_RULES = 5_000;
/** `p`, `.note`, `li.first`, `#fee`; other selectors would need the position of an element. */
const SIMPLE = /^([a-z][a-z0-9]{0,30})?((?:\.[\w-]{1,200}){0,10})(?:#([\w-]{1,200}))?$/i;
/** The numbers of a list that Google Docs writes as generated content: `.lst-1 > li:before`. */
const COUNTED = /^(?:ol)?\.([\w-]{1,200})\s*>\s*li:{1,2}before$/i;
const COUNTER = /^content:[^;]*?counter\([\w-]{1,200},\s*([\w-]{1,40})\)/i;
const LIST_KEYWORDS =
  /(?:^|\s)(none|disc|circle|square|decimal(?:-leading-zero)?|(?:lower|upper)-(?:alpha|latin|roman|greek))(?:\s|$)/i;

/** The styles of a page that its `style` elements and attributes give to elements. Rules for printing are ignored. */
export class PageStyles {
  private readonly rules: Rule[] = [];
  private readonly known = new Map<string, ElementStyle>();

  /** @param sheets texts of the `style` elements */
  constructor(sheets: readonly string[]) {
    for (const sheet of sheets)
      for (const [selectors, declarations] of blocksOf(sheet.slice(0, MAX_SHEET)))
        this.add(selectors, declarations);
  }

  of(element: Element): ElementStyle {
    const own = attribute(element, 'style');
    if (own === null && this.rules.length === 0) return NO_STYLE;
    const ruled = this.ruled(element);
    return own === null ? ruled : { ...ruled, ...declared(own) };
  }

  private add(selectors: string, declarations: string): void {
    const style = declared(declarations);
    const counter = COUNTER.exec(declarations.trim())?.[1];
    if (counter === undefined && Object.keys(style).length === 0) return;
    for (const selector of selectors.split(',')) {
      const counted = counter === undefined ? undefined : COUNTED.exec(selector.trim())?.[1];
      const [, tag = '', classes = '', id = ''] = SIMPLE.exec(selector.trim()) ?? [];
      const isSimple = tag + classes + id !== '';
      if (this.rules.length >= MAX_RULES || (counted === undefined && !isSimple)) continue;
      // Style sheets that reset all lists are followed by rules for lists in the text.
      if (counted === undefined && classes + id === '' && style.list === 'none') delete style.list;
      const rule =
        counted === undefined
          ? { tag: tag.toLowerCase(), classes: classNames(classes), id, ...style }
          : { tag: 'ol', classes: [counted], id: '', list: counter! };
      // A list with a counter has no other numbers.
      const weight = counted === undefined ? weightOf(rule) : COUNTED_WEIGHT;
      this.rules.push({ ...rule, weight });
    }
  }

  /** Returns the result of the rules; elements with the same name, classes and ID share it. */
  private ruled(element: Element): ElementStyle {
    const classes = attribute(element, 'class') ?? '';
    const id = attribute(element, 'id') ?? '';
    const key = `${element.tagName} ${classes} #${id}`;
    const known = this.known.get(key);
    if (known) return known;
    const names = new Set(splitAtSpaces(classes));
    const matching = this.rules.filter(
      (rule) =>
        (rule.tag === '' || rule.tag === element.tagName) &&
        (rule.id === '' || rule.id === id) &&
        rule.classes.every((name) => names.has(name)),
    );
    const style: ElementStyle = {};
    // Of rules of equal weight, the last one applies.
    for (const rule of matching.sort((a, b) => a.weight - b.weight)) {
      if (rule.shift !== undefined) style.shift = rule.shift;
      if (rule.isStruck !== undefined) style.isStruck = rule.isStruck;
      if (rule.keepsLines !== undefined) style.keepsLines = rule.keepsLines;
      if (rule.list !== undefined) style.list = rule.list;
    }
    this.known.set(key, style);
    return style;
  }
}

const NO_STYLE: ElementStyle = {};

const classNames = (selector: string) => selector.split('.').filter((name) => name !== '');
const COUNTED_WEIGHT = 1_000_000;
const weightOf = ({ tag, classes, id }: { tag: string; classes: string[]; id: string }) =>
  (id === '' ? 0 : 100) + classes.length * 10 + (tag === '' ? 0 : 1);

/** Returns the rules of a style sheet as selectors and declarations. Linear. */
function blocksOf(sheet: string): [string, string][] {
  const css = withoutComments(sheet).replace(/<!--|-->/g, ' ');
  const found: [string, string][] = [];
  /** Whether the open groups, such as `@media`, apply to the screen. */
  const groups: boolean[] = [];
  let from = 0;
  for (let at = 0; at < css.length; at++) {
    const character = css[at];
    if (character === '}') {
      groups.pop();
      from = at + 1;
    } else if (character === ';') from = at + 1;
    else if (character === '{') {
      const head = css.slice(from, at).trim();
      from = at + 1;
      if (head.startsWith('@')) groups.push(isForScreens(head));
      else {
        const end = css.indexOf('}', at);
        const declarations = css.slice(at + 1, end < 0 ? css.length : end);
        if (groups.every(Boolean)) found.push([head, declarations]);
        at = end < 0 ? css.length : end;
        from = at + 1;
      }
    }
  }
  return found;
}

function withoutComments(css: string): string {
  const [first = '', ...rest] = css.split('/*');
  return [first, ...rest.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : ''))].join(
    ' ',
  );
}

const isForScreens = (head: string) =>
  /^@(?:layer|supports)\b/i.test(head) || (/^@media\b/i.test(head) && /\b(?:screen|all)\b/i.test(head));

function declared(declarations: string): ElementStyle {
  const style: ElementStyle = {};
  for (const each of declarations.split(';')) {
    const colon = each.indexOf(':');
    const name = each.slice(0, colon).trim().toLowerCase();
    const value = each
      .slice(colon + 1)
      .replace(/!important/i, '')
      .trim()
      .toLowerCase();
    if (name === 'vertical-align') {
      style.shift = value === 'super' ? 'raised' : value === 'sub' ? 'lowered' : 'plain';
    } else if (name === 'text-decoration' || name === 'text-decoration-line') {
      style.isStruck = value.includes('line-through');
    } else if (name === 'white-space') style.keepsLines = /^(?:pre|break-spaces)/.test(value);
    else if (name === 'list-style-type' || name === 'list-style') {
      const keyword = LIST_KEYWORDS.exec(value)?.[1];
      if (keyword !== undefined) style.list = keyword;
    }
  }
  return style;
}
