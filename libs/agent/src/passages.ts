/** Source material of a prompt: each passage under the label by which prose is to cite it, fenced off as data. */
export function passagesBlock(passages: { label: string; source_title: string; text: string }[]): string {
  const shown = passages.map(
    ({ label, source_title, text }) =>
      `[^${label}] from "${withoutFence(source_title)}":\n${withoutFence(text)}`,
  );
  return `<passages>\n${shown.join('\n\n')}\n</passages>`;
}

/** Words of others cannot end the block that they stand in. */
const withoutFence = (text: string): string => text.replace(/<\/?passages>/gi, '');
