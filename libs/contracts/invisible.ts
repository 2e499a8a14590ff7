/**
 * Characters that are invisible in a name, or make it look like another one: control characters (C0, C1),
 * line and paragraph separators, zero-width and filler characters, direction marks.
 */
export const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/;

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
