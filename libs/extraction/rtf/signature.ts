/** Bytes at the start of a file among which RTF may begin: after a byte order mark or blanks. */
const HEAD = 20;
const START = /^(?:\u00ef\u00bb\u00bf)?\s{0,10}(?=\{\\rtf)/;

/** Returns where RTF begins in a file, independent of its name; -1 for any other file. */
export function rtfStart(bytes: Uint8Array): number {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD));
  return START.exec(head)?.[0].length ?? -1;
}

/** Returns whether a file is RTF, independent of its name. */
export const isRtf = (bytes: Uint8Array): boolean => rtfStart(bytes) >= 0;
