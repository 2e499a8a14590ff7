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
