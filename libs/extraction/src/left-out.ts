import { withoutPageMarks } from './pdf/page-marks.js';

/** Returns the comment that replaces a document's omitted table of contents. */
export const contentsMark = (lines: number): string =>
  `<!-- left out: table of contents (lines: ${lines}) -->`;

const CONTENTS_MARK = /^<!-- left out: table of contents \(lines: \d{1,9}\) -->\n{0,2}/gm;

/** Removes the comments about omitted parts from a document's text, as for a separate passage. */
export const withoutMarks = (text: string): string => withoutPageMarks(text).replace(CONTENTS_MARK, '');
