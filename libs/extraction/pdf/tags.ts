/** Node of the structure tree of a page, as pdf.js gives it. */
export interface StructureNode {
  role?: string;
  children?: readonly (StructureNode | StructureContent)[];
}

interface StructureContent {
  type: string;
  id?: string;
}

/** Text with its own tag, such as a paragraph. */
export interface Tag {
  /** `more` is a further paragraph of a list item. */
  what: 'text' | 'heading' | 'item' | 'more' | 'cell';
  /** Level of a heading, from 1, or of a list item, from 0. */
  level: number;
  /** Place of a cell on the page; columns of one row count from 0. */
  cell?: { table: number; row: number; column: number };
  /** Numbers of the marked texts of the page that belong to it. */
  marks: number[];
}

/** List item that is being read. */
interface OpenItem {
  level: number;
  /** Null before its first text. */
  tag: Tag | null;
  hasText: boolean;
}

interface Place {
  tag: Tag | null;
  item: OpenItem | null;
  lists: number;
}

const HEADING = /^H([1-6])?$/;
/** Roles of texts; other roles group them or are parts of one. */
const TEXT = /^(?:P|Caption|TOCI|Title|BlockQuote)$/;
/** Roles of texts that may also be part of another one. */
const INLINE = /^(?:Code|Note|FENote|BibEntry|Formula|Figure|Form)$/;
const DEEPEST_LIST = 8;
/** Deeper trees are hostile. */
const DEEPEST = 100;

/** Returns the tags of a page in reading order. @param root structure tree of the page; null for a page without one */
export function tagsOf(root: StructureNode | null): Tag[] {
  const reader = new TagReader();
  if (root) reader.read(root, { tag: null, item: null, lists: 0 }, 0);
  return reader.tags.filter(({ marks }) => marks.length > 0);
}

class TagReader {
  readonly tags: Tag[] = [];
  private table = 0;
  private row = 0;
  private column = 0;

  read({ role = '', children = [] }: StructureNode, outer: Place, depth: number): void {
    if (depth > DEEPEST) return;
    const place = this.enter(role, outer);
    for (const child of children) {
      if (!('type' in child)) this.read(child, place, depth + 1);
      else if (child.type === 'content') {
        const mark = /_mc(\d+)$/.exec(child.id ?? '')?.[1];
        if (mark !== undefined) this.add(Number(mark), place);
      }
    }
  }

  private enter(role: string, place: Place): Place {
    const { tag, item, lists } = place;
    if (role === 'Table') this.table++;
    if (role === 'TR') [this.row, this.column] = [this.row + 1, 0];
    if (tag?.what === 'cell') return place;
    if (role === 'TD' || role === 'TH') {
      const cell = { table: this.table, row: this.row, column: this.column++ };
      return { ...place, tag: this.begin('cell', 0, cell) };
    }
    if (role === 'L') return { ...place, lists: lists + 1 };
    if (role === 'LI')
      return {
        tag: null,
        item: { level: Math.min(lists, DEEPEST_LIST) - 1, tag: null, hasText: false },
        lists,
      };
    const heading = HEADING.exec(role);
    if (heading) return { ...place, tag: this.begin('heading', Number(heading[1] ?? 1)) };
    if (INLINE.test(role)) return tag || item ? place : { ...place, tag: this.begin('text', 0) };
    if (TEXT.test(role) && item) return { ...place, tag: this.itemText(item) };
    return TEXT.test(role) ? { ...place, tag: this.begin('text', 0) } : place;
  }

  /** Returns the tag of the next paragraph of an item; the first one follows the label. */
  private itemText(item: OpenItem): Tag {
    const isFirst = !item.hasText;
    item.hasText = true;
    if (!isFirst) return this.begin('more', item.level);
    return (item.tag ??= this.begin('item', item.level));
  }

  private begin(what: Tag['what'], level: number, cell?: Tag['cell']): Tag {
    const tag: Tag = { what, level, marks: [], ...(cell && { cell }) };
    this.tags.push(tag);
    return tag;
  }

  private add(mark: number, place: Place): void {
    const { tag, item } = place;
    if (tag) tag.marks.push(mark);
    else if (item) (item.tag ??= this.begin('item', item.level)).marks.push(mark);
    else this.begin('text', 0).marks.push(mark);
  }
}
