import { oneLine } from '#contracts/text.js';
import type { CitationStyle, PersonName } from '#contracts/bibliography-names.js';
import {
  type Citation,
  type CitationRequest,
  citesInNotes,
  mainLanguage,
  pageLabel,
  type Reference,
  type WrittenCitations,
} from '#contracts/bibliography.js';
import { escapeInline } from '#markdown/escape.js';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { loadTypst } from '../pdf/typst.js';
import { literal } from '../pdf/typst-literal.js';

/** Styles of Typst by ours. */
const STYLES: Record<CitationStyle, string> = {
  chicago: 'chicago-notes',
  apa: 'apa',
  mla: 'mla',
  numeric: 'ieee',
};
const FILE = '/scriptorium-references.yml';

/**
 * Writes citations and a bibliography in a style, by Typst's bibliography. Reads no files and no network.
 *
 * @throws NativePackageError
 */
export async function writeCitations(request: CitationRequest): Promise<WrittenCitations> {
  const { style, works, groups, language } = request;
  if (groups.length === 0) return { groups: [], bibliography: [] };
  const { NodeCompiler } = await loadTypst('A citation style');
  const keys = new Map(works.map(({ source_id: id }, index) => [id, `r${index}`]));
  const entries = works.map(({ reference }, index) => [`r${index}`, hayagrivaEntry(reference)]);
  const compiler = NodeCompiler.create({ workspace: '/' });
  // JSON is YAML, in which Hayagriva reads its entries.
  compiler.mapShadow(FILE, Buffer.from(JSON.stringify(Object.fromEntries(entries))));
  const cited = groups.map((group) => {
    const cites = group.map((citation) => cite(citation, keys.get(citation.source_id)!, style, language));
    return `#par[${cites.join('')}]`;
  });
  const source = [
    `#set text(lang: ${literal(mainLanguage(language))})`,
    ...cited,
    `#bibliography(${literal(FILE)}, style: ${literal(STYLES[style])}, title: none)`,
  ].join('\n');
  const html = compiler.html({ mainFileContent: source });
  if (html === null) throw new Error('Typst could not write the citations');
  const written = readBibliographyHtml(html, citesInNotes(style));
  if (written.groups.length !== groups.length) throw new Error('Typst left citations out');
  return { groups: written.groups.map(tidy), bibliography: written.bibliography.map(tidy) };
}

function cite({ page, section }: Citation, key: string, style: CitationStyle, language: string): string {
  const place = placeOf(page, section, style, language);
  return `#cite(label(${literal(key)})${place === '' ? '' : `, supplement: text(${literal(place)})`})`;
}

function placeOf(page: string | null, section: string, style: CitationStyle, language: string): string {
  if (page === null) return style === 'chicago' && section !== '' ? `“${section}”` : '';
  return style === 'chicago' || style === 'mla' ? page : pageLabel(page, language);
}

/** Drops the comma that the style `apa` leaves before a missing day. */
const tidy = (markdown: string): string => markdown.replaceAll(', )', ')');

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Marks of Markdown by elements. */
const MARKS: Record<string, string> = { em: '*', i: '*', strong: '**', b: '**' };

/**
 * Reads the citations and the bibliography from the HTML that Typst writes: a paragraph for each group, and two lists.
 *
 * @param isNotes whether the text of a group is in the list of notes
 */
function readBibliographyHtml(html: string, isNotes: boolean): WrittenCitations {
  const all = [...elementsIn(parseFragment(html))];
  const listed = (role: string) =>
    all
      .filter((element) => attribute(element, 'role') === role)
      .flatMap((section) => [...elementsIn(section)].filter(({ tagName }) => tagName === 'li'))
      .map(markdownOf);
  return {
    groups: isNotes ? listed('doc-endnotes') : all.filter(({ tagName }) => tagName === 'p').map(markdownOf),
    bibliography: listed('doc-bibliography'),
  };
}

const markdownOf = (element: Element): string => oneLine(inlines(element.childNodes));

function inlines(nodes: Node[]): string {
  let text = '';
  for (const node of nodes) {
    const address = addressOf(node);
    const start = address === null ? '' : address.slice(0, address.length - wordsOf(node).length);
    // Typst writes the start of a DOI's address as text, and links the rest.
    const isSplit = start !== '' && address === start + wordsOf(node) && text.endsWith(start);
    text = isSplit ? `${text.slice(0, -start.length)}<${address}>` : text + inline(node, address);
  }
  return text;
}

function inline(node: Node, address: string | null): string {
  if (node.nodeName === '#text') return escapeInline(wordsOf(node));
  if (!('tagName' in node) || isNoteNumber(node)) return '';
  const content = inlines(node.childNodes);
  if (address !== null) return wordsOf(node) === address ? `<${address}>` : `[${content}](<${address}>)`;
  const mark = MARKS[node.tagName] ?? '';
  const words = content.trim();
  // Spaces inside the marks would make them text.
  const [before = '', after = ''] = words === '' ? [content] : content.split(words);
  return words === '' ? content : `${before}${mark}${words}${mark}${after}`;
}

/** Returns the address of a link that leads out of the document, as Markdown can write it. */
function addressOf(node: Node): string | null {
  const address = 'tagName' in node && node.tagName === 'a' ? attribute(node, 'href') : undefined;
  return address !== undefined && /^https?:/i.test(address)
    ? unshielded(address).replace(/[<>\s\\]/g, encodeURIComponent)
    : null;
}

/** Returns whether a link is the number of a note, which Markdown writes itself. */
const isNoteNumber = (element: Element): boolean =>
  attribute(element, 'role') === 'doc-backlink' && element.childNodes.some((node) => node.nodeName === 'sup');

/** Returns the words of a node without marks. */
function wordsOf(node: Node): string {
  if (node.nodeName === '#text') return unshielded((node as DefaultTreeAdapterTypes.TextNode).value);
  return 'childNodes' in node ? node.childNodes.map(wordsOf).join('') : '';
}

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((given) => given.name === name)?.value;

function* elementsIn(parent: DefaultTreeAdapterTypes.ParentNode): Generator<Element> {
  for (const node of parent.childNodes)
    if ('tagName' in node) {
      yield node;
      yield* elementsIn(node);
    }
}

/** Characters that mean something in Hayagriva's texts, and private ones that replace them while it writes. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['{', '\ue000'],
  ['}', '\ue001'],
  ['$', '\ue002'],
  ['\\', '\ue003'],
]);
const PRIVATE = new Map([...SPECIAL].map(([character, replacement]) => [replacement, character]));

const shielded = (text: string): string => text.replace(/[{}$\\]/g, (character) => SPECIAL.get(character)!);

/** Restores the characters that `hayagrivaEntry` replaced. */
const unshielded = (text: string): string =>
  text.replace(/[\ue000-\ue003]/g, (character) => PRIVATE.get(character)!);

/** Kinds of works whose entries every style fills; `unpublished` and `misc` are empty in some. */
const TYPES: Record<NonNullable<Reference['type']>, string> = {
  article: 'article',
  book: 'book',
  chapter: 'chapter',
  conference: 'article',
  manuscript: 'report',
  report: 'report',
  thesis: 'thesis',
  web: 'web',
  other: 'book',
};
const CONTAINERS: Partial<Record<NonNullable<Reference['type']>, string>> = {
  article: 'periodical',
  chapter: 'anthology',
  conference: 'proceedings',
  web: 'web',
};

/** Returns a reference in the form of Hayagriva, the bibliography reader of Typst. */
function hayagrivaEntry(reference: Reference): Record<string, unknown> {
  const { authors, editors, issued, publisher, place, edition, pages, url, doi, isbn, language } = reference;
  const type = reference.type ?? (reference.container ? 'article' : reference.url ? 'web' : 'book');
  const container = reference.container ? CONTAINERS[type] : undefined;
  const isArticle = type === 'article' || type === 'conference';
  const published = {
    ...(editors && { editor: editors.map(nameOf) }),
    ...(publisher && {
      publisher: { name: shielded(publisher), ...(place && { location: shielded(place) }) },
    }),
    ...(reference.volume && { volume: shielded(reference.volume) }),
    ...(reference.issue && { issue: shielded(reference.issue) }),
    ...(edition && { edition: shielded(edition) }),
  };
  const numbers = { ...(doi && { doi: shielded(doi) }), ...(isbn && { isbn: shielded(isbn) }) };
  return {
    type: isArticle && container === undefined ? 'report' : TYPES[type],
    title: shielded(reference.title ?? ''),
    ...(authors && { author: authors.map(nameOf) }),
    ...(issued && { date: issued }),
    ...(pages && { 'page-range': shielded(pages) }),
    ...(url && { url: shielded(url) }),
    ...(Object.keys(numbers).length > 0 && { 'serial-number': numbers }),
    ...(language && /^[a-z]{2,3}(-[A-Za-z]{2})?$/.test(language) && { language }),
    ...(container === undefined
      ? published
      : { parent: { type: container, title: shielded(reference.container!), ...published } }),
  };
}

const nameOf = ({ family, given, suffix }: PersonName): Record<string, string> => ({
  name: shielded(family),
  ...(given && { 'given-name': shielded(given) }),
  ...(suffix && { suffix: shielded(suffix) }),
});
