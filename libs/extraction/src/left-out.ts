import { withoutPageMarks } from './pdf/page-marks.js';

/** Stands where the table of contents of a document was left out. */
export const contentsMark = (lines: number): string =>
  `<!-- left out: table of contents (lines: ${lines}) -->`;

const CONTENTS_MARK = /^<!-- left out: table of contents \(lines: \d{1,9}\) -->\n{0,2}/gm;

/** The text of a document without the comments that say what was left out of it, as for a passage that is read by itself. */
export const withoutMarks = (text: string): string => withoutPageMarks(text).replace(CONTENTS_MARK, '');
