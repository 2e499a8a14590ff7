import { isElement, needsEndTag } from './elements.js';

/** A tag as it is written; the name is in lower case, and `bare` tells that nothing else is in the tag. */
export interface WrittenTag {
  name: string;
  closing: boolean;
  bare: boolean;
}

const TAG = /^<(\/?)([A-Za-z][^\s/>]*)([^]*)$/;

/** Reads one tag; null for comments, declarations and instructions. */
export function readWrittenTag(html: string): WrittenTag | null {
  const [, slash, name = '', rest = ''] = TAG.exec(html) ?? [];
  return name === ''
    ? null
    : { name: name.toLowerCase(), closing: slash === '/', bare: /^\s*>?/.exec(rest)?.[0] === rest };
}

/**
 * Tells for each tag of a block, in order, whether it is no markup but words: HTML has no such element (`<your-token>`), or it is a bare
 * opening tag that nothing closes (`Promise<Object>`). Such tags are shown as they are written.
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

/** Tags, comments and the like, as far as their names; comments as a whole. */
const TAG_START = /<!--[^]*?(?:-->|$)|<(\/?)([A-Za-z][^\s/>]*)(\s*>)?|<[?!]/g;

/** A block of HTML in which everything that is no markup is written as words, ready for a parser of HTML. Comments stay. */
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

/** `<?…?>`, `<![CDATA[…` and declarations but for the document's type: a parser of HTML drops them as comments. */
function isInstruction(html: string, at: number): boolean {
  return /^<(?:\?|!(?!--|doctype))/i.test(html.slice(at, at + 9));
}

/** Whether an inline piece of HTML that is no tag has to be shown: everything but comments and the document's type. */
export function isLiteralDeclaration(html: string): boolean {
  return isInstruction(html, 0);
}
