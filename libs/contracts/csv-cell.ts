/** Returns a text as a cell of CSV (RFC 4180). */
export const csvCell = (text: string, separator = ','): string =>
  /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
