import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { attribute, type Element, type Node, nodesOf, textOf } from './elements.js';

type Template = DefaultTreeAdapterTypes.Template;

/** Elements that may have a shadow tree, besides those that programs define, which have a hyphen in their names. */
const HOSTS = new Set(
  'article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/**
 * Parses a page as browsers show it: elements with a declared shadow tree contain that tree, and its slots what the page puts into
 * them. Default texts of filled slots, and nodes without a slot, are in the `template`, which is then like any other.
 */
export function parsePage(html: string): DefaultTreeAdapterTypes.Document {
  const page = parse(html);
  for (const node of nodesOf(page)) if ('tagName' in node) showShadowTree(node);
  return page;
}

function showShadowTree(host: Element): void {
  const canHave = HOSTS.has(host.tagName) || host.tagName.includes('-');
  const template = canHave ? host.childNodes.find(isShadowTree) : undefined;
  if (!template) return;
  const { content } = template;
  const given = new Map<string, typeof host.childNodes>();
  for (const node of host.childNodes) {
    const name = 'tagName' in node ? (attribute(node, 'slot') ?? '') : '';
    if (node === template) continue;
    if (!given.get(name)?.push(node)) given.set(name, [node]);
  }
  const unshown: (typeof host.childNodes)[] = [];
  for (const node of [...nodesOf(content)]) {
    if (node.nodeName === 'style') (node as Element).childNodes = [];
    const name = node.nodeName === 'slot' ? (attribute(node as Element, 'name') ?? '') : null;
    const nodes = name === null ? [] : (given.get(name) ?? []);
    if (nodes.every(isBlank)) continue;
    unshown.push((node as Element).childNodes);
    (node as Element).childNodes = nodes;
    given.delete(name!);
  }
  host.childNodes = [...content.childNodes, template];
  template.attrs = [];
  content.childNodes = [...unshown, ...given.values()].flat();
}

const isShadowTree = (node: Node): node is Template =>
  node.nodeName === 'template' && attribute(node as Element, 'shadowrootmode') !== null;

const isBlank = (node: Node): boolean => !('tagName' in node) && textOf(node).trim() === '';
