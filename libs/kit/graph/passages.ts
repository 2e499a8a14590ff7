import { escapeTags } from './tagged.js';

interface ShownPassage {
  label: string;
  source_title: string;
  author?: string | null;
  text: string;
}

/** Formats passages for a prompt as tagged data: each under the label that the prose cites it by. */
export function passagesBlock(passages: ShownPassage[]): string {
  const shown = passages.map(({ label, source_title, author, text }) => {
    const by = author ? ` author="${attribute(author)}"` : '';
    return `<passage id="${label}" source="${attribute(source_title)}"${by}>\n${escapeTags(text)}\n</passage>`;
  });
  return `<passages>\n${shown.join('\n')}\n</passages>`;
}

const attribute = (text: string): string =>
  escapeTags(text.replace(/\s+/g, ' ')).replaceAll('"', "'").replaceAll('>', '');
