import type { Detail } from '#contracts/phrases/detail.js';
import { isPhraseCode, type Phrase } from '#contracts/phrases/phrase.js';
import type { Translate } from '#contracts/phrases/translator.js';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&#38;',
  '<': '&#60;',
  '>': '&#62;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPED[char] as string);
}

const START = '<!--';
const END = '-->';
const PLACE = /<!--([a-z_.]+|\{[^<>]*\})-->/g;

/** Returns a place for a phrase in a stored page. `withTexts` renders it in the language of the reader. */
export function textPlace({ code, params }: Phrase): string {
  const isPlain = Object.keys(params).length === 0;
  return `${START}${isPlain ? code : JSON.stringify({ code, params }).replace(/[<>]/g, unicodeEscape)}${END}`;
}

const unicodeEscape = (char: string) => (char === '<' ? '\\u003c' : '\\u003e');

/** Like `textPlace`; a text without a phrase is inserted as it is, escaped. */
export const detailPlace = (detail: Detail): string =>
  typeof detail === 'string' ? escapeHtml(detail) : textPlace(detail);

/** Renders the phrases of a part of a page, escaped; their places in it must be complete. */
export function withTexts(html: string, translate: Translate): string {
  return html.replace(PLACE, (all, text: string) => {
    const given = text.startsWith('{') ? (JSON.parse(text) as Phrase) : { code: text, params: {} };
    return isPhraseCode(given.code) ? escapeHtml(translate(given)) : all;
  });
}

/** Renders the phrases of a page while it is read. */
export const translatedPage = (page: AsyncIterable<Buffer>, translate: Translate): Readable =>
  Readable.from(translatedParts(page, translate));

async function* translatedParts(page: AsyncIterable<Buffer>, translate: Translate): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of page) {
    rest += decoder.write(chunk);
    const end = completeLength(rest);
    yield withTexts(rest.slice(0, end), translate);
    rest = rest.slice(end);
  }
  yield withTexts(rest + decoder.end(), translate);
}

/** Returns the length of the text before a place of which the end is missing. */
function completeLength(text: string): number {
  const start = text.lastIndexOf(START);
  if (start >= 0 && !text.includes(END, start)) return start;
  const bracket = text.lastIndexOf('<');
  return bracket >= 0 && START.startsWith(text.slice(bracket)) ? bracket : text.length;
}
