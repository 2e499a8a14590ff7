import { oneLine } from '#contracts/text.js';
import { parseFragment } from 'parse5';
import { leftOutMark } from '../left-out.js';
import {
  attribute,
  BLOCKS,
  chosenOptions,
  chosenText,
  type Element,
  fieldText,
  type Node,
  optionText,
  SKIPPED,
} from './elements.js';
import { parsePage } from './shadow-trees.js';
import { numberText } from '../number-formats.js';

/** Maximum nesting depth of frames. */
const DEEPEST_FRAME = 3;
/** Elements of a page's main text. */
const MAIN = new Set(['main', 'article', 'h1']);
const NO_TEXT = new Set(['script', 'style']);

/**
 * Returns comments about words of a page that are shown only in certain cases: placeholders of empty fields, entries that are not
 * chosen, texts for browsers without scripts, templates, descriptions of what is not shown as a picture. Equal words are named once.
 *
 * @param omitted elements that the text omits
 */
export function unseenMarks(page: Node, omitted: readonly Element[] = []): string[] {
  const found = new Map<string, Set<string>>();
  const add: Add = (kind, words) => {
    const text = oneLine(words);
    if (text !== '') found.set(kind, (found.get(kind) ?? new Set()).add(text));
  };
  collect(page, 0, add);
  for (const element of omitted)
    add(isMenu(element) || isLinkList(element) ? 'menu' : 'around the main text', shownWords(element));
  return [...found].map(([kind, texts]) => leftOutMark(kind, [...texts].join('; ')));
}

/** Returns the title of a page, which a browser shows above the page; empty without one. */
export function titleOf(page: Node): string {
  for (const node of nodesOf(page)) if (node.nodeName === 'title') return oneLine(wordsOf(node));
  return '';
}

/**
 * Returns which elements of a saved page its text omits: its menus, and if the one `main` has most of its words, also what is around it.
 * In a page that marks no main text, menus are omitted if the rest has most of its words.
 */
export function omissionsOf(page: Node): (element: Element) => boolean {
  const texts = [...nodesOf(page)].filter(({ nodeName }) => MAIN.has(nodeName));
  const [main, ...others] = texts.filter(({ nodeName }) => nodeName === 'main');
  const size = shownWords(page).length;
  const hasMost = main && others.length === 0 && 2 * shownWords(main).length >= size;
  const aroundMain = withParents(hasMost ? [main] : []);
  const withText = withParents(texts);
  const lists = linkListsAround(page);
  const isAround = ({ parentNode }: Element) => parentNode !== main && aroundMain.has(parentNode!);
  const leads = (element: Element) => !withText.has(element) && (isMenu(element) || lists.has(element));
  if (texts.length > 0) return (element) => leads(element) || (!withText.has(element) && isAround(element));
  const menus = withoutInner(page, leads);
  const inMenus = menus.reduce((sum, menu) => sum + shownWords(menu).length, 0);
  return 2 * inMenus < size ? leads : () => false;
}

/** Returns the elements of a kind that are in no other one. */
function withoutInner(page: Node, isWanted: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  const stack: Node[] = [page];
  for (let node = stack.pop(); node; node = stack.pop())
    if ('tagName' in node && isWanted(node)) found.push(node);
    else if ('childNodes' in node) stack.push(...node.childNodes);
  return found;
}

/**
 * Returns the lists of links above the first heading of a page, and in its footers; there is none above a page without
 * headings. Lists within lists are not looked at by themselves. Linear.
 */
function linkListsAround(page: Node): Set<Node> {
  const [above, below]: [Node[], Node[]] = [[], []];
  let hasHeading = false;
  const stack = [{ node: page, isBelow: false, isInner: false }];
  for (let each = stack.pop(); each; each = stack.pop()) {
    const { node, isInner } = each;
    const isBelow = each.isBelow || node.nodeName === 'footer';
    const isList = LISTS.has(node.nodeName);
    hasHeading ||= HEADING.test(node.nodeName);
    if (isList && !isInner && (isBelow || !hasHeading) && isLinkList(node))
      (isBelow ? below : above).push(node);
    if (!('childNodes' in node)) continue;
    for (const child of node.childNodes.toReversed())
      stack.push({ node: child, isBelow, isInner: isInner || isList });
  }
  return new Set(hasHeading ? [...above, ...below] : below);
}
const LISTS = new Set(['ul', 'ol']);
const HEADING = /^h[1-6]$/;

/** Returns whether a list has only links, of which some lead to other pages. */
function isLinkList(node: Node): boolean {
  if (!LISTS.has(node.nodeName)) return false;
  const links = withoutInner(node, ({ tagName }) => tagName === 'a');
  if (links.length < 2 || links.every((link) => /^#|^$/.test(attribute(link, 'href') ?? ''))) return false;
  const letters = (text: string) => text.replace(/\s/g, '').length;
  const linked = links.reduce((sum, link) => sum + letters(shownWords(link)), 0);
  return linked === letters(shownWords(node));
}

/** Returns nodes and all elements around them. */
function withParents(nodes: readonly Node[]): Set<Node> {
  const found = new Set<Node>();
  for (const each of nodes)
    for (let node: Node | null = each; node && !found.has(node);) {
      found.add(node);
      node = 'parentNode' in node ? node.parentNode : null;
    }
  return found;
}

/** Returns whether an element only leads to other parts of the page or site, or to its other languages. */
const isMenu = (element: Element): boolean =>
  element.tagName === 'nav' ||
  ['navigation', 'search'].includes(attribute(element, 'role') ?? '') ||
  isLanguageList(element) ||
  opensMenu(element);

/** Returns whether one of the parts of an element is the button that shows the others. */
const opensMenu = ({ childNodes }: Element): boolean =>
  childNodes.some((node) =>
    ['true', 'menu'].includes(('tagName' in node && attribute(node, 'aria-haspopup')) || ''),
  );

/** Returns whether each item of a list leads to the page in a language that the link names. */
function isLanguageList({ tagName, childNodes }: Element): boolean {
  const items =
    tagName === 'ul' || tagName === 'ol' ? childNodes.filter(({ nodeName }) => nodeName === 'li') : [];
  const isLink = (node: Node) => node.nodeName === 'a' && attribute(node as Element, 'hreflang') !== null;
  return items.length > 0 && items.every((item) => 'childNodes' in item && item.childNodes.some(isLink));
}

type Add = (kind: string, words: string) => void;

function collect(root: Node, frames: number, add: Add): void {
  for (const node of nodesOf(root)) {
    if (!('tagName' in node)) continue;
    const { tagName } = node;
    if (tagName === 'noscript') add('text for browsers without scripts', noscriptWords(node));
    else if (tagName === 'noframes') add('text for browsers without frames', noscriptWords(node));
    else if (tagName === 'template' && 'content' in node) add('template', wordsOf(node.content));
    else if (tagName === 'datalist') add('suggestions for a field', wordsOf(node));
    else if (tagName === 'select') add('entries that are not chosen', otherEntries(node));
    else if (tagName === 'input' || tagName === 'textarea')
      add('placeholder', attribute(node, 'placeholder') ?? '');
    if (tagName === 'area' || isUnshown(node)) add('alternative text', attribute(node, 'alt') ?? '');
    const frame = tagName === 'iframe' && frames < DEEPEST_FRAME ? attribute(node, 'srcdoc') : null;
    if (frame !== null) collect(parsePage(frame), frames + 1, add);
  }
}

/** Whether an element would show a picture, but names none. */
const isUnshown = (element: Element): boolean =>
  (element.tagName === 'img' && !attribute(element, 'src') && attribute(element, 'data-src') === null) ||
  (element.tagName === 'input' && attribute(element, 'type')?.toLowerCase() === 'image');

/** Parses the content again: like a browser with scripts, the parser treats it as text. */
const noscriptWords = (element: Element): string => wordsOf(parseFragment(wordsOf(element)));

function otherEntries(select: Element): string {
  const chosen = new Set(chosenOptions(select));
  const others: string[] = [];
  for (const node of nodesOf(select)) {
    if (node.nodeName === 'option' && !chosen.has(node as Element)) others.push(optionText(node as Element));
    if (node.nodeName === 'optgroup') others.push(attribute(node as Element, 'label') ?? '');
  }
  return others
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('; ');
}

function wordsOf(root: Node): string {
  const texts: string[] = [];
  for (const node of nodesOf(root))
    if (node.nodeName === '#text') texts.push((node as Node & { value: string }).value);
  return texts.join(' ');
}

/** Returns the text, fields and names of pictures that an element shows; only its blocks are apart. */
function shownWords(root: Node): string {
  const texts: string[] = [];
  const stack: (Node | string)[] = [root];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string') texts.push(step);
    else if (step.nodeName === '#text') texts.push((step as Node & { value: string }).value);
    else if ('childNodes' in step && !SKIPPED.has(step.nodeName)) {
      const { nodeName } = step;
      if (nodeName === 'input') texts.push(fieldText(step as Element), ' ');
      else if (nodeName === 'select') texts.push(chosenText(step as Element), ' ');
      else if (nodeName === 'img') texts.push(` ${attribute(step as Element, 'alt') ?? ''} `);
      else {
        const apart = BLOCKS.has(nodeName) ? ' ' : '';
        texts.push(apart);
        stack.push(apart, ...[...step.childNodes].reverse());
      }
    }
  }
  return texts.join('');
}

function* nodesOf(root: Node): Generator<Node> {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    if ('childNodes' in node && !NO_TEXT.has(node.nodeName))
      for (let at = node.childNodes.length - 1; at >= 0; at--) stack.push(node.childNodes[at]!);
  }
}

/** The marker of an item. */
interface ItemMarker {
  /** The number that markdown shows; null for a bullet. */
  number: number | null;
  /** A marker that markdown does not have, such as `c\. `; it is part of the text. */
  typed: string;
  /** Whether the number continues the numbers of the items before it. */
  isNext: boolean;
}

export const BULLET: ItemMarker = { number: null, typed: '', isNext: true };

/** Numbers the items of one HTML list as a browser does: `start`, `value`, `reversed`, letters and Roman numbers. */
export class ListNumbers {
  private readonly step: number;
  /** Format of the numbers as in Word; null for bullets. */
  private readonly format: string | null;
  private before: number;
  private isFirst = true;

  /** @param style keyword of `list-style-type`, if a style sheet names one */
  constructor(list: Element, style?: string) {
    const isReversed = attribute(list, 'reversed') !== null;
    const start = integer(attribute(list, 'start')) ?? (isReversed ? itemsOf(list) : 1);
    this.step = isReversed ? -1 : 1;
    this.before = start - this.step;
    this.format = formatOf(list, style);
  }

  next(item: Element): ItemMarker {
    const { format } = this;
    if (format === null) return BULLET;
    const value = integer(attribute(item, 'value')) ?? this.before + this.step;
    const isNext = !this.isFirst && value === this.before + 1;
    this.before = value;
    this.isFirst = false;
    const letters = format === 'decimal' ? null : numberText(value, format);
    // Markdown cannot show negative numbers or numbers of ten digits.
    const typed = letters ?? (value < 0 || value > 999_999_999 ? String(value) : null);
    return typed === null
      ? { number: value, typed: '', isNext }
      : { number: null, typed: `${typed}\\. `, isNext: true };
  }
}

const integer = (text: string | null) =>
  text !== null && /^\s*-?\d+/.test(text) ? Number.parseInt(text, 10) : null;

const itemsOf = (list: Element) => list.childNodes.filter(({ nodeName }) => nodeName === 'li').length;

/** Formats of Word by the values of `type` and the keywords of `list-style-type`; null for bullets. */
const FORMATS: Record<string, string | null> = {
  a: 'alphabetLower',
  A: 'alphabetUpper',
  i: 'lowerRoman',
  I: 'upperRoman',
  'lower-alpha': 'alphabetLower',
  'lower-latin': 'alphabetLower',
  'upper-alpha': 'alphabetUpper',
  'upper-latin': 'alphabetUpper',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
  'decimal-leading-zero': 'decimalZero',
  'lower-greek': 'lowerGreek',
  decimal: 'decimal',
  none: null,
  disc: null,
  circle: null,
  square: null,
};

function formatOf(list: Element, style: string | undefined): string | null {
  const styled = FORMATS[style ?? ''];
  if (styled !== undefined) return styled;
  return list.tagName === 'ul' ? null : (FORMATS[attribute(list, 'type') ?? ''] ?? 'decimal');
}
