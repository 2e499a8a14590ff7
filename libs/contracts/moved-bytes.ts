/** Returns the memory that a message can move instead of copying it: of arrays that own all of theirs. */
export const ownMemory = (arrays: readonly unknown[]): ArrayBuffer[] =>
  arrays
    .filter((array) => array instanceof Uint8Array)
    .filter(({ buffer, byteLength }) => byteLength > 0 && buffer.byteLength === byteLength)
    .map(({ buffer }) => buffer as ArrayBuffer);

/** Decodes UTF-8, and frees the bytes if they own their memory: the text of a large source is in memory once. */
export function takeText(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  for (const memory of ownMemory([bytes])) structuredClone(memory, { transfer: [memory] });
  return text;
}
