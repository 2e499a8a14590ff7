import { DocumentText, type Item } from '../document-text.js';
import type { Numbering } from '../numbering.js';
import { type RunStyle, StyledText } from '../styled-text.js';
import { symbolText } from '../symbols.js';
import type { Attributes } from '../xml.js';
import type { OdfParts } from './parts.js';
import { type OdfStyles, OUTLINE } from './styles.js';
import type { OdfTable } from './table.js';

/** Looks of a run of text that affect its meaning. */
interface Run {
  style: RunStyle;
  isHidden: boolean;
  font: string;
}

const PLAIN: Run = { style: 'plain', isHidden: false, font: '' };
/** Code points that symbol fonts use. */
const SYMBOLS = /[\uf000-\uf0ff]/g;
const STORY_ENDS = new WeakSet<() => void>();

/** Reads the paragraphs of an OpenDocument file into the current story. */
export class OdfParagraphs {
  readonly stories = [new OdfStory()];
  protected readonly open: { name: string; onEnd: (() => void) | null }[] = [];
  protected readonly lists: OdfLists;
  protected readonly forms = new OdfForms();
  protected readonly runs: Run[] = [PLAIN];
  protected readonly deletions = new Map<string, string>();
  protected skip = 0;
  protected contentsLines: number | null = null;

  /** The text of the whole file, which has the notes. */
  protected readonly root: OdfStory;

  /** @param root of the file that an embedded object is in */
  constructor(
    protected readonly styles: OdfStyles,
    protected readonly parts: OdfParts,
    root: OdfStory | null = null,
    protected readonly depth = 0,
  ) {
    this.root = root ?? this.stories[0]!;
    this.lists = new OdfLists(styles.numbering);
  }

  protected get story(): OdfStory {
    return this.stories.at(-1)!;
  }

  protected onEnd(action: () => void): void {
    this.open.at(-1)!.onEnd = action;
  }

  protected shown(characters: string): void {
    const { story } = this;
    const { style, isHidden, font } = this.runs.at(-1)!;
    const text = characters.replace(SYMBOLS, (symbol) =>
      symbolText(font, symbol.charCodeAt(0).toString(16).toUpperCase()),
    );
    story.plain += text;
    if (isHidden) return this.omit('hidden text', text);
    story.inline.runStyle = style;
    story.inline.words(text);
  }

  protected omit(what: string, words: string): void {
    const last = this.story.omitted.at(-1);
    if (last?.[0] === what && what === 'hidden text') last[1] += words;
    else this.story.omitted.push([what, words]);
  }

  protected beginParagraph(name: string, attributes: Attributes): void {
    const { story } = this;
    const style = this.styles.of('paragraph', attributes['text:style-name']);
    const runs = { style: style.run ?? 'plain', isHidden: style.isHidden ?? false, font: style.font ?? '' };
    story.paragraphs++;
    this.runs.push(runs);
    this.onEnd(() => {
      this.runs.pop();
      story.paragraphs--;
      story.plain += ' ';
      this.endParagraph(name === 'text:h' ? attributes : null);
    });
  }

  /** @param heading attributes of a heading; null for a plain paragraph */
  protected endParagraph(heading: Attributes | null): void {
    const { story } = this;
    const words = story.inline.takeLines();
    if (this.contentsLines !== null) {
      if (words.length > 0) this.contentsLines++;
      return;
    }
    const isInList = this.lists.isInside && this.stories.length === this.listDepth();
    const item = isInList ? this.lists.take() : null;
    if (heading) this.heading(heading, words, item?.label.text);
    else {
      const lines = words.length === 0 && item?.label.text ? [''] : words;
      if (item === null && isInList) story.text.continuation(lines);
      else story.text.paragraph(lines, item);
    }
    story.flush();
  }

  protected heading(attributes: Attributes, lines: readonly string[], listed: string | undefined): void {
    const level = Math.max(1, Number(attributes['text:outline-level'] ?? 1) || 1);
    const isNumbered =
      listed === undefined && lines.length > 0 && attributes['text:is-list-header'] !== 'true';
    const label = isNumbered ? this.styles.numbering.next(OUTLINE, level - 1).text : (listed ?? '');
    this.story.text.heading(level, lines, label);
  }

  /** Returns the number of stories that were open where the innermost list began. */
  protected listDepth(): number {
    const at = this.open.findLastIndex(({ name }) => name === 'text:list');
    return 1 + this.open.slice(0, at).filter(({ onEnd }) => onEnd !== null && STORY_ENDS.has(onEnd)).length;
  }

  protected beginRun(attributes: Attributes): void {
    const outer = this.runs.at(-1)!;
    const style = this.styles.of('text', attributes['text:style-name']);
    this.runs.push({
      style: style.run ?? outer.style,
      isHidden: style.isHidden ?? outer.isHidden,
      font: style.font ?? outer.font,
    });
    this.onEnd(() => void this.runs.pop());
  }

  protected beginLink(address: string): void {
    const { inline } = this.story;
    inline.beginPart();
    this.onEnd(() => inline.endLink(address));
  }

  protected ruby(): void {
    this.shown('(');
    this.onEnd(() => this.shown(')'));
  }

  protected deletion(id: string): void {
    this.omit('deleted text', this.deletions.get(id) ?? '');
    this.deletions.delete(id);
  }

  /** Begins a text apart from the current one. @param use gets the text when it ends, and the one around it */
  protected beginStory(use: (story: OdfStory, outer: OdfStory) => void, begun = new OdfStory()): void {
    this.stories.push(begun);
    this.runs.push(PLAIN);
    const end = () => {
      this.runs.pop();
      const story = this.stories.pop()!;
      story.flush();
      this.story.plain += ` ${story.plain}`;
      use(story, this.story);
    };
    STORY_ENDS.add(end);
    this.onEnd(end);
  }
}

/** Words that a form's controls show, by control ID. */
class OdfForms {
  private readonly shown = new Map<string, string>();
  private id = '';
  private field = { type: '', values: [] as string[], result: -1, isChecked: false };

  /** Reads an element within `office:forms`. */
  open(name: string, attributes: Attributes): void {
    const id = attributes['form:id'] ?? attributes['xml:id'];
    if (id !== undefined) this.id = id;
    const label = attributes['form:label'] ?? '';
    const value = attributes['form:current-value'] ?? attributes['form:value'] ?? '';
    if (name === 'form:checkbox' || name === 'form:radio') {
      const state = attributes['form:current-state'] ?? attributes['form:state'];
      const isOn =
        state === 'checked' ||
        (attributes['form:current-selected'] ?? attributes['form:selected']) === 'true';
      this.add(`${isOn ? '☒' : '☐'} ${label}`);
    } else if (name === 'form:option' || name === 'form:item') {
      const isOn = (attributes['form:current-selected'] ?? attributes['form:selected']) === 'true';
      if (isOn) this.add(label);
    } else if (name === 'form:hidden' || name === 'form:password') return;
    else if (name.startsWith('form:')) this.add([label, value].filter((words) => words !== '').join(' '));
  }

  /** Adds words inside of the current control. */
  add(words: string): void {
    if (words.trim() !== '')
      this.shown.set(this.id, [this.shown.get(this.id), words.trim()].filter(Boolean).join(' '));
  }

  /** Returns the displayed text of a control. */
  of(id: string): string {
    return this.shown.get(id) ?? '';
  }

  /** Reads a form field of Word in an OpenDocument text: `field:fieldmark` and its parameters. */
  openField(name: string, attributes: Attributes): void {
    const value = attributes['field:value'] ?? '';
    const parameter = attributes['field:name'] ?? '';
    if (name === 'field:fieldmark')
      this.field = { type: attributes['field:type'] ?? '', values: [], result: -1, isChecked: false };
    else if (parameter === 'Checkbox_Checked') this.field.isChecked = value === 'true';
    else if (parameter === 'Dropdown_ListEntry') this.field.values.push(value);
    else if (parameter === 'Dropdown_Selected') this.field.result = Number(value) || 0;
  }

  /** Ends a form field and returns its displayed text. */
  endField(): string {
    const { type, values, result, isChecked } = this.field;
    if (type.endsWith('FORMCHECKBOX')) return isChecked ? '☒' : '☐';
    return values[result] ?? '';
  }
}

interface OpenList {
  style: string;
  /** Name of the list in the numbering. */
  list: string;
  /** True if the next paragraph begins an item. */
  isItem: boolean;
}

/** The lists around the current paragraph of an OpenDocument text. */
class OdfLists {
  private readonly open: OpenList[] = [];
  private count = 0;
  /** The last list of each style, and lists by their IDs. */
  private readonly last = new Map<string, string>();
  private readonly named = new Map<string, string>();

  constructor(private readonly numbering: Numbering) {}

  get isInside(): boolean {
    return this.open.length > 0;
  }

  begin(attributes: Attributes): void {
    const outer = this.open.at(-1);
    const style = attributes['text:style-name'] ?? outer?.style ?? '';
    const list = outer && style === outer.style ? outer.list : this.listOf(style, attributes);
    const id = attributes['xml:id'];
    if (id !== undefined) this.named.set(id, list);
    this.last.set(style, list);
    this.open.push({ style, list, isItem: false });
  }

  end(): void {
    this.open.pop();
  }

  /** Begins an item; the first paragraph in it has its number. */
  beginItem(startValue: string | undefined): void {
    const list = this.open.at(-1);
    if (!list) return;
    list.isItem = true;
    if (startValue !== undefined)
      this.numbering.startAt(list.list, this.open.length - 1, Number(startValue) || 0);
  }

  endItem(): void {
    const list = this.open.at(-1);
    if (list) list.isItem = false;
  }

  /** Returns the item that begins with this paragraph; null outside of lists and in later paragraphs of an item. */
  take(): Item | null {
    const list = this.open.at(-1);
    if (!list?.isItem) return null;
    // An item may begin with an inner list. Then the outer item begins here, too.
    for (const each of this.open) each.isItem = false;
    const level = Math.min(8, this.open.length - 1);
    return { label: this.numbering.next(list.list, level), level };
  }

  private listOf(style: string, attributes: Attributes): string {
    const continued =
      this.named.get(attributes['text:continue-list'] ?? '') ??
      (attributes['text:continue-numbering'] === 'true' ? this.last.get(style) : undefined);
    if (continued !== undefined) return continued;
    const list = `list ${++this.count}`;
    this.numbering.addList(list, style, list);
    return list;
  }
}

/** Part of an OpenDocument file's text during reading: the body, a note, text box, cell, header or comment. */
export class OdfStory {
  inline = new StyledText();
  /** Text boxes of the current paragraph, which follow it. */
  readonly boxes: DocumentText[] = [];
  /** Words that the document does not show, with the reason. */
  readonly omitted: [what: string, words: string][] = [];
  /** All words without Markdown, for a comment about the story. */
  plain = '';
  /** Depth of open paragraphs. Text outside of paragraphs is ignored. */
  paragraphs = 0;
  /** Number of notes so far, for the outermost text. */
  notes = 0;
  /** Comments about omitted words of cells, which follow the table. */
  readonly marks: string[] = [];
  table: OdfTable | null = null;

  constructor(readonly text = new DocumentText()) {}

  /** Appends the text boxes and comments of the preceding paragraph. */
  flush(): void {
    for (const box of this.boxes.splice(0)) this.text.append(box);
    for (const [what, words] of this.omitted.splice(0)) this.text.leaveOut(what, words);
    if (this.table === null) for (const mark of this.marks.splice(0)) this.text.lines([mark]);
  }
}
