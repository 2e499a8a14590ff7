/** Protocols of addresses on the web. */
export const WEB_PROTOCOL = /^https?$/;

/** Returns a text in which each run of white space is one space. */
export const singleSpaced = (text: string): string => text.replace(/\s+/g, ' ');

/** Returns a text in one line, with single spaces and none at its ends. */
export const oneLine = (text: string): string => singleSpaced(text).trim();

/** Returns the parts of a text between runs of white space; empty ones at its ends. */
export const splitAtSpaces = (text: string): string[] => text.split(/\s+/);

/** Returns a text whose lines end in line feeds instead of the line ends of any system. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Returns the lines of a text with the line ends of any system. */
export const splitAtLineEnds = (text: string): string[] => text.split(/\r\n?|\n/);

/** Returns a text without a byte order mark at its start. */
export const withoutByteOrderMark = (text: string): string => withoutPrefix(text, '\uFEFF');

/** Returns a text without a prefix, if it starts with it. */
export const withoutPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text;

/** Returns a text without an ending, if it ends in it. */
export const withoutEnding = (text: string, ending: string): string =>
  text.endsWith(ending) ? text.slice(0, -ending.length) : text;

/** Returns an address without its query and fragment. */
export const withoutQuery = (address: string): string => address.split(/[?#]/, 1)[0]!;

/** Returns the ending of a file name in lower case, without the dot; empty if it has none. */
export const fileEnding = (name: string): string => /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

export const hasSpace = (text: string): boolean => /\s/.test(text);

export const hasDigit = (text: string): boolean => /\d/.test(text);

/** Returns whether a text contains letters or digits. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Returns whether a text starts with a capital letter. */
export const isCapitalized = (text: string): boolean => /^\p{Lu}/u.test(text);

/** Returns whether a text starts with a small letter. */
export const startsSmall = (text: string): boolean => /^\p{Ll}/u.test(text);

/** Returns a text with a capital as its first letter. */
export const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns whether a text is empty or ends with a blank line. */
export const endsBlank = (text: string): boolean => text === '' || text === '\n' || text.endsWith('\n\n');

/** Returns whether a text is a row of digits. */
export const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** Returns the words and numbers of a text. */
export const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns a text in one line of well-formed characters, none of which controls a device. */
export const visibleLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** Returns the first characters of a text, at most `length` code units, without half a surrogate pair at the end. */
export const cutAt = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

export const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');

/** Returns a line, or several, without the last line end. */
export const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** Returns a Markdown heading without its marks. */
export const withoutHeadingMark = (line: string): string => line.replace(/^ {0,3}#{1,6}[ \t]+/, '');

/** Returns a text with spaces for all characters but line feeds, so that offsets and lines stay. */
export const blanked = (text: string): string => text.replace(/[^\n]/g, ' ');

export const isHtmlFile = (name: string): boolean => /\.x?html?$/i.test(name);

/** Returns the pairs of a list such as `colour:color grey:gray`. */
export const pairsOf = (words: string): [string, string][] =>
  words.split(' ').map((pair) => pair.split(':') as [string, string]);

/** Returns an address without the slashes at its end. */
export function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** Returns whether a word starts with a capital letter before a small one. */
export const startsLikeName = (word: string): boolean => /^\p{Lu}\p{Ll}/u.test(word);

/** Returns a word without the ending `'s`. */
export const withoutPossessive = (word: string): string => word.replace(/['’]s$/, '');

/** Returns a text with the given line ends. */
export const withLineEnds = (text: string, lineEnd: string): string => text.replace(/\r?\n/g, lineEnd);

/** Returns a text with straight quotation marks and apostrophes. */
export const withPlainQuotes = (text: string): string => text.replace(/[’‘]/g, "'").replace(/[“”„»«]/g, '"');
