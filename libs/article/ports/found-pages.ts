const MAX_LINE = 300;

/** Returns a text of a search server on one line, at most 300 characters; null if nothing is left. */
export const shortLine = (value: string | null | undefined): string | null =>
  value
    ?.toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE)
    // The limit may split a character of two units.
    .replace(/[\ud800-\udbff]$/, '') || null;

/** Returns the date of a page as `YYYY-MM-DD`; null if it is unknown. */
export const dayOf = (published: string | null | undefined): string | null =>
  /^\d{4}-\d{2}-\d{2}/.exec(published ?? '')?.[0] ?? null;

/** Returns whether a page can be cited by its address. */
export const isWebAddress = (url: string): boolean => /^https?:\/\/[^\s<>]+$/.test(url);
