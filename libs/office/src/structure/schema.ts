/**
 * `structure.json`, version 1 (D24): a document as plain data for any writer. It contains text, not markup:
 * references are resolved, entities decoded, HTML converted to blocks, front matter to properties. `line` and
 * `end_line` are 1-based lines of the original Markdown.
 *
 * A reader must reject unknown versions and ignore unknown keys.
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

/** Text with uniform formatting. `value` contains no line breaks; those are separate `break`s. */
export interface TextInline {
  type: 'text';
  value: string;
  marks?: Mark[];
}
export interface BreakInline {
  type: 'break';
}
/** Link. `anchor` is the ID of a heading, figure, table or anchor here; null means an external address. */
export interface LinkInline {
  type: 'link';
  url: string;
  anchor: string | null;
  title: string | null;
  content: Inline[];
}
/** Image. `ref` is the reference exactly as in the Markdown. Sizes are in CSS pixels; null if unspecified. */
export interface ImageInline {
  type: 'image';
  ref: string;
  alt: string;
  title: string | null;
  width: number | null;
  height: number | null;
}
/** Reference to the note with this `id` in `notes`. */
export interface NoteRefInline {
  type: 'note_ref';
  id: string;
}
/** TeX formula without its dollars. */
export interface MathInline {
  type: 'math';
  tex: string;
}
/** Anchor to which links can point. */
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
/** Code block. `text` is the exact code; lines end with `\n`, except the last. */
export interface CodeBlock extends Placed {
  type: 'code';
  language: string | null;
  text: string;
}
/** List item. `checked` is null if the item is not a task. */
export interface ListItem {
  checked: boolean | null;
  blocks: Block[];
}
/**
 * List. `start` is the first number of an ordered list (zero or more), null for bullets; `delimiter` is
 * absent for a full stop.
 */
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
/** Table. Every row has as many cells as `align`. `id` and `number` are null without a caption. */
export interface TableBlock extends Placed {
  type: 'table';
  align: (Align | null)[];
  rows: TableRow[];
  caption: Inline[] | null;
  id: string | null;
  number: number | null;
}
/** Figure: an image that is alone in its paragraph and has a caption. */
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

/** Footnote. `number` counts from 1 in the order of first reference. */
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
  /** Unchanged front matter. */
  properties: Record<string, unknown>;
  /** Title from the front matter, else of the first level-1 heading, else of the first heading, else null. */
  title: string | null;
  /** All headings in order, for the table of contents. */
  headings: HeadingEntry[];
  blocks: Block[];
  notes: Note[];
  /** All images in order, one entry per occurrence. */
  assets: AssetEntry[];
}
