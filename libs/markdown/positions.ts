import type { Nodes } from 'mdast';

/** Shifts the positions of a tree by lines and characters; columns are unchanged. */
export function shift(node: Nodes, lines: number, offset: number): void {
  if (node.position) {
    const { start, end } = node.position;
    node.position = {
      start: { line: start.line + lines, column: start.column, offset: (start.offset ?? 0) + offset },
      end: { line: end.line + lines, column: end.column, offset: (end.offset ?? 0) + offset },
    };
  }
  if ('children' in node) for (const child of node.children) shift(child, lines, offset);
}
