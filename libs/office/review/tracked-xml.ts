import { escapeAttribute, escapeText } from '../docx/write/xml.js';
import { BREAK, OBJECT, type Revision } from './marked-text.js';
import type { SentParagraph } from './original.js';

/** Words with the same formatting. */
export interface FormattedWords {
  text: string;
  /** Run properties; null for those of the text next to the words. */
  properties: string | null;
}

/** Words to insert at a position of the sent text. */
export interface TrackedInsertion {
  by: Revision;
  /** Place in the file of the change: the same for words that follow each other. */
  sent: number;
  words: FormattedWords[];
  /** Who deletes the words again. */
  deletedBy: Revision | null;
  /** Whose formatting the words have; the previous character also has them in its link. */
  like: 'previous' | 'next' | null;
  /** Paragraph whose properties whole paragraphs have, which are inserted above the position; null for words. */
  model: SentParagraph | null;
  /** Words of other people at the beginning of whole paragraphs. */
  begin: TrackedInsertion[];
}

/** Tracked changes by their positions in the sent text, where the end of a paragraph is a character. */
export interface TrackedEdits {
  deleted: Map<number, Revision>;
  inserted: Map<number, TrackedInsertion[]>;
  /** Marks of comments. */
  marks: Map<number, string>;
}

/** A character, or XML that shows none. */
interface Item {
  char: string;
  /** Properties of the character's run; for others the XML itself. */
  xml: string;
  isText: boolean;
}

interface WrittenParagraph {
  properties: string;
  content: string;
}

const [OPEN, CLOSE, TEXT] = [
  '<w:p>',
  '</w:p>',
  /<w:t(?: xml:space="preserve")?>([^<]*)<\/w:t>|<w:tab\/>|<w:br\/>/g,
];
/** IDs of tracked changes begin above those of bookmarks and comments. */
const FIRST_ID = 1_000_000;

/** Writes tracked changes into the parts of a Word file of our writer. */
export class TrackedXml {
  private lastId = FIRST_ID;
  private readonly written = new Map<SentParagraph, WrittenParagraph>();
  /** XML between the paragraphs and the paragraphs, of each part. */
  private readonly parts: (string | SentParagraph)[][];

  /** @param parts XML of the document and of its notes @throws Error if they do not have these paragraphs */
  constructor(parts: readonly string[], paragraphs: readonly SentParagraph[]) {
    const rest = [...paragraphs];
    this.parts = parts.map((xml) => this.partsOf(xml, rest));
    if (rest.length > 0) throw new Error('The Word file has fewer paragraphs than its text.');
  }

  /** Returns whether a paragraph is in the first part. */
  isInBody = (paragraph: SentParagraph): boolean => this.parts[0]!.includes(paragraph);

  /** Returns the parts with the changes. */
  write(edits: TrackedEdits): string[] {
    return this.parts.map((part) => {
      let xml = '';
      for (const each of part) {
        if (typeof each === 'string') {
          xml += each;
          continue;
        }
        const above = (edits.inserted.get(each.start) ?? []).filter(({ model }) => model !== null);
        // Paragraphs above a table are not in its first cell.
        const at = above.length > 0 && each.paragraph.cell !== null ? xml.lastIndexOf('<w:tbl>') : xml.length;
        if (above.length > 0)
          xml = xml.slice(0, at) + above.map((one) => this.wholeParagraphs(one)).join('') + xml.slice(at);
        xml += this.paragraph(each, edits);
      }
      return xml;
    });
  }

  private partsOf(xml: string, rest: SentParagraph[]): (string | SentParagraph)[] {
    const parts: (string | SentParagraph)[] = [];
    let [at, from] = [0, 0];
    for (;;) {
      const start = xml.indexOf(OPEN, from);
      if (start < 0) return [...parts, xml.slice(at)];
      // The table of contents is not read.
      const contents = xml.slice(from, start).indexOf('<w:sdt>');
      if (contents >= 0) {
        from = xml.indexOf('</w:sdt>', from + contents);
        continue;
      }
      const end = xml.indexOf(CLOSE, start);
      const inner = xml.slice(start + OPEN.length, end);
      const [properties = '', content = ''] = headOf(inner, 'w:pPr');
      const paragraph = rest.shift();
      if (!paragraph) throw new Error('The Word file has more paragraphs than its text.');
      this.written.set(paragraph, { properties, content });
      parts.push(xml.slice(at, start), paragraph);
      at = from = end + CLOSE.length;
    }
  }

  private wholeParagraphs(insertion: TrackedInsertion): string {
    const { properties } = this.written.get(insertion.model!)!;
    let [xml, own] = ['', ''];
    for (const { words, by, deletedBy } of [...insertion.begin, insertion])
      for (const { text, properties: marks } of words)
        for (const [i, line] of text.split('\n').entries()) {
          if (i > 0) {
            xml += OPEN + this.withInsertedEnd(properties, by, deletedBy) + own + CLOSE;
            own = '';
          }
          own += this.run(line, marks ?? '', by, deletedBy);
        }
    return xml;
  }

  private paragraph(place: SentParagraph, edits: TrackedEdits): string {
    const { properties, content } = this.written.get(place)!;
    const { deleted, inserted, marks } = edits;
    let isChanged = deleted.has(place.end);
    for (let at = place.start; at <= place.end && !isChanged; at++)
      isChanged = deleted.has(at) || inserted.has(at) || marks.has(at);
    if (!isChanged) return `${OPEN}${properties}${content}${CLOSE}`;
    let [xml, own, link, at] = ['', '', '', place.start];
    let open = null as { text: string; properties: string; by: Revision | undefined } | null;
    const close = () => {
      if (open === null) return;
      const run = runXml(open.text, open.properties, open.by !== undefined);
      own += open.by ? this.tag('del', open.by, run) : run;
      open = null;
    };
    const insert = (isHere: (insertion: TrackedInsertion) => boolean, near: string) => {
      for (const insertion of inserted.get(at) ?? []) {
        if (insertion.model !== null || !isHere(insertion)) continue;
        close();
        const { words, by, deletedBy, like } = insertion;
        for (const { text, properties: given } of words)
          for (const [i, line] of text.split('\n').entries()) {
            if (i > 0) {
              const ended = link === '' ? own : `${own}</w:hyperlink>`;
              xml += OPEN + this.withInsertedEnd(properties, by, deletedBy) + ended + CLOSE;
              own = link;
            }
            own += this.run(line, given ?? (like === null ? '' : near), by, deletedBy);
          }
      }
    };
    const isAfter = ({ like }: TrackedInsertion) => like === 'previous';
    const isBefore = (insertion: TrackedInsertion) => !isAfter(insertion);
    const mark = () => {
      if (!marks.has(at)) return;
      close();
      own += marks.get(at)!;
    };
    for (const { char, xml: raw, isText } of itemsOf(content)) {
      const near = isText ? raw : '';
      if (char !== '') {
        mark();
        insert(isBefore, near);
      }
      const by = char === '' ? undefined : deleted.get(at);
      if (open !== null && !(isText && open.properties === raw && open.by === by)) close();
      if (isText) open = { text: (open?.text ?? '') + char, properties: raw, by };
      else own += by ? this.tag('del', by, raw) : raw;
      if (char === '') link = linkAfter(raw, link);
      else {
        at++;
        insert(isAfter, near);
      }
    }
    if (at !== place.end) throw new Error('A paragraph of the Word file has not the text that was read.');
    mark();
    insert(isBefore, '');
    close();
    const by = deleted.get(at);
    return xml + OPEN + (by ? withEnd(properties, this.tag('del', by)) : properties) + own + CLOSE;
  }

  /** Writes inserted words. */
  private run(text: string, properties: string, by: Revision, deletedBy: Revision | null): string {
    const shown = text.replaceAll(OBJECT, '');
    if (shown === '') return '';
    const run = runXml(shown, properties, deletedBy !== null);
    return this.tag('ins', by, deletedBy ? this.tag('del', deletedBy, run) : run);
  }

  private withInsertedEnd(properties: string, by: Revision, deletedBy: Revision | null): string {
    return withEnd(properties, this.tag('ins', by) + (deletedBy ? this.tag('del', deletedBy) : ''));
  }

  private tag(name: string, { author, date }: Revision, content = ''): string {
    const when = date === null ? '' : ` w:date="${escapeAttribute(date)}"`;
    const tag = `<w:${name} w:id="${this.lastId++}" w:author="${escapeAttribute(author)}"${when}`;
    return content === '' ? `${tag}/>` : `${tag}>${content}</w:${name}>`;
  }
}

/** Returns the opening tag of the link that is open after XML. */
function linkAfter(xml: string, before: string): string {
  const [start, end] = [xml.lastIndexOf('<w:hyperlink '), xml.lastIndexOf('</w:hyperlink>')];
  if (start > end) return xml.slice(start, xml.indexOf('>', start) + 1);
  return end >= 0 ? '' : before;
}

/** Splits an element from the beginning of XML. @returns the element, or nothing, and the rest */
function headOf(xml: string, name: string): [string, string] {
  const close = `</${name}>`;
  const end = xml.startsWith(`<${name}>`) ? xml.indexOf(close) + close.length : 0;
  return [xml.slice(0, end), xml.slice(end)];
}

/** Adds a tracked change of the end of a paragraph to its properties. */
function withEnd(properties: string, mark: string): string {
  if (properties === '') return `<w:pPr><w:rPr>${mark}</w:rPr></w:pPr>`;
  const section = properties.indexOf('<w:sectPr');
  const at = section < 0 ? properties.lastIndexOf('</w:pPr>') : section;
  return `${properties.slice(0, at)}<w:rPr>${mark}</w:rPr>${properties.slice(at)}`;
}

function runXml(text: string, properties: string, isDeleted: boolean): string {
  const name = isDeleted ? 'w:delText' : 'w:t';
  const content = text.split(/([\t\v])/).map((part) => {
    if (part === '\t') return '<w:tab/>';
    if (part === BREAK) return '<w:br/>';
    return part === '' ? '' : `<${name} xml:space="preserve">${escapeText(part)}</${name}>`;
  });
  return `<w:r>${properties}${content.join('')}</w:r>`;
}

function itemsOf(content: string): Item[] {
  const items: Item[] = [];
  const raw = (xml: string) => {
    const formulas = xml.split(/<m:oMath[ >]/).length - 1;
    items.push({ char: formulas > 0 ? OBJECT : '', xml, isText: false });
    for (let i = 1; i < formulas; i++) items.push({ char: OBJECT, xml: '', isText: false });
  };
  for (const [i, part] of content.split('<w:r>').entries()) {
    const end = i === 0 ? 0 : part.indexOf('</w:r>');
    if (i > 0) items.push(...itemsOfRun(part.slice(0, end)));
    const rest = part.slice(i === 0 ? 0 : end + '</w:r>'.length);
    if (rest !== '') raw(rest);
  }
  return items;
}

function itemsOfRun(run: string): Item[] {
  const [properties, content] = headOf(run, 'w:rPr');
  if (content.replace(TEXT, '') !== '') {
    const isShown = /<w:(?:drawing|footnoteReference)[ >]/.test(content);
    return [{ char: isShown ? OBJECT : '', xml: `<w:r>${run}</w:r>`, isText: false }];
  }
  return [...content.matchAll(TEXT)].flatMap(([tag, text]) => {
    const shown = tag === '<w:tab/>' ? '\t' : tag === '<w:br/>' ? BREAK : unescaped(text ?? '');
    return shown.split('').map((char) => ({ char, xml: properties, isText: true }));
  });
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
