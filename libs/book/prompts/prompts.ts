/** Rises with every change of a prompt; recorded with each run. */
export const BOOK_PROMPT_VERSION = 'book.v10';
