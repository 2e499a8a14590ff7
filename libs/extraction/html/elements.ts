import { blockElements } from '#markdown/html/elements.js';
import { splitAtSpaces } from '#contracts/text.js';
import type { DefaultTreeAdapterTypes } from 'parse5';

export type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;

/** Elements that a reader of the page does not see. */
export const SKIPPED = new Set('script style head template noscript noframes option rp datalist'.split(' '));
export const BLOCKS = blockElements('caption legend listing xmp plaintext');
/** Nodes of a table that are searched for signs of a layout table. */
const MAX_SEARCHED = 2_000;
const LAYOUT_SIGNS = new Set(['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ol', 'pre', 'hr', 'blockquote']);

export function attribute(element: Element, name: string): string | null {
  return element.attrs.find((attr) => attr.name === name)?.value ?? null;
}

export const hasClass = (element: Element, name: string): boolean =>
  splitAtSpaces(attribute(element, 'class') ?? '').includes(name);

export function textOf(root: Node): string {
  let text = '';
  for (const node of nodesOf(root))
    if (node.nodeName === '#text') text += (node as DefaultTreeAdapterTypes.TextNode).value;
  return text;
}

/**
 * Returns whether a table only arranges the page: it contains headings, numbered lists or tables, or lists although none of its cells is a
 * heading, or has such a role.
 */
export function isLayoutTable(table: Element): boolean {
  if (['presentation', 'none'].includes(attribute(table, 'role') ?? '')) return true;
  const names = new Set<string>();
  let searched = 0;
  for (const node of nodesOf(table)) {
    if (node !== table && LAYOUT_SIGNS.has(node.nodeName)) return true;
    names.add(node.nodeName);
    if (++searched > MAX_SEARCHED) break;
  }
  return names.has('ul') && !names.has('th');
}

/** Returns the text of a form field: the value, `☒` or `☐`, or the label of a button. Empty for hidden fields. */
export function fieldText(input: Element): string {
  const type = (attribute(input, 'type') ?? 'text').toLowerCase();
  if (type === 'checkbox' || type === 'radio') return attribute(input, 'checked') === null ? '☐' : '☒';
  return ['hidden', 'password', 'file', 'image', 'color', 'range'].includes(type)
    ? ''
    : (attribute(input, 'value') ?? '');
}

/** Returns the chosen entries of a selection; the first one if none is chosen, as a browser shows it. */
export function chosenOptions(select: Element): Element[] {
  const options = [...nodesOf(select)].filter((node): node is Element => node.nodeName === 'option');
  const chosen = options.filter((option) => attribute(option, 'selected') !== null);
  return chosen.length > 0 || attribute(select, 'multiple') !== null ? chosen : options.slice(0, 1);
}

export const chosenText = (select: Element): string => chosenOptions(select).map(optionText).join(', ');

/** Returns the text of an entry: its label, else its content. */
export const optionText = (option: Element): string => (attribute(option, 'label') || textOf(option)).trim();

/** Returns the texts of the style sheets in a page. */
export const styleSheets = (page: Node): string[] =>
  [...nodesOf(page)].filter(({ nodeName }) => nodeName === 'style').map(textOf);

export function* nodesOf(root: Node): Generator<Node> {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    if ('childNodes' in node)
      for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
  }
}
