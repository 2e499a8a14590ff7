import { isHiddenElement } from '#markdown/html/elements.js';
import { escapeLiteralTags } from '#markdown/html/literal-tags.js';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

/** Returns the texts of an HTML block by line; `first` is the number of its first line. */
export function htmlWords(html: string, first: number): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  const fragment = parseFragment(escapeLiteralTags(html), { sourceCodeLocationInfo: true });
  const stack: Node[] = [...fragment.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#text' && 'value' in node) {
      const at = first + (node.sourceCodeLocation?.startLine ?? 1) - 1;
      node.value.split('\n').forEach((text, index) => found.push({ line: at + index, text }));
      continue;
    }
    if (!('childNodes' in node) || isHiddenElement(node.nodeName)) continue;
    for (let index = node.childNodes.length - 1; index >= 0; index--)
      stack.push(node.childNodes[index] as Node);
  }
  return found;
}
