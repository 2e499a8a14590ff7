/**
 * Formats passages for a prompt: each under the label that the prose cites it by, marked as data by a tag.
 */
export function passagesBlock(passages: { label: string; source_title: string; text: string }[]): string {
  const shown = passages.map(
    ({ label, source_title, text }) =>
      `[^${label}] from "${withoutFence(source_title)}":\n${withoutFence(text)}`,
  );
  return `<passages>\n${shown.join('\n\n')}\n</passages>`;
}

/** Prevents a passage from closing the block that contains it. */
const withoutFence = (text: string): string => text.replace(/<\/?passages>/gi, '');
