/** Link with its text. `target` is an address, or `#` and a bookmark name. */
export interface DocxLink {
  text: string;
  target: string;
}
/** Image with its size in CSS pixels; `bytes` is 0 if the file is not in the package. */
export interface DocxImage {
  alt: string;
  width: number;
  height: number;
  bytes: number;
  /** Whether the file contains a placeholder text for a missing image; `alt` is that text. */
  missing: boolean;
}
export const READ_MARKS = ['bold', 'italic', 'strike', 'code'] as const;
/** Formatted text; adjacent text with the same formatting is merged. */
export interface DocxMarked {
  text: string;
  marks: (typeof READ_MARKS)[number][];
}
interface Words {
  /** Text of the document itself, without formulas, callout labels and placeholders for missing images. */
  text: string;
  formulas: string[];
  marked: DocxMarked[];
  links: DocxLink[];
  images: DocxImage[];
  /** IDs of the notes referenced here, in order. */
  notes: string[];
}
export interface DocxHeading extends Words {
  type: 'heading';
  level: number;
  bookmarks: string[];
}
/** Paragraph. `list` is set for list items; continuation paragraphs of an item are separate paragraphs. */
export interface DocxParagraph extends Words {
  type: 'paragraph';
  style: string;
  list: {
    ordered: boolean;
    depth: number;
    number: number | null;
    delimiter: string;
    instance: string;
  } | null;
  rightToLeft: boolean;
}
/** Code block; `text` has `\n` between lines. */
interface DocxCode {
  type: 'code';
  text: string;
}
/** Rows of cells; a cell is the text of its paragraphs. */
export interface DocxTable extends Words {
  type: 'table';
  rows: string[][];
  headerRows: number;
  /** Alignment of each column, from the last row. */
  align: (string | null)[];
  columns: number;
  /** 1-based columns shown by a part of a split table; null for a whole table. The reader joins the parts. */
  part: { first: number; last: number } | null;
}
export type DocxBlock = DocxHeading | DocxParagraph | DocxCode | DocxTable;

export interface DocxContent {
  blocks: DocxBlock[];
  /** Entries of the table of contents with the displayed page numbers. */
  toc: TocLine[];
  /** Notes by ID, without the separators. */
  notes: Map<string, DocxBlock[]>;
  bookmarks: Set<string>;
  /** Core properties (`title`, `creator`, …) and custom ones, by name. */
  properties: Record<string, string>;
}

/** Entry of the table of contents, as in the file. */
export interface TocLine {
  text: string;
  page: string;
  /** Name of the target bookmark. */
  bookmark: string;
}
