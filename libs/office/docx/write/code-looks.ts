import { refractor } from 'refractor';

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

/** Token types of the highlighter with each look. */
const TYPES: Record<CodeLook, string> = {
  keyword: 'keyword tag rule atrule',
  comment: 'comment prolog doctype cdata',
  string: 'string char regex attr-value template-string inserted',
  number: 'number boolean constant symbol',
  name: 'function property key attr-name selector',
  type: 'class-name builtin',
  removed: 'deleted',
};
const LOOKS = new Map(
  Object.entries(TYPES).flatMap(([look, types]) =>
    types.split(' ').map((type) => [type, look as CodeLook] as const),
  ),
);

/** Maximum length in characters of highlighted blocks; longer ones are data or logs. */
const MAX_HIGHLIGHTED_LENGTH = 200_000;

type Nodes = ReturnType<typeof refractor.highlight>['children'];

/**
 * Splits the lines of a code block into tokens. Each token has one look, and the tokens of a line joined equal the
 * line. Returns null for an unknown language or a block that is too long.
 */
export function highlight(text: string, language: string | null): CodeToken[][] | null {
  if (language === null || text.length > MAX_HIGHLIGHTED_LENGTH || !refractor.registered(language))
    return null;
  const lines: CodeToken[][] = [[]];
  collect(refractor.highlight(text, language).children, null, lines);
  const whole = lines.map((tokens) => tokens.map((token) => token.text).join('')).join('\n');
  return whole === text ? lines : null;
}

function collect(nodes: Nodes, look: CodeLook | null, lines: CodeToken[][]): void {
  for (const node of nodes) {
    if (node.type === 'element') collect(node.children, lookOf(node.properties.className) ?? look, lines);
    if (node.type !== 'text') continue;
    node.value.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, look });
    });
  }
}

/** The parser lists a token's type first, then its aliases. */
function lookOf(classes: unknown): CodeLook | null {
  const names = Array.isArray(classes) ? classes.map(String) : [];
  return names.map((name) => LOOKS.get(name)).find((look) => look !== undefined) ?? null;
}
