/** Text size of code. Lengths are in twentieths of a point. */
export interface CodeSize {
  style: string;
  /** Style of a line that wraps: a thick bar marks all its parts. */
  turnedStyle: string;
  column: number;
  height: number;
}

/** Usual size, with 86 columns on an A4 page, and a smaller one with 104. */
export const CODE_SIZES: readonly [CodeSize, CodeSize] = [
  { style: 'Source Code', turnedStyle: 'Source Code Turned', column: 102, height: 215 },
  { style: 'Source Code Small', turnedStyle: 'Source Code Small Turned', column: 84, height: 180 },
];
/** Space between the margins and the text of code. */
export const CODE_INSET = 113;
/** Columns between tab stops, and indent of wrapped lines: a hanging indent is also a tab stop. */
export const TAB_COLUMNS = 8;

/** Part of a line of code and its formatting. */
export interface CodeToken {
  text: string;
  look: CodeLook | null;
}

/** Colours dark enough for black-and-white print; the most important looks also differ in weight or slant. */
export const CODE_LOOKS = {
  keyword: { color: '1F3864', mark: '<w:b/>' },
  comment: { color: '555555', mark: '<w:i/>' },
  string: { color: '2E5E1E', mark: '' },
  number: { color: '8A3B00', mark: '' },
  name: { color: '5B2C83', mark: '' },
  type: { color: '15565F', mark: '' },
  removed: { color: '9C1C1C', mark: '' },
} as const;
export type CodeLook = keyof typeof CODE_LOOKS;
