import { contentsMark, leftOutMark } from '../left-out.js';

/** Bookmark of a PDF, and those below it. */
interface Bookmark {
  title?: string;
  items?: Bookmark[];
}

/** Part of a document of pdf.js. */
export interface PdfDocument {
  getOutline(): Promise<unknown>;
  getAttachments(): Promise<unknown>;
}

/** Returns comments about bookmarks, which repeat headings, and attached files: they are not on the pages of a PDF. */
export async function fileMarks(document: PdfDocument): Promise<string[]> {
  const outline = (await document.getOutline().catch(() => null)) as Bookmark[] | null;
  const attachments = (await document.getAttachments().catch(() => null)) as Record<string, unknown> | null;
  const bookmarks = countOf(outline ?? []);
  const names = Object.values(attachments ?? {})
    .map(nameOf)
    .filter((name) => name !== '');
  return [
    ...(bookmarks > 0 ? [contentsMark(bookmarks)] : []),
    ...names.map((name) => leftOutMark('attached file', name)),
  ];
}

function countOf(bookmarks: Bookmark[]): number {
  let count = 0;
  const open = [...bookmarks];
  for (let bookmark = open.pop(); bookmark; bookmark = open.pop()) {
    if (bookmark.title?.trim()) count++;
    open.push(...(bookmark.items ?? []));
  }
  return count;
}

/** Returns the name of an attached file with its description. */
function nameOf(attachment: unknown): string {
  const { filename, description } = attachment as Record<string, unknown>;
  return [filename, description]
    .filter((words) => typeof words === 'string')
    .join(' ')
    .trim();
}
