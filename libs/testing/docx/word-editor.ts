import { unzipSync, zipSync } from 'fflate';

/** A character or the end of a paragraph, and who inserted and deleted it. */
interface Mark {
  inserted: string | null;
  deleted: string | null;
}

interface Item extends Mark {
  /** A character with its run properties, or XML that is kept. */
  char: string | null;
  xml: string;
}

interface Paragraph {
  properties: string;
  items: Item[];
  end: Mark;
}

const PARAGRAPH = /<w:p>(<w:pPr>.*?<\/w:pPr>)?(.*?)<\/w:p>/gs;
const RUN = /<w:r>(<w:rPr>(?:(?!<\/w:rPr>).)*<\/w:rPr>)?<w:t xml:space="preserve">([^<]*)<\/w:t><\/w:r>/gs;
const DATE = '2026-11-28T12:00:00Z';

/** Edits a Word file of our writer as people do in Word: tracked under a name, or without a trace. */
export class WordEditor {
  private readonly files: Record<string, Uint8Array>;
  /** Paragraphs, and the XML between them. */
  private readonly parts: (string | Paragraph)[] = [];
  private readonly comments: string[] = [];
  private readonly extended: string[] = [];
  private lastId = 9_000;

  constructor(docx: Uint8Array) {
    this.files = unzipSync(docx);
    const xml = Buffer.from(this.files['word/document.xml']!).toString('utf8');
    let at = 0;
    for (const match of xml.matchAll(PARAGRAPH)) {
      this.parts.push(xml.slice(at, match.index), paragraphOf(match[1] ?? '', match[2]!));
      at = match.index + match[0].length;
    }
    this.parts.push(xml.slice(at));
  }

  get paragraphs(): readonly Paragraph[] {
    return this.parts.filter((part) => typeof part !== 'string');
  }

  /** Returns the index of the first paragraph that contains words. */
  find(words: string): number {
    return this.paragraphs.findIndex((paragraph) => this.textOf(paragraph, () => true).includes(words));
  }

  /** Text that the given people see after their changes were accepted and the others rejected, by paragraph. */
  texts(isAccepted: (author: string) => boolean): string[] {
    const texts: string[] = [];
    let open = '';
    for (const paragraph of this.paragraphs) {
      open += this.textOf(paragraph, isAccepted);
      if (!isShown(paragraph.end, isAccepted)) continue;
      texts.push(open);
      open = '';
    }
    return texts;
  }

  private textOf({ items }: Paragraph, isAccepted: (author: string) => boolean): string {
    return items
      .filter((item) => item.char !== null && isShown(item, isAccepted))
      .map(({ char }) => char)
      .join('');
  }

  /**
   * @param author null for a change that nobody tracks
   * @param format properties of the run, such as `<w:b/>`; by default those of the words next to it
   */
  insert(paragraph: number, at: number, text: string, author: string | null, format?: string): void {
    const { items } = this.paragraphs[paragraph]!;
    const index = indexOf(items, at);
    const near = items[index]?.char != null ? items[index] : items[index - 1];
    const properties = format === undefined ? near?.char != null && near.xml : `<w:rPr>${format}</w:rPr>`;
    const added = [...text].map((char) => ({
      char,
      xml: properties || '',
      inserted: author,
      deleted: null,
    }));
    items.splice(index, 0, ...added);
  }

  delete(paragraph: number, from: number, to: number, author: string | null): void {
    const { items } = this.paragraphs[paragraph]!;
    const chars = items.filter(({ char }) => char !== null).slice(from, to);
    for (const item of chars) remove(item, author, () => items.splice(items.indexOf(item), 1));
  }

  /** Ends the paragraph at a position; the rest becomes the next one. */
  split(paragraph: number, at: number, author: string | null): void {
    const own = this.paragraphs[paragraph]!;
    const index = indexOf(own.items, at);
    const items = own.items.splice(0, index);
    const opened = items.map(({ xml }) => xml).join('');
    const link = /.*(<w:hyperlink [^>]*>)(?!.*<\/w:hyperlink>)/s.exec(opened)?.[1];
    const raw = (xml: string) => ({ char: null, xml, inserted: null, deleted: null });
    if (link !== undefined) {
      items.push(raw('</w:hyperlink>'));
      own.items.unshift(raw(link));
    }
    const first = { ...own, items, end: { inserted: author, deleted: null } };
    this.parts.splice(this.parts.indexOf(own), 0, first, '');
  }

  /** Deletes the end of a paragraph. */
  join(paragraph: number, author: string | null): void {
    const own = this.paragraphs[paragraph]!;
    remove(own.end, author, () => {
      const next = this.paragraphs[paragraph + 1]!;
      next.items.unshift(...own.items);
      this.parts.splice(this.parts.indexOf(own), 1);
    });
  }

  /** Adds a whole paragraph with the properties of the given one, above it. */
  insertParagraph(paragraph: number, text: string, author: string | null): void {
    const own = this.paragraphs[paragraph]!;
    const items = [...text].map((char) => ({ char, xml: '', inserted: author, deleted: null }));
    const added = { properties: own.properties, items, end: { inserted: author, deleted: null } };
    this.parts.splice(this.parts.indexOf(own), 0, added, '');
  }

  deleteParagraph(paragraph: number, author: string | null): void {
    this.delete(paragraph, 0, Infinity, author);
    this.join(paragraph, author);
  }

  /** @param to paragraph and position where the comment's words end @param reply index of the comment it replies to */
  comment(from: [number, number], to: [number, number], author: string, text: string, reply?: number): void {
    const id = this.comments.length;
    const raw = (xml: string) => ({ char: null, xml, inserted: null, deleted: null });
    const end = this.paragraphs[to[0]]!.items;
    end.splice(
      indexOf(end, to[1]),
      0,
      raw(`<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`),
    );
    const start = this.paragraphs[from[0]]!.items;
    start.splice(indexOf(start, from[1]), 0, raw(`<w:commentRangeStart w:id="${id}"/>`));
    const parent = reply === undefined ? '' : ` w15:paraIdParent="0000000${reply}"`;
    this.comments.push(
      `<w:comment w:id="${id}" w:author="${author}" w:date="${DATE}"><w:p w14:paraId="0000000${id}"><w:r><w:t>${text}</w:t></w:r></w:p></w:comment>`,
    );
    this.extended.push(`<w15:commentEx w15:paraId="0000000${id}"${parent} w15:done="0"/>`);
  }

  /** Replaces text of another part of the file, such as a header. */
  replaceIn(path: string, from: string, to: string): void {
    const xml = Buffer.from(this.files[path]!).toString('utf8');
    if (!xml.includes(from)) throw new Error(`${path} has no ${from}`);
    this.files[path] = Buffer.from(xml.replace(from, to));
  }

  save(): Uint8Array {
    const xml = this.parts.map((part) => (typeof part === 'string' ? part : this.write(part))).join('');
    const files = { ...this.files, 'word/document.xml': Buffer.from(xml) };
    if (this.comments.length > 0) this.addComments(files);
    return zipSync(files);
  }

  private addComments(files: Record<string, Uint8Array>): void {
    const root = (name: string, items: string[]) =>
      Buffer.from(
        `<${name} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml">${items.join('')}</${name}>`,
      );
    files['word/comments.xml'] = root('w:comments', this.comments);
    files['word/commentsExtended.xml'] = root('w15:commentsEx', this.extended);
  }

  private write({ properties, items, end }: Paragraph): string {
    const mark = this.tag('ins', end.inserted, null) + this.tag('del', end.deleted, null);
    const own = properties === '' ? '<w:pPr></w:pPr>' : properties;
    const written = mark === '' ? properties : own.replace('</w:pPr>', `<w:rPr>${mark}</w:rPr></w:pPr>`);
    return `<w:p>${written}${items.map((item) => this.run(item)).join('')}</w:p>`;
  }

  private run({ char, xml, inserted, deleted }: Item): string {
    if (char === null) return xml;
    const text = char.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const name = deleted === null ? 'w:t' : 'w:delText';
    const run = `<w:r>${xml}<${name} xml:space="preserve">${text}</${name}></w:r>`;
    const inner = deleted === null ? run : this.tag('del', deleted, run);
    return inserted === null ? inner : this.tag('ins', inserted, inner);
  }

  private tag(name: string, author: string | null, content: string | null): string {
    if (author === null) return '';
    const tag = `<w:${name} w:id="${this.lastId++}" w:author="${author}" w:date="${DATE}"`;
    return content === null ? `${tag}/>` : `${tag}>${content}</w:${name}>`;
  }
}

const isShown = ({ inserted, deleted }: Mark, isAccepted: (author: string) => boolean): boolean =>
  (inserted === null || isAccepted(inserted)) && (deleted === null || !isAccepted(deleted));

function remove(mark: Mark, author: string | null, take: () => void): void {
  if (author === null || mark.inserted === author) take();
  else mark.deleted ??= author;
}

/** Returns the index of the item before which the character at a position of the text is. */
function indexOf(items: readonly Item[], at: number): number {
  let left = at;
  const index = items.findIndex(({ char }) => char !== null && left-- === 0);
  return index < 0 ? items.length : index;
}

function paragraphOf(properties: string, content: string): Paragraph {
  const items: Item[] = [];
  const raw = (xml: string) => xml !== '' && items.push({ char: null, xml, inserted: null, deleted: null });
  let at = 0;
  for (const match of content.matchAll(RUN)) {
    raw(content.slice(at, match.index));
    const text = match[2]!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    for (const char of text) items.push({ char, xml: match[1] ?? '', inserted: null, deleted: null });
    at = match.index + match[0].length;
  }
  raw(content.slice(at));
  return { properties, items, end: { inserted: null, deleted: null } };
}
