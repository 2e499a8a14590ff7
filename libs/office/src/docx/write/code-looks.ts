/** A stretch of a line of code, and how it is set apart. */
export interface CodeToken {
  text: string;
  look: CodeLook | null;
}

/** Dark enough to be read on a printer without colours; the most telling ones differ in weight or slant, too. */
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
