import { singleSpaced } from '#contracts/text.js';
import { escapeTags } from './tagged.js';

interface ShownPassage {
  label: string;
  source_title: string;
  author?: string | null;
  /** Date of publication; absent or null if it is unknown. */
  date?: string | null;
  text: string;
}

/** Formats passages for a prompt as tagged data: each under the label that the prose cites it by. */
export function passagesBlock(passages: ShownPassage[]): string {
  const shown = passages.map(({ label, source_title, author, date, text }) => {
    const by = (author ? ` author="${attribute(author)}"` : '') + (date ? ` date="${attribute(date)}"` : '');
    return `<passage id="${label}" source="${attribute(source_title)}"${by}>\n${escapeTags(text)}\n</passage>`;
  });
  return `<passages>\n${shown.join('\n')}\n</passages>`;
}

/** Returns the passages with one of the labels, in their order; all of them if none has. */
export function passagesWith<T extends { label: string }>(passages: T[], labels: Iterable<string>): T[] {
  const wanted = new Set(labels);
  const found = passages.filter(({ label }) => wanted.has(label));
  return found.length > 0 ? found : passages;
}

const GLANCE = 200;

/** Returns passages with the first characters of their texts, for a task that needs only their subjects. */
export const atAGlance = <T extends { text: string }>(passages: T[]): T[] =>
  passages.map((passage) => {
    const { text } = passage;
    return text.length > GLANCE ? { ...passage, text: `${text.slice(0, GLANCE).toWellFormed()} …` } : passage;
  });

const attribute = (text: string): string =>
  escapeTags(singleSpaced(text)).replaceAll('"', "'").replaceAll('>', '');

const START = '<passages>\n';
const END = '\n</passages>';
const BETWEEN_PASSAGES = /(?<=<\/passage>)\n(?=<passage id=")/;

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
    return `${passages.slice(0, Math.ceil(passages.length / 2)).join('\n')}${block.slice(end)}`;
  });
  const shorter = [before, ...shortened].join(START);
  return shorter.length < prompt.length ? shorter : null;
}
