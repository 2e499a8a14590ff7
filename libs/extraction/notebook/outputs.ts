import type { EmbeddedImages } from '../embedded-images.js';
import { htmlText } from '../html/html.js';
import { fenceLines, imageMarkdown } from '../inline-text.js';
import { leftOutMark } from '../left-out.js';
import { isShown, shownWords } from '../same-words.js';
import type { Output } from './cells.js';
import { terminalText } from './terminal-text.js';

const FENCED = (text: string, info: string) => fenceLines(text, info).join('\n');
/** Representations of an output that are shown as text, in the order in which Jupyter prefers them. */
const RICH: Record<string, (text: string, images: EmbeddedImages) => string> = {
  'text/html': (text, images) => htmlText(text, images),
  'text/markdown': (text) => text,
  'text/latex': latexMarkdown,
};
/** Python's name for an object with a picture or data, such as `<Figure size 640x480 with 1 Axes>`. */
const OBJECT_NAME = /^<[\w.]{1,100} [^<>\n]{1,200}>$/;
/** Number of characters by which a representation is named if it is not shown. */
const NAMED_LENGTH = 300;

/**
 * Returns an output of a cell as blocks of Markdown: the representation that Jupyter shows, and its picture.
 * Comments name words that only other representations contain.
 */
export function outputBlocks(output: Output, images: EmbeddedImages): string[] {
  if (output.kind !== 'data') return textBlocks(output.text);
  const forms = new Map(output.data);
  const blocks: string[] = [];
  for (const [type, toMarkdown] of Object.entries(RICH)) {
    if (blocks.length > 0) break;
    const shown = toMarkdown(forms.get(type) ?? '', images).trim();
    if (shown === '') continue;
    blocks.push(shown);
    forms.delete(type);
  }
  const picture = takePicture(forms, images);
  const isRich = blocks.length > 0;
  const plain = forms.get('text/plain') ?? '';
  const json = forms.get('application/json') ?? '';
  const isOnlyName = OBJECT_NAME.test(plain.trim()) && (picture.length > 0 || json.trim() !== '');
  const isPlainShown = !isRich && !isOnlyName;
  if (isPlainShown && terminalText(plain).trim() !== '') {
    blocks.push(...textBlocks(plain));
    forms.delete('text/plain');
  }
  if (!isRich && blocks.length + picture.length === 0) {
    if (json.trim() !== '') blocks.push(FENCED(json, 'json'));
    forms.delete('application/json');
  }
  return [...blocks, ...picture, ...leftOutMarks(forms, blocks)];
}

function textBlocks(text: string): string[] {
  const shown = terminalText(text).replace(/\n$/, '');
  return shown.trim() === '' ? [] : [FENCED(shown, 'text')];
}

/** Takes the picture of an output, such as a plot: the first media type that is an image. */
function takePicture(forms: Map<string, string>, images: EmbeddedImages): string[] {
  const pictures = [...forms].filter(([type]) => type.startsWith('image/'));
  for (const [type] of pictures) forms.delete(type);
  for (const [type, content] of pictures) {
    const base64 = type === 'image/svg+xml' ? Buffer.from(content).toString('base64') : content;
    const name = images.addBase64(type, base64);
    if (name !== null) return [imageMarkdown(name, '')];
  }
  return pictures.map(([type]) => leftOutMark('picture of an output', type));
}

/** Returns comments about representations with words that the shown one does not contain. */
function leftOutMarks(forms: Map<string, string>, blocks: readonly string[]): string[] {
  const shown = shownWords(blocks.join('\n'), '');
  return [...forms].flatMap(([type, text]) => {
    const lines = terminalText(text)
      .split('\n')
      .filter((line) => shown === null || !isShown(line, shown));
    const words = lines.join(' ').slice(0, NAMED_LENGTH);
    return lines.length === 0 ? [] : [leftOutMark(`${type} form of an output`, words)];
  });
}

/** Returns TeX as Markdown. Adds dollar signs to mathematical environments without delimiters. */
function latexMarkdown(tex: string): string {
  const text = tex.trim();
  if (/^\\begin\{(?:tabular|table|longtable|itemize|enumerate|description|figure)/.test(text))
    return FENCED(text, 'latex');
  if (/^\\[[(][^]*\\[\])]$/.test(text)) return `$$\n${text.slice(2, -2).trim()}\n$$`;
  if (/^\$\$[^]+\$\$$/.test(text)) return `$$\n${text.slice(2, -2).trim()}\n$$`;
  return text === '' || text.includes('$') ? text : `$$\n${text}\n$$`;
}
