/**
 * What cannot be seen in a name, or makes one look like another: control characters (C0, C1), line and paragraph separators,
 * zero-width and filling characters, marks of direction.
 */
export const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/;
