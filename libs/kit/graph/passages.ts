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

const START = '<passages>\n';
const END = '\n</passages>';
const BETWEEN_PASSAGES = /\n\n(?=\[\^\w{1,20}\] from ")/;

/**
 * Returns a prompt with the first half of the passages of each block, for a model whose window is too small;
 * null if no block has more than one.
 */
export function withFewerPassages(prompt: string): string | null {
  const [before = '', ...blocks] = prompt.split(START);
  const shortened = blocks.map((block) => {
    const end = block.indexOf(END);
    if (end < 0) return block;
    const passages = block.slice(0, end).split(BETWEEN_PASSAGES);
    return `${passages.slice(0, Math.ceil(passages.length / 2)).join('\n\n')}${block.slice(end)}`;
  });
  const shorter = [before, ...shortened].join(START);
  return shorter.length < prompt.length ? shorter : null;
}
