import { isHtmlFile, splitAtSpaces, withoutQuery } from '#contracts/text.js';
import { posix } from 'node:path';
import { SaxesParser } from 'saxes';
import { percentDecoded } from '#contracts/lenient.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ArchivePictures } from '../archive-pictures.js';
import { unpack } from '../archive.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { damaged, ExtractionError } from '../errors.js';
import { htmlText } from '../html/html.js';
import { contentsMark, leftOutMark } from '../left-out.js';
import { readXml, xmlOf } from '../xml.js';

const PICTURE = /\.(?:png|jpe?g|gif|webp|bmp|svg)$/i;
const PAGE = /\.(?:x?html?|xml|opf|ncx|svg)$/i;
const NCX_TYPE = 'application/x-dtbncx+xml';
const PAGE_TYPE = /^(?:application\/xhtml\+xml|text\/html|image\/svg\+xml|application\/x-dtbook\+xml)$/;
const CONTAINER = 'META-INF/container.xml';

interface Entry {
  path: string;
  type: string;
  isContents: boolean;
}

/** Contents of a book's package file: its files by their IDs, and the files to read, in order. */
interface Book {
  title: string;
  entries: Map<string, Entry>;
  spine: string[];
}

/**
 * Returns the text of an EPUB as Markdown: its pages in reading order, read as HTML. Comments name what is omitted: the table of contents, which
 * repeats the headings, and pages that are not part of the reading order.
 *
 * @throws ExtractionError for a damaged, oversized or encrypted file
 */
export function epubText(bytes: Uint8Array, fileName: string, images: EmbeddedImages): string {
  const parts = unpack(bytes, (name) => PAGE.test(name) || name.startsWith('META-INF/'), fileName);
  const text = (path: string) => {
    const part = parts.get(path);
    return part ? xmlOf(part) : null;
  };
  try {
    const container = text(CONTAINER);
    const path = container === null ? undefined : packagePath(container);
    const opf = path === undefined ? null : text(path);
    if (opf === null)
      throw new ExtractionError(phrase('unreadable.not', { name: fileName, kind: phrase('file_kind.epub') }));
    const book = readPackage(opf, posix.dirname(path!));
    requirePlain(text('META-INF/encryption.xml'), book, fileName);
    const pictures = new ArchivePictures(bytes, fileName, images, (name) => PICTURE.test(name));
    const all = eachOnce(book.entries.values());
    const pages = eachOnce(book.spine.map((id) => book.entries.get(id) ?? unknownEntry(id)));
    const read = (entry: Entry) => pageText(entry, text(entry.path), images, pictures);
    const shown = pages.map((entry) =>
      entry.isContents ? contents(read(entry)) : read(entry).trim() || missingPage(entry, parts),
    );
    const inSpine = new Set(pages.map((entry) => entry.path));
    const others = all
      .filter((entry) => PAGE_TYPE.test(entry.type) && !entry.isContents && !inSpine.has(entry.path))
      .filter(({ type }) => type !== 'image/svg+xml')
      .map((entry) => leftOutWords(entry, read(entry)));
    const unread = all.filter(({ path: each, isContents }) => isContents && !inSpine.has(each));
    const contentsPages = unread.map((entry) =>
      contents(entry.type === NCX_TYPE ? labels(text(entry.path)) : read(entry)),
    );
    const title = book.title.trim() === '' ? '' : leftOutMark('title of the book', book.title);
    const texts = [...shown, ...others, contentsPages.find((page) => page !== '') ?? '', title]
      .filter((page) => page !== '')
      .join('\n\n');
    return texts === '' ? '' : `${texts}\n`;
  } catch (error) {
    throw damaged(fileName, error);
  }
}

/** Returns an entry for a page that the list of files lacks, named by its ID in the reading order. */
const unknownEntry = (id: string): Entry => ({ path: id, type: '', isContents: false });

/** Returns the first entry of each file. A small book may name a file thousands of times, which no valid book does. */
function eachOnce(entries: Iterable<Entry>): Entry[] {
  const seen = new Set<string>();
  return [...entries].filter(({ path }) => !seen.has(path) && seen.add(path));
}

function pageText(
  { path }: Entry,
  page: string | null,
  images: EmbeddedImages,
  pictures: ArchivePictures,
): string {
  if (page === null) return '';
  const folder = posix.dirname(path);
  return htmlText(htmlOf(page), images, (source) => {
    const target = posix.join(folder, decoded(source));
    return pictures.has(target) ? pictures.name(target) : null;
  });
}

const contents = (text: string) => {
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  return lines === 0 ? '' : contentsMark(lines);
};

const leftOutWords = ({ path }: Entry, text: string) =>
  text.trim() === '' ? '' : leftOutMark('page outside the reading order', `${posix.basename(path)} ${text}`);

/** Returns the comment about a page of the reading order that the book lacks; '' for any other page. */
const missingPage = ({ path, type }: Entry, parts: ReadonlyMap<string, unknown>) =>
  parts.has(path) || (type !== '' && !isHtmlFile(path))
    ? ''
    : leftOutMark('page that the book lacks', posix.basename(path));

/** Returns the labels of a table of contents of EPUB 2, one on each line. */
function labels(ncx: string | null): string {
  const found: string[] = [];
  let isText = false;
  readXml(ncx ?? '<none/>', {
    open: (name) => void (isText = /(?:^|:)text$/.test(name)),
    text: (text) => void (isText && found.push(text)),
    close: () => void (isText = false),
  });
  return found.join('\n');
}

/** Returns the path of the package file. */
function packagePath(container: string): string | undefined {
  let path: string | undefined;
  readXml(container, {
    open: (name, attributes) => {
      if (/(?:^|:)rootfile$/.test(name)) path ??= attributes['full-path'];
    },
    close: () => undefined,
  });
  return path;
}

function readPackage(opf: string, folder: string): Book {
  const book: Book = { title: '', entries: new Map(), spine: [] };
  let isTitle = false;
  readXml(opf, {
    open: (name, attributes) => {
      const local = name.slice(name.indexOf(':') + 1);
      isTitle = name === 'dc:title';
      if (local === 'item') {
        const type = attributes['media-type'] ?? '';
        const isContents = type === NCX_TYPE || splitAtSpaces(attributes['properties'] ?? '').includes('nav');
        const path = posix.join(folder, decoded(attributes['href'] ?? ''));
        book.entries.set(attributes['id'] ?? '', { path, type, isContents });
      } else if (local === 'itemref') book.spine.push(attributes['idref'] ?? '');
    },
    text: (words) => void (isTitle && (book.title += words)),
    close: () => void (isTitle = false),
  });
  return book;
}

/** @throws ExtractionError if pages are encrypted. Encrypted fonts are ignored: they are common. */
function requirePlain(encryption: string | null, book: Book, fileName: string): void {
  if (encryption === null) return;
  const pages = new Set(
    [...book.entries.values()].filter(({ type }) => PAGE_TYPE.test(type)).map(({ path }) => path),
  );
  readXml(encryption, {
    open: (name, attributes) => {
      if (/(?:^|:)CipherReference$/.test(name) && pages.has(decoded(attributes['URI'] ?? '')))
        throw new ExtractionError(phrase('unreadable.copy_protected', { name: fileName }));
    },
    close: () => undefined,
  });
}

const decoded = (path: string): string => percentDecoded(withoutQuery(path));

/** Elements that HTML does not close. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const NAMED_ENTITY = /^&(?:[A-Za-z][A-Za-z0-9]{0,31}|#x?[0-9A-Fa-f]{1,6});/;

/**
 * Rewrites XHTML as HTML. An HTML parser does not know empty elements such as `<title/>` or `<a id="x"/>` and
 * would read all that follows as their content. Returns damaged XHTML unchanged.
 */
function htmlOf(xhtml: string): string {
  let html = '';
  let isDamaged = false;
  const parser = new SaxesParser();
  parser.on('error', ({ message }) => {
    // Names such as &nbsp; are declared elsewhere. The parser leaves them unchanged.
    if (!message.includes('undefined entity')) isDamaged = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const written = Object.entries(attributes as Record<string, string>)
      .map(([key, value]) => ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`)
      .join('');
    html += `<${localName(name)}${written}>`;
  });
  parser.on('text', (text) => void (html += escaped(text)));
  parser.on('cdata', (text) => void (html += escaped(text)));
  parser.on('closetag', ({ name }) => {
    if (!VOID.has(localName(name))) html += `</${localName(name)}>`;
  });
  parser.write(xhtml).close();
  return isDamaged ? xhtml : html;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

const escaped = (text: string) =>
  text
    .replaceAll('&', (_, at: number) => (NAMED_ENTITY.test(text.slice(at, at + 40)) ? '&' : '&amp;'))
    .replaceAll('<', '&lt;');
