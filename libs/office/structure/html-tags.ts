import { isHiddenElement } from '#markdown/html/elements.js';
import { parseFragment, type DefaultTreeAdapterMap } from 'parse5';
import type { Mark } from '#contracts/structure.js';

export interface Tag {
  name: string;
  closing: boolean;
  selfClosing: boolean;
  attributes: Record<string, string>;
  mark: Mark | null;
  /** Whether the element's text is not part of the document. */
  hides: boolean;
}

const TAG_MARKS: Readonly<Record<string, Mark>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  cite: 'italic',
  dfn: 'italic',
  var: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strike',
  del: 'strike',
  strike: 'strike',
  sub: 'subscript',
  sup: 'superscript',
  mark: 'highlight',
  code: 'code',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
};

export function markOf(name: string): Mark | null {
  return Object.hasOwn(TAG_MARKS, name) ? (TAG_MARKS[name] ?? null) : null;
}

/** Parses an HTML tag within a Markdown paragraph; null for comments and the like. */
export function readTag(html: string): Tag | null {
  const match = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(html);
  if (!match) return null;
  const name = (match[2] ?? '').toLowerCase();
  const closing = match[1] === '/';
  const attributes = closing || html.length === name.length + 2 ? {} : attributesOf(html);
  return {
    name,
    closing,
    selfClosing: html.endsWith('/>'),
    attributes,
    mark: markOf(name),
    hides: isHiddenElement(name),
  };
}

function attributesOf(html: string): Record<string, string> {
  const [node] = parseFragment(html).childNodes;
  return node && 'attrs' in node ? attributeRecord(node) : {};
}

export function attributeRecord(element: DefaultTreeAdapterMap['element']): Record<string, string> {
  return Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
}
