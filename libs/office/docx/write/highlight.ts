import { refractor } from 'refractor';
import type { CodeLook, CodeToken } from './code-looks.js';

const LOOKS: Readonly<Record<string, CodeLook>> = {
  keyword: 'keyword',
  tag: 'keyword',
  rule: 'keyword',
  atrule: 'keyword',
  comment: 'comment',
  prolog: 'comment',
  doctype: 'comment',
  cdata: 'comment',
  string: 'string',
  char: 'string',
  regex: 'string',
  'attr-value': 'string',
  'template-string': 'string',
  inserted: 'string',
  number: 'number',
  boolean: 'number',
  constant: 'number',
  symbol: 'number',
  function: 'name',
  property: 'name',
  key: 'name',
  'attr-name': 'name',
  selector: 'name',
  'class-name': 'type',
  builtin: 'type',
  deleted: 'removed',
};

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
  return names.map((name) => LOOKS[name]).find((look) => look !== undefined) ?? null;
}
