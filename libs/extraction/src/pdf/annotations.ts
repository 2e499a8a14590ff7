import type { PdfItem } from './pdf.js';

/** What pdf.js tells of a field of a form, a note, a stamp. */
export interface Annotation {
  id: string;
  subtype: string;
  /** Left, bottom, right, top. */
  rect: number[];
  annotationFlags?: number;
  contentsObj?: { str?: string };
  richText?: { str?: string } | null;
  fieldValue?: string | string[] | null;
  options?: { exportValue: string; displayValue: string }[];
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  /** What stands for a box or a button that is chosen. */
  exportValue?: string;
  buttonValue?: string | null;
  defaultAppearanceData?: { fontSize?: number };
}

/** The words of annotations that a page draws, by their ids. */
export type DrawnAnnotations = ReadonlyMap<string, readonly PdfItem[]>;

/** Hidden, or not to be seen on a screen. */
const NOT_SEEN = 2 | 32;
/** Letters in a place that tells no size are at most so large. */
const USUAL_SIZE = 12;
/** Part of a place's height that its letters take, of their size that stands below the baseline, and that a letter is wide. */
const [OF_PLACE, BELOW, WIDE] = [0.7, 0.22, 0.5];

/** What annotations show on a page, and what they only tell whoever opens them. */
export interface Annotated {
  items: PdfItem[];
  /** Notes and the like, each as it is named where it is left out. */
  named: string[];
}

/**
 * The words of annotations: those that the page draws; the value of a field that draws nothing, in its place; a box of a form as `☒` or `☐`. What
 * a note tells when it is opened is named, unless the page shows these words.
 *
 * @param shown the page's own words
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
    if (((annotation.annotationFlags ?? 0) & NOT_SEEN) !== 0) continue;
    if (annotation.checkBox || annotation.radioButton) {
      found.items.push(...inPlace(isChosen(annotation) ? '☒' : '☐', annotation));
      continue;
    }
    const items = drawn.get(annotation.id) ?? [];
    found.items.push(...items);
    const text = textOf(annotation);
    const letters = withoutBlanks(text);
    if (lettersOf(items).includes(letters) || own.includes(letters) || named.has(letters)) continue;
    if (items.length === 0 && /^(?:Widget|FreeText)$/.test(annotation.subtype))
      found.items.push(...inPlace(text, annotation));
    else {
      named.add(letters);
      found.named.push(
        `${annotation.subtype === 'Widget' ? 'field' : 'note'}: ${text.trim().replace(/\s+/g, ' ')}`,
      );
    }
  }
  return found;
}

/** The value of a field as it is shown, or what a note says. What a link says is said by what it stands on. */
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

/** Lines of text in the place of an annotation: from its top down, one alone in its middle. */
function inPlace(text: string, { rect, defaultAppearanceData }: Annotation): PdfItem[] {
  const [left = 0, bottom = 0, , top = 0] = rect;
  const lines = text.split(/\r\n?|\n/);
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

const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');
const lettersOf = (items: readonly PdfItem[]): string => withoutBlanks(items.map(({ str }) => str).join(''));
