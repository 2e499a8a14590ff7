import { baseName, foldersAbove } from '#contracts/source-name.js';

/** The date of a file name, such as `2024-03-12-notes.txt`. */
export const FILE_DATE =
  /(?<![\p{L}\d])(?:19|20)\d{2}([-_.]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?![\p{L}\d])/u;

const MAX_WORDS = 40;

/** Returns the words and numbers of a text, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Names that a document may mention, compared word for word; punctuation does not count. */
export class Names {
  private readonly names = new Set<string>();
  private longest = 0;

  add(name: string): void {
    this.addWords(wordsOf(name));
  }

  /** Adds the path of a file, its parts, and the titles that are made of it. */
  addFile(path: string): void {
    for (const name of [path, ...foldersAbove(path), ...path.split('/')]) this.add(name);
    const base = baseName(path);
    const stem = base.replace(/\.[^.]*$/, '');
    const date = FILE_DATE.exec(stem)?.[0] ?? '';
    for (const title of [stem, stem.replace(FILE_DATE, ' '), date]) {
      this.add(title);
      // A leading number orders files and is not part of their title.
      this.add(title.replace(/^\s*\d{1,3}(?=[^\p{L}\p{N}])/u, ''));
    }
  }

  /** Returns the number of words of the longest name that starts at a word; 0 if none does. */
  lengthAt(words: readonly string[], at: number): number {
    for (let length = Math.min(this.longest, words.length - at); length > 0; length--)
      if (this.names.has(words.slice(at, at + length).join(' '))) return length;
    return 0;
  }

  private addWords(words: string[]): void {
    if (words.length === 0 || words.length > MAX_WORDS) return;
    this.names.add(words.join(' '));
    this.longest = Math.max(this.longest, words.length);
  }
}
