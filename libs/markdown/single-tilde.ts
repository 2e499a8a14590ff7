import { hasSpace } from '#contracts/text.js';
import type { Delete, Html, Nodes } from 'mdast';
import type { Extension } from 'mdast-util-from-markdown';

/**
 * Reads `H~2~O`, as Pandoc and other processors write lowered letters, as if it were written with tags. GitHub would strike
 * the letters out, so that the text would say something else. Other text between single tildes is struck out.
 */
export const singleTildeSubscript: Extension = { transforms: [lower] };

function lower(node: Nodes): undefined {
  if (!('children' in node)) return;
  const children = node.children as Nodes[];
  for (let at = 0; at < children.length; at++) {
    const child = children[at]!;
    lower(child);
    if (child.type === 'delete' && isLowered(child, children[at - 1]))
      children.splice(at, 1, tag('<sub>', child, 'start'), ...child.children, tag('</sub>', child, 'end'));
  }
}

function isLowered({ children, position }: Delete, before: Nodes | undefined): boolean {
  const isSingle = children[0]?.position?.start.offset === (position?.start.offset ?? 0) + 1;
  const follows = before?.type === 'text' && /[\p{L}\p{N})]$/u.test(before.value);
  return isSingle && follows && children.every((child) => child.type === 'text' && !hasSpace(child.value));
}

/** Returns a tag at the place of a tilde. */
function tag(value: string, { position }: Delete, side: 'start' | 'end'): Html {
  if (!position) return { type: 'html', value };
  const point = position[side];
  const by = side === 'start' ? 1 : -1;
  const inner = { ...point, column: point.column + by, offset: point.offset! + by };
  const [start, end] = side === 'start' ? [point, inner] : [inner, point];
  return { type: 'html', value, position: { start, end } };
}
