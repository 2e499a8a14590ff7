import { oneLine, splitAtLineEnds, withoutSpaces } from '#contracts/text.js';
import { contentsMark, leftOutMark } from '../left-out.js';
import type { Annotation, PdfItem } from './pdfjs.js';

/** Text items that a page draws for annotations, by annotation ID. */
type DrawnAnnotations = ReadonlyMap<string, readonly PdfItem[]>;

/** Flags for hidden annotations and those not shown on a screen. */
const NOT_SEEN = 2 | 32;
/** Maximum font size in points if the annotation specifies none. */
const USUAL_SIZE = 12;
/** Font size relative to the annotation's height; descent and letter width relative to the font size. */
const [OF_PLACE, BELOW, WIDE] = [0.7, 0.22, 0.5];

/** Text that annotations show on a page or only when opened. */
interface Annotated {
  items: PdfItem[];
  /** Labelled texts of notes and similar annotations, for the comment about omitted text. */
  named: string[];
}

/**
 * Reads the text of annotations: what the page draws, the value of a field that draws nothing, and form boxes
 * as `☒` or `☐`. Text that a note shows only when opened is listed in `named`, unless the page shows the same
 * words.
 *
 * @param shown text items of the page itself
 */
export function readAnnotations(
  annotations: readonly Annotation[],
  drawn: DrawnAnnotations,
  shown: readonly PdfItem[],
): Annotated {
  const found: Annotated = { items: [], named: [] };
  const own = lettersOf(shown);
  const named = new Set<string>();
  for (const annotation of annotations) {
    if (((annotation.annotationFlags ?? 0) & NOT_SEEN) !== 0) {
      nameHidden(annotation, found, named);
      continue;
    }
    if (annotation.checkBox || annotation.radioButton) {
      found.items.push(...inPlace(isChosen(annotation) ? '☒' : '☐', annotation));
      continue;
    }
    const items = drawn.get(annotation.id) ?? [];
    const text = textOf(annotation);
    const letters = withoutSpaces(text);
    found.items.push(...(partsWords(items, text) ? inPlace(text, annotation) : items));
    if (lettersOf(items).includes(letters) || own.includes(letters) || named.has(letters)) continue;
    if (items.length === 0 && /^(?:Widget|FreeText)$/.test(annotation.subtype))
      found.items.push(...inPlace(text, annotation));
    else {
      named.add(letters);
      found.named.push(`${annotation.subtype === 'Widget' ? 'field' : 'note'}: ${oneLine(text)}`);
    }
  }
  return found;
}

/** Returns whether a field draws its value with parted words, as in boxes for single letters or where a long number is wrapped. */
function partsWords(items: readonly PdfItem[], value: string): boolean {
  const isDrawn = (word: string) => items.some(({ str }) => str.includes(word));
  return items.length > 1 && lettersOf(items) === withoutSpaces(value) && !value.split(/\s+/).every(isDrawn);
}

function nameHidden(annotation: Annotation, found: Annotated, named: Set<string>): void {
  const words = annotation.checkBox || annotation.radioButton ? '' : oneLine(textOf(annotation));
  if (words !== '' && !named.has(words)) found.named.push(`hidden field or note: ${words}`);
  named.add(words);
}

/** Returns the shown value of a field or the content of a note; '' for links, because their text is on the page. */
function textOf({ subtype, fieldValue, options, password, contentsObj, richText }: Annotation): string {
  if (subtype === 'Link' || password) return '';
  if (subtype !== 'Widget') return contentsObj?.str || richText?.str || '';
  const values = fieldValue == null ? [] : [fieldValue].flat();
  return values
    .map((value) => options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value)
    .join('\n');
}

function isChosen({ fieldValue, radioButton, buttonValue, exportValue }: Annotation): boolean {
  if (typeof fieldValue !== 'string' || fieldValue === 'Off') return false;
  return fieldValue === (radioButton ? buttonValue : (exportValue ?? fieldValue));
}

/** Places lines of text within an annotation from the top down; a single line is centred vertically. */
function inPlace(text: string, { rect, defaultAppearanceData }: Annotation): PdfItem[] {
  const [left = 0, bottom = 0, , top = 0] = rect;
  const lines = splitAtLineEnds(text);
  const most = Math.min(USUAL_SIZE, (top - bottom) * OF_PLACE);
  const size = defaultAppearanceData?.fontSize || Math.max(1, most);
  const first = lines.length === 1 ? (top + bottom - size) / 2 : top - size;
  return lines.map((str, index) => ({
    str,
    transform: [size, 0, 0, size, left, first + size * BELOW - index * size * 1.2],
    width: str.length * size * WIDE,
    fontName: '',
    hasEOL: true,
  }));
}

const lettersOf = (items: readonly PdfItem[]): string => withoutSpaces(items.map(({ str }) => str).join(''));

/** Bookmark of a PDF, and those below it. */
interface Bookmark {
  title?: string;
  items?: Bookmark[];
}

/** Part of a document of pdf.js. */
export interface PdfDocument {
  getOutline(): Promise<unknown>;
  getAttachments(): Promise<unknown>;
  getMetadata(): Promise<{ info: unknown }>;
}

/**
 * Returns comments about bookmarks, which repeat headings, attached files and forms that only Adobe's reader draws (XFA): they are not on the
 * pages of a PDF.
 */
export async function fileMarks(document: PdfDocument): Promise<string[]> {
  const outline = (await document.getOutline().catch(() => null)) as Bookmark[] | null;
  const attachments = (await document.getAttachments().catch(() => null)) as Record<string, unknown> | null;
  const metadata = await document.getMetadata().catch(() => null);
  const hasXfa = (metadata?.info as { IsXFAPresent?: boolean } | undefined)?.IsXFAPresent ?? false;
  const bookmarks = countOf(outline ?? []);
  const names = Object.values(attachments ?? {})
    .map(nameOf)
    .filter((name) => name !== '');
  return [
    ...(bookmarks > 0 ? [contentsMark(bookmarks)] : []),
    ...names.map((name) => leftOutMark('attached file', name)),
    ...(hasXfa
      ? [
          leftOutMark(
            'form',
            'XFA, which only the reader of Adobe shows; print it to a PDF file to read its fields',
          ),
        ]
      : []),
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
