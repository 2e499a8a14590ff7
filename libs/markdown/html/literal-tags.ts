import { isElement, needsEndTag } from './elements.js';

/** Parsed tag. The name is in lower case; `bare` is true if the tag contains only its name. */
interface WrittenTag {
  name: string;
  closing: boolean;
  bare: boolean;
}

const TAG = /^<(\/?)([A-Za-z][^\s/>]*)([^]*)$/;

/** Parses one tag; returns null for comments, declarations and processing instructions. */
export function readWrittenTag(html: string): WrittenTag | null {
  const [, slash, name = '', rest = ''] = TAG.exec(html) ?? [];
  return name === ''
    ? null
    : { name: name.toLowerCase(), closing: slash === '/', bare: /^\s*>?/.exec(rest)?.[0] === rest };
}

/**
 * Returns for each tag of a block, in order, whether it is text and not markup: the element is unknown in HTML
 * (`<your-token>`), or it is a bare opening tag without an end tag (`Promise<Object>`). Such tags are shown
 * as written.
 */
export function literalTags(tags: readonly WrittenTag[]): boolean[] {
  const literal = tags.map(({ name }) => !isElement(name));
  const open = new Map<string, number[]>();
  tags.forEach(({ name, closing }, index) => {
    if (literal[index]) return;
    const unclosed = open.get(name) ?? [];
    if (closing) unclosed.pop();
    else unclosed.push(index);
    open.set(name, unclosed);
  });
  for (const [name, unclosed] of open)
    for (const index of unclosed) if (needsEndTag(name) && tags[index]?.bare) literal[index] = true;
  return literal;
}

/** Matches complete comments, and tags and declarations up to the end of the name. */
const TAG_START = /<!--[^]*?(?:-->|$)|<(\/?)([A-Za-z][^\s/>]*)(\s*>)?|<[?!]/g;

/**
 * Escapes everything in an HTML block that is not markup, so that an HTML parser reads it as text. Comments
 * are unchanged.
 */
export function escapeLiteralTags(html: string): string {
  const found = [...html.matchAll(TAG_START)];
  const tags = found.filter(([, , name]) => name !== undefined);
  const literal = literalTags(
    tags.map(([, slash, name = '', end]) => ({
      name: name.toLowerCase(),
      closing: slash === '/',
      bare: end !== undefined,
    })),
  );
  const isLiteral = new Map(tags.map((tag, index) => [tag.index, literal[index]]));
  return html.replace(TAG_START, (start, ...rest) => {
    const at = rest.at(-2) as number;
    const isWords = isLiteral.get(at) ?? isInstruction(html, at);
    return isWords ? `&lt;${start.slice(1)}` : start;
  });
}

/**
 * Matches `<?…?>`, `<![CDATA[…` and declarations other than the doctype: HTML parsers drop them as comments.
 */
function isInstruction(html: string, at: number): boolean {
  return /^<(?:\?|!(?!--|doctype))/i.test(html.slice(at, at + 9));
}

/**
 * Returns whether inline HTML that is not a tag must be shown: everything except comments and the doctype.
 */
export function isLiteralDeclaration(html: string): boolean {
  return isInstruction(html, 0);
}
