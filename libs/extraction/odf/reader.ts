import { parseFragment } from 'parse5';
import { escapeInline } from '#markdown/escape.js';
import { DocumentText } from '../document-text.js';
import { formulaMarkdown, type FormulaText } from '../tex.js';
import type { Element } from '../html/elements.js';
import { formulaOf } from '../html/mathml.js';
import { imageMarkdown, withoutBreaks } from '../inline-text.js';
import { type Attributes, readXml } from '../xml.js';
import { OdfParagraphs, OdfStory } from './paragraphs.js';
import type { OdfStyles } from './styles.js';
import { OdfTable } from './table.js';

/** Shapes that contain paragraphs, which are read as separate texts. */
const SHAPES = new Set(
  'text-box custom-shape rect ellipse circle line polyline polygon regular-polygon path connector measure caption'
    .split(' ')
    .map((name) => `draw:${name}`),
);
/** Objects within objects that are read. */
const DEEPEST_OBJECT = 3;
/** Heading level of slides and sheets. The document's heading is the file's. */
const PAGE_LEVEL = 2;

interface Frame {
  alt: string;
  image: string | null;
  hasObject: boolean;
  isTitle: boolean;
  /** Element that the master page repeats on all slides, such as `footer`. */
  running: string | null;
}

/** Reads the frames, shapes, pictures, objects and slides of an OpenDocument file. */
abstract class OdfDrawings extends OdfParagraphs {
  protected readonly frames: Frame[] = [];
  protected description = '';
  protected page = 0;

  /** Reads the content of an embedded object. */
  protected abstract readObject(xml: string, styles: OdfStyles): { text: DocumentText; plain: string };

  protected beginDrawing(name: string, attributes: Attributes): void {
    const frame = this.frames.at(-1);
    if (name === 'draw:frame') this.beginFrame(attributes);
    else if (name === 'draw:page') this.beginPage(attributes);
    else if (name === 'draw:image' && frame) frame.image ??= attributes['xlink:href'] ?? null;
    else if (name === 'draw:object' && frame) this.object(attributes['xlink:href'] ?? '', frame);
    else if (name === 'draw:control') this.shown(this.forms.of(attributes['draw:control'] ?? ''));
    else if (SHAPES.has(name)) this.beginStory((story, outer) => this.addBox(story, outer, frame));
  }

  protected addBox(story: OdfStory, outer: OdfStory, frame: Frame | undefined): void {
    if (frame?.isTitle) {
      const lines = story.text.takeLines().filter((line) => line !== '');
      outer.text.heading(PAGE_LEVEL, withoutBreaks(lines));
    } else if (frame?.running) outer.text.leaveOut(frame.running, story.plain);
    else if (outer.paragraphs > 0) outer.boxes.push(story.text);
    else outer.text.append(story.text);
  }

  protected beginFrame(attributes: Attributes): void {
    const kind = attributes['presentation:class'] ?? '';
    const frame = {
      alt: '',
      image: null,
      hasObject: false,
      isTitle: kind === 'title',
      running: ['footer', 'header', 'date-time', 'page-number'].includes(kind) ? kind : null,
    };
    this.frames.push(frame);
    this.onEnd(() => {
      this.frames.pop();
      this.picture(frame);
    });
  }

  protected picture({ image, hasObject, alt }: Frame): void {
    const name = image === null || hasObject ? null : this.parts.picture(image);
    if (name === null) return this.omit('alternative text', alt);
    const { story } = this;
    if (story.paragraphs > 0) story.inline.markdown(imageMarkdown(name, alt));
    else story.text.lines([imageMarkdown(name, alt)]);
  }

  protected describe(): void {
    const frame = this.frames.at(-1);
    const words = this.description.trim();
    if (frame) frame.alt = `${frame.alt} ${words}`.trim();
    else this.omit('alternative text', words);
  }

  /** Reads an embedded formula or chart. The file also contains a picture of it. */
  protected object(path: string, frame: Frame): void {
    const xml = this.parts.object(path);
    if (xml === null || this.depth >= DEEPEST_OBJECT) return;
    const { text, plain } = this.readObject(xml, this.parts.objectStyles(path) ?? this.styles);
    if (plain.trim() === '') return;
    frame.hasObject = true;
    const { story } = this;
    story.plain += ` ${plain}`;
    const lines = text.takeLines();
    // A formula is part of the paragraph around it.
    if (lines.length === 1 && story.paragraphs > 0) story.inline.markdown(lines[0]!);
    else {
      const box = new DocumentText();
      box.lines(lines);
      if (story.paragraphs > 0) story.boxes.push(box);
      else story.text.append(box);
    }
  }

  protected beginPage(attributes: Attributes): void {
    this.page++;
    const number = this.page;
    const isHidden = this.styles.of('drawing-page', attributes['draw:style-name']).isHidden;
    this.beginStory((story, outer) => {
      if (isHidden) return outer.text.leaveOut(`hidden slide ${number}`, story.plain);
      const lines = story.text.takeLines();
      const title = lines.findIndex((line) => line.startsWith('## '));
      const heading = title < 0 ? `## Slide ${number}` : lines.splice(title, 1)[0]!;
      // The title of the first slide is the document's heading.
      outer.text.lines([number === 1 && title >= 0 ? heading.slice(1) : heading, '', ...lines]);
    });
  }
}

/** Collects one MathML formula of an OpenDocument file. */
class MathReader {
  private html = '';
  private depth = 0;

  /** Whether a formula is open. Its elements and words must be passed to this reader. */
  get isReading(): boolean {
    return this.depth > 0;
  }

  open(name: string): void {
    this.depth++;
    this.html += `<${localName(name)}>`;
  }

  text(text: string): void {
    this.html += text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }

  /** @returns the formula when its last element ends, else null */
  close(name: string): FormulaText | null {
    this.html += `</${localName(name)}>`;
    if (--this.depth > 0) return null;
    const { html } = this;
    this.html = '';
    const math = parseFragment(html).childNodes.find(({ nodeName }) => nodeName === 'math');
    return math ? formulaOf(math as Element) : null;
  }
}

const localName = (name: string) => name.replace(/^[^:]*:/, '').replace(/[^\w-]/g, '');

/** Elements with words that are metadata or code. */
const SKIPPED = new Set([
  'office:change-info',
  'dc:creator',
  'dc:date',
  'meta:creator-initials',
  'text:sender-initials',
  'text:note-citation',
  'text:script',
  'office:event-listeners',
  'number:text',
  'svg:title',
  'svg:desc',
]);
/** Attributes with the value of a cell that stores no words. */
const VALUES = ['string-value', 'value', 'date-value', 'time-value', 'boolean-value'].map(
  (name) => `office:${name}`,
);
const MOST_BLANKS = 1_000;
/** Texts that slides show in their footers and headers. */
const DECLARED = /^presentation:(header|footer|date-time)-decl$/;
/** Reads the body of an OpenDocument text, spreadsheet, presentation or object. */
export class OdfReader extends OdfDrawings {
  private readonly math = new MathReader();

  /** Reads a part of the file once. */
  read(xml: string): DocumentText {
    readXml(xml, {
      open: (name, attributes) => {
        this.open.push({ name, onEnd: null });
        this.begin(name, attributes);
      },
      text: (text) => this.words(text),
      close: (name) => {
        if (this.math.isReading) this.endMath(name);
        else this.end(name);
        this.open.pop()!.onEnd?.();
      },
    });
    const [body] = this.stories;
    body!.flush();
    for (const words of this.deletions.values()) body!.text.leaveOut('deleted text', words);
    return body!.text;
  }

  private begin(name: string, attributes: Attributes): void {
    if (this.math.isReading || name === 'math:math') return this.math.open(name);
    if (SKIPPED.has(name)) {
      this.skip++;
      this.description = '';
      return this.onEnd(() => this.skip--);
    }
    if (name === 'text:p' || name === 'text:h') this.beginParagraph(name, attributes);
    else if (name === 'text:span') this.beginRun(attributes);
    else if (name === 'text:s')
      this.shown(' '.repeat(Math.min(MOST_BLANKS, Number(attributes['text:c'] ?? 1) || 1)));
    else if (name === 'text:tab') this.shown('\t');
    else if (name === 'text:line-break') this.shown('\n');
    else if (name === 'text:a') this.beginLink(attributes['xlink:href'] ?? '');
    else if (name === 'text:ruby-text') this.ruby();
    else if (name === 'text:list') this.lists.begin(attributes);
    else if (name === 'text:list-item') this.lists.beginItem(attributes['text:start-value']);
    else if (name === 'text:hidden-text') this.omit('hidden text', attributes['text:string-value'] ?? '');
    else if (name === 'text:change') this.deletion(attributes['text:change-id'] ?? '');
    else if (name.startsWith('form:')) this.forms.open(name, attributes);
    else if (name.startsWith('field:')) {
      this.forms.openField(name, attributes);
      if (name === 'field:fieldmark') this.onEnd(() => this.shown(this.forms.endField()));
    } else if (name.startsWith('table:')) this.beginTablePart(name, attributes);
    else if (name.startsWith('draw:')) this.beginDrawing(name, attributes);
    else this.beginPart(name, attributes);
  }

  private end(name: string): void {
    if (name === 'text:p' || name === 'text:h') return;
    if (name === 'text:list') this.lists.end();
    else if (name === 'text:list-item') this.lists.endItem();
    else if (name === 'svg:title' || name === 'svg:desc') this.describe();
    else if (name === 'table:table-row') this.story.table?.endRow();
  }

  private endMath(name: string): void {
    const formula = this.math.close(name);
    if (formula === null) return;
    this.story.plain += formula.plain;
    if (this.story.paragraphs > 0) this.story.inline.formula(formula);
    else this.story.text.paragraph([formulaMarkdown(formula)]);
  }

  private words(text: string): void {
    const declared = DECLARED.exec(this.open.at(-1)?.name ?? '')?.[1];
    if (declared !== undefined) this.omit(declared, text);
    else if (this.math.isReading) this.math.text(text);
    else if (this.skip > 0) this.description += text;
    else if (this.open.at(-1)?.name.startsWith('form:')) this.forms.add(text);
    else if (this.story.paragraphs > 0) this.shown(text.replace(/[ \t\r\n]+/g, ' '));
  }

  protected readObject(xml: string, styles: OdfStyles): { text: DocumentText; plain: string } {
    const reader = new OdfReader(styles, this.parts, this.root, this.depth + 1);
    const text = reader.read(xml);
    return { text, plain: reader.stories[0]!.plain };
  }

  private beginPart(name: string, attributes: Attributes): void {
    if (name === 'text:note-body') {
      const label = String(++this.root.notes);
      this.story.inline.markdown(`[^${label}]`);
      this.beginStory((story) => this.root.text.note(label, story.text));
    } else if (name === 'office:annotation') this.beginStory(({ plain }) => this.omit('comment', plain));
    else if (name === 'text:changed-region') {
      const id = attributes['text:id'] ?? attributes['xml:id'] ?? '';
      this.beginStory(({ plain }) => {
        if (plain.trim() !== '') this.deletions.set(id, plain);
      });
    } else if (name === 'text:section' && attributes['text:display'] === 'none')
      this.beginStory(({ plain }) => this.story.text.leaveOut('hidden section', plain));
    else if (name === 'text:table-of-content' && this.contentsLines === null) {
      this.contentsLines = 0;
      this.onEnd(() => {
        this.story.text.leaveOutContents(this.contentsLines ?? 0);
        this.contentsLines = null;
      });
    } else if (name === 'presentation:notes')
      this.beginStory((story, { text }) => {
        const lines = story.text.takeLines();
        if (lines.length > 0) text.lines(['**Notes**', '', ...lines]);
      });
  }

  private beginTablePart(name: string, attributes: Attributes): void {
    const { table } = this.story;
    if (name === 'table:table') this.beginTable(attributes);
    else if (name === 'table:table-column') table?.beginColumn(attributes);
    else if (name === 'table:table-row') table?.beginRow(attributes);
    else if (table && (name === 'table:table-cell' || name === 'table:covered-table-cell')) {
      table.beginCell(attributes);
      const value = VALUES.map((key) => attributes[key] ?? '').find((each) => each !== '') ?? '';
      this.beginStory((story, outer) => {
        const { markdown, marks } = story.text.takeCell();
        outer.marks.push(...story.marks, ...marks);
        const isEmpty = markdown === '' && value !== '';
        if (isEmpty) outer.plain += ` ${value}`;
        table.endCell(
          isEmpty ? escapeInline(value) : markdown,
          isEmpty ? value : story.plain,
          name.includes('covered'),
        );
      }, new OdfStory(DocumentText.forCell()));
    }
  }

  private beginTable(attributes: Attributes): void {
    const isSheet = this.open.at(-2)?.name === 'office:spreadsheet';
    const outer = this.story.table;
    const table = new OdfTable();
    this.story.table = table;
    const name = attributes['table:name'] ?? '';
    if (isSheet && this.styles.of('table', attributes['table:style-name']).isHidden)
      return this.beginHiddenSheet(name, table);
    if (isSheet) this.story.text.heading(PAGE_LEVEL, [escapeInline(name)]);
    this.onEnd(() => {
      const { story } = this;
      story.table = outer;
      table.write(story.text);
      story.flush();
    });
  }

  private beginHiddenSheet(name: string, table: OdfTable): void {
    this.beginStory(({ plain }) => this.story.text.leaveOut('hidden sheet', `${name}: ${plain}`));
    this.story.table = table;
  }
}
