import type { Structure } from '#contracts/structure.js';
import type { Settings } from '../docx/write/options.js';
import { TO_RIGHT_PAGE, typstBookFront, typstBookLooks, typstContents } from './typst-book.js';
import { literal } from './typst-literal.js';

const SERIES =
  'font: ("Arial", "Liberation Sans", "Nimbus Sans", "DejaVu Sans", "Noto Sans", "Noto Sans CJK SC")';
const MUTED = 'rgb("#595959")';

/** Begins the numbered pages of a book. */
const CHAPTERS = `#set page(numbering: "1")\n#counter(page).update(1)\n${TO_RIGHT_PAGE}`;

/** Writes the source before the text: styles, title page, table of contents. */
export function typstPreamble(structure: Structure, settings: Settings): string {
  const looks = typstLooks(settings, '1 / 1');
  if (settings.book)
    return [looks, typstBookFront(settings, typstContents(structure, settings)), CHAPTERS].join('\n');
  const breakAfter = (page: string) => (page === '' ? '' : `${page}\n#pagebreak()`);
  return [looks, ...[typstCover(settings), typstContents(structure, settings)].map(breakAfter)].join('\n');
}

/**
 * Writes the document's styles, with the title in the header and page numbers in the footer, as in Word.
 *
 * @param pages format of the page number: alone, or with the total
 */
export function typstLooks(settings: Settings, pages: '1' | '1 / 1'): string {
  const { title, author, language } = settings;
  return [
    `#set document(title: ${literal(title)}, author: ${literal(author)}, date: ${typstDate(settings.createdAt)})`,
    `#set text(lang: ${literal(language.split('-')[0] ?? 'en')})`,
    '#set smartquote(enabled: false)',
    ...(settings.book ? typstBookLooks(settings) : reportLooks(settings, pages)),
    '#set figure(placement: none)',
    '#show figure: set block(breakable: true)',
    `#show figure.caption: set text(size: 9pt, fill: ${MUTED})`,
    `#let head(body) = strong(text(fill: rgb("${settings.book ? '#000000' : '#1F3864'}"), body))`,
    '#let right-to-left(body) = { set text(dir: rtl); body }',
    '#let mono(body) = text(font: ("Courier New", "Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono CJK SC"), body)',
    codeBlock(settings),
    '#let bar(color, body, fill: none) = block(stroke: (left: 2pt + color), fill: fill, inset: (left: 10pt, y: 4pt), width: 100%, body)',
  ].join('\n');
}

const typstDate = (date: Date): string =>
  `datetime(year: ${date.getUTCFullYear()}, month: ${date.getUTCMonth() + 1}, day: ${date.getUTCDate()})`;

function reportLooks(settings: Settings, pages: '1' | '1 / 1'): string[] {
  const { page, numberSections } = settings;
  const paper = page.width === 12240 ? 'us-letter' : 'a4';
  return [
    `#set page(paper: "${paper}", margin: 2.54cm, header: ${header(settings)}, footer: ${footer(settings, pages)})`,
    `#set text(size: 10pt, ${SERIES}, hyphenate: false)`,
    '#set par(leading: 0.7em, spacing: 1.1em)',
    `#set heading(numbering: ${numberSections ? '"1.1"' : 'none'})`,
    '#show heading: set text(fill: rgb("#1F3864"))',
    '#show link: set text(fill: rgb("#0B5CAD"))',
    '#show figure: set align(start)',
  ];
}

/** Defines a code box; line numbers continue across its parts, and wrapped lines are indented behind them. */
function codeBlock({ lineNumbers }: Settings): string {
  const number = `box(width: 3em, text(fill: rgb("#767676"), str(from + line.number)))`;
  const line = `block(spacing: 0.5em, par(hanging-indent: 3em, { ${number}; line.body }))`;
  const numbers = lineNumbers
    ? `show raw.where(block: true): it => it.lines.map(line => ${line}).join(); `
    : '';
  return (
    '#let code(language: none, ..parts) = block(fill: rgb("#F6F8FA"), stroke: 0.5pt + rgb("#D5DAE1"), inset: 6pt, width: 100%, breakable: true, { set par(leading: 0.5em, spacing: 0.5em); let before = 0; ' +
    `for part in parts.pos() { let from = before; block(spacing: 0.5em, { ${numbers}text(size: 8.5pt, raw(part, block: true, lang: language)) }); before += part.split("\\n").len() } })`
  );
}

/** Hides the header or footer on a cover page. */
function unlessCover(cover: boolean, content: string): string {
  return cover ? `context if here().page() > 1 { ${content} }` : content;
}

function header({ title, cover }: Settings): string {
  return unlessCover(cover, `align(right, text(size: 8pt, fill: ${MUTED}, ${literal(title)}))`);
}

function footer({ cover }: Settings, pages: '1' | '1 / 1'): string {
  const number = `align(center, text(size: 8pt, fill: ${MUTED}, context counter(page).display("${pages}", both: ${String(pages !== '1')})))`;
  return unlessCover(cover, number);
}

/** Writes the title page. */
export function typstCover({ cover, title, subtitle, author, date }: Settings): string {
  if (!cover) return '';
  const line = (text: string, style: string): string =>
    text === '' ? '' : `#block(text(${style}, ${literal(text)}))`;
  return `#v(6cm)\n${line(title, 'size: 28pt, weight: "bold", fill: rgb("#1F3864")')}\n${line(subtitle, 'size: 15pt')}\n${line(author, 'size: 12pt')}\n${line(date, 'size: 12pt')}`;
}
