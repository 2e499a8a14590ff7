import type { Item } from '../document-text.js';
import type { Numbering } from '../numbering.js';
import type { Attributes } from '../xml.js';

interface OpenList {
  style: string;
  /** Name of the list in the numbering. */
  list: string;
  /** True if the next paragraph begins an item. */
  isItem: boolean;
}

/** The lists around the current paragraph of an OpenDocument text. */
export class OdfLists {
  private readonly open: OpenList[] = [];
  private count = 0;
  /** The last list of each style, and lists by their IDs. */
  private readonly last = new Map<string, string>();
  private readonly named = new Map<string, string>();

  constructor(private readonly numbering: Numbering) {}

  get isInside(): boolean {
    return this.open.length > 0;
  }

  begin(attributes: Attributes): void {
    const outer = this.open.at(-1);
    const style = attributes['text:style-name'] ?? outer?.style ?? '';
    const list = outer && style === outer.style ? outer.list : this.listOf(style, attributes);
    const id = attributes['xml:id'];
    if (id !== undefined) this.named.set(id, list);
    this.last.set(style, list);
    this.open.push({ style, list, isItem: false });
  }

  end(): void {
    this.open.pop();
  }

  /** Begins an item; the first paragraph in it has its number. */
  beginItem(startValue: string | undefined): void {
    const list = this.open.at(-1);
    if (!list) return;
    list.isItem = true;
    if (startValue !== undefined)
      this.numbering.startAt(list.list, this.open.length - 1, Number(startValue) || 0);
  }

  endItem(): void {
    const list = this.open.at(-1);
    if (list) list.isItem = false;
  }

  /** Returns the item that begins with this paragraph; null outside of lists and in later paragraphs of an item. */
  take(): Item | null {
    const list = this.open.at(-1);
    if (!list?.isItem) return null;
    // An item may begin with an inner list. Then the outer item begins here, too.
    for (const each of this.open) each.isItem = false;
    const level = Math.min(8, this.open.length - 1);
    return { label: this.numbering.next(list.list, level), level };
  }

  private listOf(style: string, attributes: Attributes): string {
    const continued =
      this.named.get(attributes['text:continue-list'] ?? '') ??
      (attributes['text:continue-numbering'] === 'true' ? this.last.get(style) : undefined);
    if (continued !== undefined) return continued;
    const list = `list ${++this.count}`;
    this.numbering.addList(list, style, list);
    return list;
  }
}
