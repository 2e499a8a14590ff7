import type { Structure } from '#contracts/structure.js';
import { captionLists, imprintLines } from '../docx/write/front.js';
import type { IndexEntry } from '../structure/book-index.js';
import { innerMargin, type Settings } from '../docx/write/options.js';
import { labelsFor } from '../docx/write/labels.js';
import { literal } from './typst-literal.js';

/** Typst brings the first font along. */
const SERIES =
  'font: ("Libertinus Serif", "Liberation Serif", "Noto Serif", "Noto Serif CJK SC", "DejaVu Serif", "DejaVu Sans", "Noto Sans CJK SC")';
/** Points per twentieth of a point. */
const POINT = 0.05;

/** Continues on a right page; a left page that stays empty has neither header nor footer. */
export const TO_RIGHT_PAGE = '#{ set page(header: none, footer: none); pagebreak(to: "odd", weak: true) }';

/**
 * Writes the styles of a book: mirrored margins, the book's title above left pages and the chapter's above right ones
 * except where a chapter opens, each cut after its first line, and page numbers from the first chapter on. Typst itself avoids widows and orphans.
 */
export function typstBookLooks({ title, page }: Settings): string[] {
  const { width, height, margin, header } = page;
  const inner = innerMargin(margin);
  const points = (twips: number): string => `${(twips * POINT).toFixed(1)}pt`;
  const margins = `(inside: ${points(inner)}, outside: ${points(2 * margin - inner)}, top: ${points(margin)}, bottom: ${points(margin)})`;
  return [
    '#let chapters = selector(heading.where(level: 1, outlined: true))',
    `#let running-head = context {
  let openings = query(heading.where(level: 1)).filter(it => it.location().page() == here().page())
  let begun = query(chapters.before(here()))
  if openings.len() == 0 and begun.len() > 0 {
    set text(size: 9pt, style: "italic", hyphenate: false)
    let words = if calc.even(here().page()) { align(top + left, ${literal(title)}) } else { align(top + right, begun.last().body) }
    block(width: 100%, height: 1.2em, clip: true, words)
  }
}`,
    `#let folio = context if query(chapters.before(here())).len() > 0 { align(center, text(size: 9pt, counter(page).display("1"))) }`,
    `#set page(width: ${points(width)}, height: ${points(height)}, margin: ${margins}, header-ascent: ${points(margin - header - 220)}, header: running-head, footer: folio)`,
    `#set text(size: 10.5pt, ${SERIES}, hyphenate: true)`,
    '#set par(justify: true, leading: 0.62em, spacing: 0.62em, first-line-indent: 1.4em)',
    '#set block(spacing: 1em)',
    '#show heading: set text(hyphenate: false)',
    '#show heading: set par(justify: false, first-line-indent: 0pt)',
    '#show heading: set block(above: 1.6em, below: 0.8em)',
    '#show heading.where(level: 3): set text(weight: "regular", style: "italic")',
    `#show heading.where(level: 1): it => block(below: 3em, width: 100%, {
  v(2.4cm)
  if it.numbering != none { block(below: 0.9em, text(size: 20pt, weight: "regular", counter(heading).display("1"))) }
  text(size: 22pt, weight: "regular", it.body)
})`,
    '#show figure: set align(center)',
    '#show outline.entry.where(level: 1): set block(above: 1em)',
    '#show outline.entry: set par(justify: false)',
    '#set list(spacing: 0.75em)',
    '#set enum(spacing: 0.75em)',
  ];
}

/** Writes title page, imprint and table of contents. */
export function typstBookFront(settings: Settings, contents: string): string {
  const { cover, title, subtitle, author } = settings;
  const line = (text: string, style: string, below: string): string =>
    text === ''
      ? ''
      : `#align(center, block(below: ${below}, text(${style}, hyphenate: false, ${literal(text)})))`;
  const titlePage = cover
    ? [
        '#v(4.5cm)',
        line(title, 'size: 16pt', '0pt'),
        TO_RIGHT_PAGE,
        '#v(4.5cm)',
        line(title, 'size: 26pt', '1.6em'),
        line(subtitle, 'size: 14pt, style: "italic"', '3em'),
        line(author, 'size: 13pt', '1em'),
        '#pagebreak()\n#v(1fr)',
        ...imprintLines(settings).map((text) => `#block(spacing: 0.6em, text(size: 9pt, ${literal(text)}))`),
        TO_RIGHT_PAGE,
      ]
    : [];
  return [...titlePage, contents === '' ? '' : `${contents}\n${TO_RIGHT_PAGE}`].join('\n');
}

/** Writes the index, whose pages Typst finds; each is shown once. */
export function typstIndex(entries: readonly IndexEntry[]): string {
  if (entries.length === 0) return '';
  const looks = `#let indexed(term, ..places) = block(spacing: 0.5em, par(hanging-indent: 1em, first-line-indent: 0pt, justify: false, {
  text(size: 9pt, hyphenate: false, term)
  context {
    let shown = ()
    for place in places.pos() {
      let page = counter(page).at(place).first()
      if page not in shown { text(size: 9pt, [, #link(place, str(page))]) }
      shown.push(page)
    }
  }
}))`;
  const lines = entries.map(
    ({ term, anchors }) =>
      `#indexed(${[literal(term), ...anchors.map((id) => `label(${literal(id)})`)].join(', ')})`,
  );
  return [looks, '#columns(2, gutter: 1.2em)[', ...lines, ']'].join('\n');
}

/** Writes the table of contents and the lists of captions, which Typst fills. */
export function typstContents(structure: Structure, settings: Settings): string {
  const { toc, language, book } = settings;
  if (!toc) return '';
  const labels = labelsFor(language);
  const lists = captionLists(structure, settings, labels).map(
    ({ title, kind }) =>
      `#outline(title: ${literal(title)}, target: figure.where(kind: ${kind === 'figure' ? 'image' : 'table'}))`,
  );
  const contents = `#outline(title: ${literal(labels.contents)}, depth: ${book ? 2 : 3}, indent: auto)`;
  return [contents, ...lists].join('\n');
}
