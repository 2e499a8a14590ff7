const START = '{\\rtf';

/** Returns whether a file is RTF, independent of its name. */
export const isRtf = (bytes: Uint8Array): boolean =>
  [...START].every((character, at) => bytes[at] === character.charCodeAt(0));
