import type { math } from 'micromark-extension-math';

type Extension = ReturnType<typeof math>;

const DOLLAR = 36;
/** Maximum number of characters between the dollars. */
const MOST = 300;
/** What joins a dollar before or behind it: words, and brackets as in `$(HOME)`. */
const JOINED = /[\p{L}\p{N}$({]/u;
/** A command, raised or lowered letters, an operator or brackets; or a single letter. */
const TEX_FORM = /\\[a-z]|[\^_=<>+(){}/|]|^\p{L}'?$/iu;

/**
 * Extension of the parser: reads text between single dollars as math if it has a form of TeX, so that prices (`$5 and $6`), variables
 * of shells (`$HOME`) and placeholders (`$name$`) remain words.
 */
export function singleDollarMath(): Extension {
  return { text: { [DOLLAR]: { name: 'singleDollarMath', tokenize, previous } } };
}

/** Brackets may precede math. */
const previous = (code: number | null): boolean => code === 40 || code === 123 || !isJoined(code);

type Construct = Extract<NonNullable<NonNullable<Extension['text']>[number]>, { tokenize: unknown }>;

const isJoined = (code: number | null): boolean =>
  code !== null && code > 0 && JOINED.test(String.fromCharCode(code));

const tokenize: Construct['tokenize'] = function (effects, ok, nok) {
  let tex = '';
  return open;

  function open(code: number | null) {
    effects.enter('mathText');
    effects.enter('mathTextSequence');
    effects.consume(code);
    effects.exit('mathTextSequence');
    return first;
  }

  function first(code: number | null) {
    if (code === DOLLAR || code === 32) return nok(code);
    effects.enter('mathTextData');
    return data(code);
  }

  function data(code: number | null) {
    if (code === DOLLAR) return close(code);
    // Negative codes are line ends and tabs.
    if (code === null || code < 0 || tex.length >= MOST) return nok(code);
    tex += String.fromCharCode(code);
    effects.consume(code);
    return data;
  }

  function close(code: number | null) {
    if (/[\s\\]$/.test(tex) || !TEX_FORM.test(tex)) return nok(code);
    effects.exit('mathTextData');
    effects.enter('mathTextSequence');
    effects.consume(code);
    effects.exit('mathTextSequence');
    effects.exit('mathText');
    return end;
  }

  function end(code: number | null) {
    return isJoined(code) ? nok(code) : ok(code);
  }
};
