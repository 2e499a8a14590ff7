/** pdf.js operator numbers by name. */
export type Operators = Readonly<Record<string, number>>;

/**
 * Text item of pdf.js. The first two numbers of `transform` give direction and size, the last two the origin
 * on the baseline.
 */
export interface PdfItem {
  str: string;
  transform: number[];
  width: number;
  fontName: string;
  hasEOL: boolean;
  /** 1 for letters raised above their line, -1 for lowered ones; `transform` then gives the line. */
  rise?: number;
  /** Whether a rule strikes the letters through. */
  struck?: boolean;
  /** Number of its marked text; see `ShownGlyph`. */
  mark?: number | null;
}
