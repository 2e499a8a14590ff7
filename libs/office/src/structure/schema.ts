/**
 * `structure.json`, version 1 (D24): a document as plain data, ready for any writer. It holds words, not markup: references
 * are resolved, entities decoded, HTML turned into blocks, front matter into properties. `line` and `end_line` count from 1
 * in the markdown that it was made from.
 *
 * A reader must refuse a `version` that it does not know and ignore keys that it does not know.
 */
export const STRUCTURE_VERSION = 1;

export const MARKS = [
  'bold',
  'italic',
  'strike',
  'code',
  'underline',
  'subscript',
  'superscript',
  'highlight',
] as const;
export type Mark = (typeof MARKS)[number];

/** A run of words with the same look. `value` has no line breaks; those are `break`s. */
export interface TextInline {
  type: 'text';
  value: string;
  marks?: Mark[];
}
export interface BreakInline {
  type: 'break';
}
/** `anchor` is the id of a heading, figure, table or anchor of this document; null means an address outside it. */
export interface LinkInline {
  type: 'link';
  url: string;
  anchor: string | null;
  title: string | null;
  content: Inline[];
}
/** `ref` is the reference exactly as the markdown has it. Sizes are CSS pixels; null where the document gives none. */
export interface ImageInline {
  type: 'image';
  ref: string;
  alt: string;
  title: string | null;
  width: number | null;
  height: number | null;
}
/** A mark that points to the note with this `id` in `notes`. */
export interface NoteRefInline {
  type: 'note_ref';
  id: string;
}
/** TeX, without its dollars. */
export interface MathInline {
  type: 'math';
  tex: string;
}
/** A place that links can point to. */
export interface AnchorInline {
  type: 'anchor';
  id: string;
}
export type Inline =
  TextInline | BreakInline | LinkInline | ImageInline | NoteRefInline | MathInline | AnchorInline;

interface Placed {
  line: number;
  end_line: number;
}
export interface HeadingBlock extends Placed {
  type: 'heading';
  level: number;
  id: string;
  content: Inline[];
}
export interface ParagraphBlock extends Placed {
  type: 'paragraph';
  content: Inline[];
  align?: Align;
}
/** `text` is the code character by character; its lines end with `\n`, without one after the last. */
export interface CodeBlock extends Placed {
  type: 'code';
  language: string | null;
  text: string;
}
/** `checked` is null for an item that is no task. */
export interface ListItem {
  checked: boolean | null;
  blocks: Block[];
}
/** `start` is the first number of an ordered list (zero or more), null for bullets; `delimiter` is there where it is no full stop. */
export interface ListBlock extends Placed {
  type: 'list';
  ordered: boolean;
  start: number | null;
  delimiter?: ')';
  items: ListItem[];
}
export interface QuoteBlock extends Placed {
  type: 'quote';
  blocks: Block[];
}
export const CALLOUTS = ['note', 'tip', 'important', 'warning', 'caution'] as const;
export interface CalloutBlock extends Placed {
  type: 'callout';
  kind: (typeof CALLOUTS)[number];
  blocks: Block[];
}
export type Align = 'left' | 'center' | 'right';
export interface TableRow {
  header: boolean;
  cells: Inline[][];
}
/** Every row has as many cells as `align`. `id` and `number` are null without a caption. */
export interface TableBlock extends Placed {
  type: 'table';
  align: (Align | null)[];
  rows: TableRow[];
  caption: Inline[] | null;
  id: string | null;
  number: number | null;
}
/** An image that stands alone and has a caption. */
export interface FigureBlock extends Placed {
  type: 'figure';
  image: ImageInline;
  caption: string;
  id: string;
  number: number;
}
export interface MathBlock extends Placed {
  type: 'math';
  tex: string;
}
export interface RuleBlock extends Placed {
  type: 'rule';
}
export type Block =
  | HeadingBlock
  | ParagraphBlock
  | CodeBlock
  | ListBlock
  | QuoteBlock
  | CalloutBlock
  | TableBlock
  | FigureBlock
  | MathBlock
  | RuleBlock;

/** A footnote: `number` counts from 1 in the order of first mention. */
export interface Note {
  id: string;
  number: number;
  line: number;
  blocks: Block[];
}
export interface HeadingEntry {
  id: string;
  level: number;
  text: string;
  line: number;
}
export interface AssetEntry {
  ref: string;
  alt: string;
  line: number;
}
export interface Structure {
  version: typeof STRUCTURE_VERSION;
  /** The front matter, as it is. */
  properties: Record<string, unknown>;
  /** The front matter's title, else the text of the first heading of level 1, else of the first heading, else null. */
  title: string | null;
  /** Table of contents: every heading, in order. */
  headings: HeadingEntry[];
  blocks: Block[];
  notes: Note[];
  /** Every image, in order; one entry per place. */
  assets: AssetEntry[];
}
