/** A link, by its words. `target` is an address, or `#` and the name of a bookmark. */
export interface DocxLink {
  text: string;
  target: string;
}
/** Sizes in CSS pixels; `bytes` is 0 when the file is not in the package. */
export interface DocxImage {
  alt: string;
  width: number;
  height: number;
  bytes: number;
  /** The file says in words that the image is missing; `alt` is those words. */
  missing: boolean;
}
export const READ_MARKS = ['bold', 'italic', 'strike', 'code'] as const;
/** Words with a look of their own; neighbours with the same look are one. */
export interface DocxMarked {
  text: string;
  marks: (typeof READ_MARKS)[number][];
}
interface Words {
  /** The document's own words: without formulas, labels of callouts and words that stand for a missing image. */
  text: string;
  formulas: string[];
  marked: DocxMarked[];
  links: DocxLink[];
  images: DocxImage[];
  /** Ids of the notes whose marks are here, in order. */
  notes: string[];
}
export interface DocxHeading extends Words {
  type: 'heading';
  level: number;
  bookmarks: string[];
}
/** `list` tells a list item; continuation paragraphs of an item are paragraphs of their own. */
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
/** `text` has `\n` between lines. */
export interface DocxCode {
  type: 'code';
  text: string;
}
/** Rows of cells; a cell is the text of its paragraphs. */
export interface DocxTable extends Words {
  type: 'table';
  rows: string[][];
  headerRows: number;
  /** Alignment of each column, from its last row. */
  align: (string | null)[];
  columns: number;
  /** The columns that it shows of a table in parts, from 1; null for a whole one. The reader joins the parts. */
  part: { first: number; last: number } | null;
}
export type DocxBlock = DocxHeading | DocxParagraph | DocxCode | DocxTable;

export interface DocxContent {
  blocks: DocxBlock[];
  /** Entries of the table of contents with the page each shows. */
  toc: TocLine[];
  /** Notes by id, without the separators. */
  notes: Map<string, DocxBlock[]>;
  bookmarks: Set<string>;
  /** Core properties (`title`, `creator`, …) and custom ones, by name. */
  properties: Record<string, string>;
}

/** An entry of the table of contents, as it stands in the file. */
export interface TocLine {
  text: string;
  page: string;
  /** Name of the place that it leads to. */
  bookmark: string;
}
