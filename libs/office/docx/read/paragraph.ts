import { PAGE_REFERENCE } from '../write/inlines.js';
import { READ_MARKS, type DocxImage, type DocxLink, type DocxMarked } from './types.js';

const EMU_PER_PIXEL = 9525;

interface Field {
  code: string;
  /** Whether the field's separator was read; the text after it is visible. */
  shown: boolean;
}

interface Run {
  style: string;
  text: string;
  marks: Set<DocxMarked['marks'][number]>;
}

const MARKS: Readonly<Record<string, DocxMarked['marks'][number]>> = {
  'w:b': 'bold',
  'w:i': 'italic',
  'w:strike': 'strike',
};

/** Collects one paragraph from XML events. */
export class ParagraphReader {
  style = '';
  numbering: { instance: string; level: number } | null = null;
  rightToLeft = false;
  align: string | null = null;
  text = '';
  readonly links: DocxLink[] = [];
  readonly images: DocxImage[] = [];
  readonly notes: string[] = [];
  readonly formulas: string[] = [];
  readonly bookmarks: string[] = [];

  private readonly runs: DocxMarked[] = [];
  private run: Run | null = null;
  private link: DocxLink | null = null;
  private image: DocxImage | null = null;
  private openBookmark = '';

  constructor(
    private readonly resolve: {
      link(id: string): string;
      bytes(id: string): number;
      styleName(id: string): string;
    },
    /** Fields open across paragraphs, outermost first. */
    private readonly fields: Field[],
    /** Note IDs by the bookmark around their reference. */
    private readonly noteBookmarks: Map<string, string>,
  ) {}

  open(name: string, attributes: Record<string, string>): void {
    const value = attributes['w:val'] ?? '';
    if (name === 'w:r') this.run = { style: '', text: '', marks: new Set() };
    else if (name === 'w:rStyle' && this.run) this.run.style = this.resolve.styleName(value);
    else if (name === 'w:pStyle') this.style = value;
    else if (name === 'w:numId') this.numbering = { instance: value, level: this.numbering?.level ?? 0 };
    else if (name === 'w:ilvl')
      this.numbering = { instance: this.numbering?.instance ?? '', level: Number(value) };
    else if (name === 'w:bidi') this.rightToLeft = value !== '0' && value !== 'false';
    else if (name === 'w:jc') this.align = value;
    else if (name === 'm:oMath') this.formulas.push('');
    else if (name === 'w:hyperlink') this.openLink(attributes);
    else if (this.run) this.runChild(name, attributes);
    else if (name === 'w:bookmarkStart') this.openMark(attributes['w:name'] ?? '');
  }

  private openMark(name: string): void {
    this.openBookmark = name;
    this.bookmarks.push(name);
  }

  private openLink(attributes: Record<string, string>): void {
    const anchor = attributes['w:anchor'];
    const id = attributes['r:id'];
    this.link = { text: '', target: id ? this.resolve.link(id) : `#${anchor ?? ''}` };
  }

  private runChild(name: string, attributes: Record<string, string>): void {
    const mark = MARKS[name];
    if (mark && attributes['w:val'] !== '0' && attributes['w:val'] !== 'false') this.run?.marks.add(mark);
    else if (name === 'w:tab') this.add('\t');
    else if (
      name === 'w:cr' ||
      (name === 'w:br' && (attributes['w:type'] ?? 'textWrapping') === 'textWrapping')
    )
      this.add('\n');
    else if (name === 'w:noBreakHyphen') this.add('\u2011');
    else if (name === 'w:footnoteReference') this.noteMark(attributes['w:id'] ?? '');
    else if (name === 'w:fldChar') this.fieldMark(attributes['w:fldCharType'] ?? '');
    else if (name === 'wp:extent')
      this.image = {
        alt: '',
        width: pixels(attributes.cx),
        height: pixels(attributes.cy),
        bytes: 0,
        missing: false,
      };
    else if (name === 'wp:docPr' && this.image) this.image.alt = attributes.descr ?? '';
    else if (name === 'a:blip' && this.image)
      this.image.bytes = this.resolve.bytes(attributes['r:embed'] ?? '');
  }

  private noteMark(id: string): void {
    this.notes.push(id);
    if (this.openBookmark !== '') this.noteBookmarks.set(this.openBookmark, id);
  }

  private fieldMark(type: string): void {
    if (type === 'begin') this.fields.push({ code: '', shown: false });
    else if (type === 'separate') {
      const field = this.fields.at(-1);
      if (field) field.shown = true;
      const bookmark = /^\s*NOTEREF\s+(\S+)/.exec(field?.code ?? '')?.[1];
      const note = bookmark === undefined ? undefined : this.noteBookmarks.get(bookmark);
      if (note !== undefined) this.notes.push(note);
    } else if (type === 'end') this.fields.pop();
  }

  close(name: string): void {
    if (name === 'w:r' && this.run) this.closeRun(this.run);
    else if (name === 'w:hyperlink' && this.link) {
      this.links.push(this.link);
      this.link = null;
    } else if (name === 'w:drawing' && this.image) {
      this.images.push(this.image);
      this.image = null;
    } else if (name === 'w:bookmarkEnd') this.openBookmark = '';
  }

  private closeRun(run: Run): void {
    this.run = null;
    if (run.style === 'Missing Asset') {
      this.images.push({ alt: run.text, width: 0, height: 0, bytes: 0, missing: true });
      return;
    }
    if (run.style === 'Math Source') return void this.formulas.push(run.text);
    if (run.style === PAGE_REFERENCE || /^Callout \w+ Title$/.test(run.style)) return;
    this.text += run.text;
    if (this.link) this.link.text += run.text;
    if (run.text === '') return;
    if (run.style === 'Verbatim Char') run.marks.add('code');
    const marks = READ_MARKS.filter((mark) => run.marks.has(mark));
    const last = this.runs.at(-1);
    if (last?.marks.join() === marks.join()) last.text += run.text;
    else this.runs.push({ text: run.text, marks });
  }

  get marked(): DocxMarked[] {
    return this.runs.filter((run) => run.marks.length > 0);
  }

  /** Adds text inside `element`. */
  addText(element: string, text: string): void {
    const field = this.fields.at(-1);
    if (element === 'w:instrText' && field) field.code += text;
    else if (element === 'm:t') this.formulas.push((this.formulas.pop() ?? '') + text);
    else if (element === 'w:t' && !/^\s*NOTEREF/.test(field?.code ?? '')) this.add(text);
  }

  private add(text: string): void {
    if (this.run && this.fields.every((field) => field.shown)) this.run.text += text;
  }
}

export type { Field };

function pixels(emu: string | undefined): number {
  return Number(emu ?? 0) / EMU_PER_PIXEL;
}
