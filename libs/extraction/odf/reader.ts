import { escapeInline } from '#markdown/escape.js';
import { DocumentText } from '../document-text.js';
import { formulaMarkdown } from '../formula.js';
import { readXml, type Attributes } from '../xml.js';
import { OdfDrawings, PAGE_LEVEL } from './drawings.js';
import { MathReader } from './math.js';
import { OdfStory } from './story.js';
import type { OdfStyles } from './styles.js';
import { OdfTable } from './table.js';

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
