import type { Nodes } from 'mdast';

/** Unused label that ends the block of definitions put before a piece. */
const END = '[\u2063end of known definitions\u2063]: #\n\n';
const MAY_DEFINE = /^[ \t>\d.)*+-]*\[[^\]]+\]:/m;
/** Matches `[text][label]` and `[^note]`. */
const REFERENCE = /\]\[([^[\]]*)\]|\[(\^[^[\]]*)\]/g;
const LABEL = /\[((?:\\.|[^[\]\\])+)\]/gs;

/**
 * Index of the link and footnote definitions of a whole document. CommonMark resolves `[label]` against
 * definitions anywhere in the document, so a piece parsed alone needs all definitions that it may reference.
 */
export class DefinitionIndex {
  private readonly known = new Map<string, string>();

  /** Returns whether the text may contain a definition. */
  static mayDefine(text: string): boolean {
    return MAY_DEFINE.test(text);
  }

  /** Stores the definitions in a parsed piece. */
  collect(node: Nodes): void {
    if (node.type === 'definition') this.add(node.label ?? node.identifier);
    else if (node.type === 'footnoteDefinition') this.add(`^${node.label ?? node.identifier}`);
    if ('children' in node) for (const child of node.children) this.collect(child);
  }

  /** Returns whether all references in a text, such as `[text][label]` and `[^note]`, are defined. */
  definesAllOf(text: string): boolean {
    if (!text.includes('][') && !text.includes('[^')) return true;
    return [...text.matchAll(REFERENCE)].every(([, label, note]) =>
      this.known.has(normaliseLabel(label ?? note ?? '')),
    );
  }

  /** Returns definitions, as Markdown, of the known labels that `text` uses; may be empty. */
  prefixFor(text: string): string {
    if (this.known.size === 0 || !text.includes('[')) return '';
    const found = new Set<string>();
    for (const match of text.matchAll(LABEL)) {
      const key = normaliseLabel(match[1] ?? '');
      if (this.known.has(key)) found.add(key);
    }
    if (found.size === 0) return '';
    const lines = [...found].sort((a, b) => Number(b.startsWith('^')) - Number(a.startsWith('^')));
    return `${lines.map((key) => `[${this.known.get(key) ?? ''}]: #\n\n`).join('')}${END}`;
  }

  private add(label: string): void {
    const key = normaliseLabel(label);
    if (!this.known.has(key)) this.known.set(key, label.replace(/\s+/g, ' '));
  }
}

/** Normalizes a label as CommonMark does: collapses white space, folds case. */
function normaliseLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase();
}
