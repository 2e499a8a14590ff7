/** Returns the contents of a Markdown text's code blocks, in order (CommonMark delimiters at the start of a line). */
export function fencedBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let fence: string | null = null;
  let lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const marker = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && marker) {
      fence = marker;
      lines = [];
    } else if (
      fence !== null &&
      marker &&
      marker[0] === fence[0] &&
      marker.length >= fence.length &&
      line.trim() === marker
    ) {
      blocks.push(lines.join('\n'));
      fence = null;
    } else if (fence !== null) {
      lines.push(line);
    }
  }
  return blocks;
}
