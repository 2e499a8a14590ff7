/** Type of a Markdown line. `code` is the content of a fenced or indented block. */
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

/** Scanned line; `text` excludes quote markers, list indentation and fence indentation. */
export interface ScannedLine {
  kind: LineKind;
  text: string;
  /** Heading level 1–6 for `heading`, `setext` and `underline`; 0 otherwise. */
  level: number;
  quotes: number;
  lists: number;
  /** List markers that start on this line, such as `-` or `1. -`; empty on most lines. */
  marker: string;
}

/** Code fence of the document. Lines are 1-based; `closedBy` is `eof` if the fence is not closed. */
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
  /** Parse a leading `---` block as front matter. Set only for sources: manuscripts do not contain front matter. */
  frontMatter?: boolean;
  /** Also parse a leading `+++` block as front matter. */
  tomlFrontMatter?: boolean;
}
