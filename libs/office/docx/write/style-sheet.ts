import { BOOK_FONT, BOOK_LINE, BOOK_SIZE, bookStyles } from './book-styles.js';
import { documentDefaults, STYLES, type StyleDefinition } from './styles.js';
import { NAMESPACES, XML_HEAD } from './xml.js';

/** Style IDs by name, and `word/styles.xml`. */
export interface StyleSheet {
  /** Returns the ID of a style by its name in `STYLES`. */
  id(name: string): string;
  xml: string;
  /** Whether this is the writer's own style sheet, not a reference document's. */
  own: boolean;
}

/**
 * Creates the writer's own style sheet.
 *
 * @param bookRoom width between the margins of a book, in twentieths of a point; null for a report
 */
export function ownStyleSheet(language: string, bookRoom: number | null): StyleSheet {
  const ofBook = bookRoom === null ? [] : bookStyles(bookRoom);
  const all = [...new Map([...STYLES, ...ofBook].map((style) => [style.name, style])).values()];
  const text = { font: BOOK_FONT, points: BOOK_SIZE, after: 0, line: BOOK_LINE };
  const ids = new Map(all.map((style) => [style.name, style.id]));
  const id = (name: string): string => ids.get(name) ?? name;
  const body = all.map((style) => styleXml(style, style.id, id)).join('');
  return {
    id,
    xml: `${XML_HEAD}<w:styles ${NAMESPACES}>${documentDefaults(language, bookRoom === null ? undefined : text)}${body}</w:styles>`,
    own: true,
  };
}

const DEFAULTS = new Set(['Normal', 'Default Paragraph Font', 'Normal Table']);

/** Writes one `w:style` element with the given ID. */
export function styleXml(style: StyleDefinition, id: string, idOf: (name: string) => string): string {
  const body = style.body.replace(/\{([^}]+)\}/g, (_, name: string) => idOf(name));
  const isDefault = DEFAULTS.has(style.name) ? ' w:default="1"' : '';
  const custom = /^[A-Z]/.test(style.name) && isCustom(style.name) ? ' w:customStyle="1"' : '';
  return `<w:style w:type="${style.type}"${isDefault}${custom} w:styleId="${id}"><w:name w:val="${style.name}"/>${body}</w:style>`;
}

const BUILT_IN = new Set([
  ...DEFAULTS,
  'Title',
  'Subtitle',
  'Date',
  'Quote',
  'List Paragraph',
  'TOC Heading',
  'Hyperlink',
]);

function isCustom(name: string): boolean {
  return !BUILT_IN.has(name);
}
