/** What a markdown line is. `code` is the content of a fenced or an indented block. */
export type LineKind =
  | 'blank'
  | 'prose'
  | 'heading'
  | 'setext'
  | 'underline'
  | 'fence_open'
  | 'fence_close'
  | 'code'
  | 'table'
  | 'delimiter'
  | 'front_matter';

/** One scanned line: `text` is the content without its containers (quote marks, list indentation, fence indentation). */
export interface ScannedLine {
  kind: LineKind;
  text: string;
  /** Heading level 1–6 for `heading`, `setext` and `underline`; 0 otherwise. */
  level: number;
  quotes: number;
  lists: number;
  /** The list markers that begin on this line, such as `-` or `1. -`; empty on most lines. */
  marker: string;
}

/** A fence of the document. Lines are 1-based; `closed_by` is `eof` for a fence that nothing ends. */
export interface ScannedFence {
  line: number;
  lastLine: number;
  marker: string;
  info: string;
  closedBy: 'fence' | 'container' | 'eof';
}

export interface ScannedDocument {
  lines: ScannedLine[];
  fences: ScannedFence[];
}

export interface ScanOptions {
  /** Read a leading `---` block as front matter (sources only; a manuscript has none). */
  frontMatter?: boolean;
  /** Read a leading `+++` block as front matter, too. */
  tomlFrontMatter?: boolean;
}
