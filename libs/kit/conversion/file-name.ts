/** Derives a file name from a title in any script. */
export function fileNameFor(title: string): string {
  const name = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return name.slice(0, 80) || 'document';
}
