/**
 * Characters that are invisible in a name, or make it look like another one: control characters (C0, C1),
 * line and paragraph separators, zero-width and filler characters, direction marks.
 */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/;

/** Joiners within emoji: after a picture, its variant or its skin colour, before a picture. */
const JOINED_PICTURES =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0e\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu;
/**
 * Joiners and variation selectors that belong to the spelling, such as the zero-width non-joiner of Persian: after a
 * letter or mark. In scripts whose letters do not join they would only disguise a name.
 */
const SPELLING =
  /(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\u200c\u200d\u180b-\u180f](?![\u200c\u200d])/gu;

/**
 * Returns whether a name contains characters that are invisible, or make it look like another one. Joiners that
 * are ordinary spelling, or that join emoji, do not count.
 */
export const hasInvisible = (name: string): boolean =>
  INVISIBLE.test(name.replace(JOINED_PICTURES, '').replace(SPELLING, ''));

/**
 * Characters that make a text in a terminal or log look like another one: direction marks, C1 controls, line
 * separators.
 */
const DISGUISING = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;
/** The same characters, and control characters that move a cursor, except line feeds and tabs. */
const MOVING = /[^\P{Cc}\n\t]|[\u2028\u2029\p{Bidi_Control}]/gu;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes disguising characters, such as `\u202e`, so that JSON keeps its meaning. */
export const escapeDisguises = (text: string): string => text.replace(DISGUISING, escaped);

/** Escapes characters that disguise a text or move a cursor. */
export const escapeControls = (text: string): string => text.replace(MOVING, escaped);
