import { phrase } from '#contracts/phrases/phrase.js';
import { ExtractionError } from '../errors.js';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Character that Unicode reserves for programs. It marks a number until its value is written. */
const MARK = '\ufdd2';
const MARKED = /"?\ufdd2([-+.\deE]+)"?/g;
/** Values that are shown as JSON, in which each digit counts. */
const SHOWN_JSON = '"application/json"';

/**
 * Parses a notebook. Numbers that only Python writes, such as `NaN`, become texts. If outputs are shown as JSON, so do numbers that JavaScript
 * would write with other digits; `withNumbers` restores them.
 *
 * @throws ExtractionError if the text is not JSON
 */
export function parseNotebook(json: string, fileName: string): unknown {
  try {
    if (!json.includes(SHOWN_JSON)) return JSON.parse(json);
  } catch {
    // Python writes numbers such as NaN, which JSON does not allow.
  }
  try {
    return JSON.parse(withQuotedNumbers(json));
  } catch (error) {
    const why = (error as Error).message.slice(0, 200);
    throw new ExtractionError(
      phrase('unreadable.notebook', {
        name: fileName,
        reason: phrase('unreadable.notebook_not_json', { reason: why }),
      }),
    );
  }
}

/** Restores the numbers of a value of the notebook as the file writes them. */
export const withNumbers = (text: string): string =>
  text.includes(MARK) ? text.replace(MARKED, '$1') : text;

/** Puts `NaN`, `Infinity`, `-Infinity` and numbers that would lose digits into quotes, outside of strings. */
function withQuotedNumbers(json: string): string {
  const parts: string[] = [];
  let from = 0;
  const quote = (at: number, word: string, mark: string): void => {
    parts.push(json.slice(from, at), `"${mark}${word}"`);
    from = at + word.length;
  };
  for (let at = 0; at < json.length; at++) {
    const character = json[at]!;
    if (character === '"') at = endOfString(json, at);
    else if ('NI-0123456789'.includes(character)) {
      const constant = ['NaN', 'Infinity', '-Infinity'].find((each) => json.startsWith(each, at));
      const word = constant ?? json.slice(at, endOfNumber(json, at));
      if (constant !== undefined) quote(at, word, '');
      else if (NUMBER.test(word) && String(Number(word)) !== word) quote(at, word, MARK);
      at += word.length - 1;
    }
  }
  return [...parts, json.slice(from)].join('');
}

/** Returns the position of the quotation mark that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && '0123456789.eE+-'.includes(json[at]!)) at++;
  return at;
}
