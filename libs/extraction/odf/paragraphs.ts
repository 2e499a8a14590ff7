import type { RunStyle } from '../styled-text.js';
import { symbolText } from '../symbols.js';
import type { Attributes } from '../xml.js';
import { OdfForms } from './forms.js';
import { OdfLists } from './lists.js';
import type { OdfParts } from './parts.js';
import { OdfStory } from './story.js';
import { OUTLINE, type OdfStyles } from './styles.js';

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
