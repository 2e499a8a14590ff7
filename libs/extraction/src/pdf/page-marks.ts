/** Stands where a page of a PDF begins, so that a line can be found again in the file. */
export const pageMark = (number: number): string => `<!-- page ${number} -->`;

/** The text of a PDF without the marks of its pages, as for a passage that is read by itself. */
export const withoutPageMarks = (text: string): string => text.replace(/^<!-- page \d{1,9} -->\n{0,2}/gm, '');
