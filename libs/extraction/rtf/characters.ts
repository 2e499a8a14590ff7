import { RtfField } from './field.js';
import type { Destination } from './destinations.js';
import { RtfFonts } from './fonts.js';
import { RtfLists } from './lists.js';
import { RtfMath } from './math.js';
import type { RtfPicture } from './picture.js';
import { RtfStory } from './story.js';
import { RtfStyles } from './styles.js';
import type { RunStyle } from '../styled-text.js';

/** Text boxes and notes within each other. */
const DEEPEST_STORY = 50;

/** Properties of a group, inherited by its inner groups. */
interface Group {
  /** Meaning of the group's words. */
  destination: Destination;
  font: number;
  /** Number of fallback characters after `\u`. */
  fallbacks: number;
  style: RunStyle;
  isHidden: boolean;
  isDeleted: boolean;
  onEnd: (() => void) | null;
}

/** Passes the characters of an RTF file to the story, table, field or picture of the current group. */
export class RtfCharacters {
  protected readonly styles = new RtfStyles();
  protected readonly lists = new RtfLists();
  protected readonly fonts = new RtfFonts();
  protected readonly groups: Group[] = [];
  protected group: Group = {
    destination: 'text',
    font: 0,
    fallbacks: 1,
    style: 'plain' as RunStyle,
    isHidden: false,
    isDeleted: false,
    onEnd: null,
  };
  protected readonly stories = [this.newStory()];
  protected readonly fields: RtfField[] = [];
  protected readonly pictures: RtfPicture[] = [];
  /** The formula that is being read. */
  protected math = new RtfMath();
  /** Words of the destination that is being collected. */
  protected collected = '';
  protected bytes: number[] = [];
  protected toSkip = 0;
  protected defaultFont = 0;

  protected get story(): RtfStory {
    return this.stories.at(-1)!;
  }

  protected newStory(): RtfStory {
    return new RtfStory({ styles: this.styles, numbering: this.lists.numbering });
  }

  /** Returns whether this character, word or byte only repeats a `\u` character; counts it as skipped. */
  protected isFallback(): boolean {
    if (this.toSkip === 0) return false;
    this.toSkip--;
    return true;
  }

  protected ascii(text: string): void {
    let rest = text.slice(this.toSkip);
    this.toSkip -= text.length - rest.length;
    if (rest === '') return;
    if (this.bytes.length > 0 && this.fonts.isCut(this.group.font, this.bytes)) {
      this.bytes.push(rest.charCodeAt(0));
      rest = rest.slice(1);
    }
    this.flushBytes();
    const isText = this.group.destination === 'text' || this.group.destination === 'label';
    if (isText && this.fonts.isSymbolic(this.group.font))
      this.words([...rest].map((each) => this.fonts.symbol(this.group.font, each.charCodeAt(0))).join(''));
    else this.words(rest);
  }

  protected flushBytes(): void {
    if (this.bytes.length === 0) return;
    const { bytes } = this;
    this.bytes = [];
    this.words(this.fonts.decode(this.group.font, bytes));
  }

  protected words(text: string): void {
    const { destination } = this.group;
    if (destination === 'text') this.shown(text);
    else if (destination === 'fonts') this.fonts.addName(text);
    else if (destination === 'picture') this.pictures.at(-1)?.addHex(text);
    else if (destination === 'field') this.fields.at(-1)!.instruction += text;
    else if (destination === 'levelText') this.lists.addText(text);
    else if (destination === 'label' || destination === 'collect') this.collected += text;
    else if (destination === 'styles') this.styles.name(text);
    else if (destination === 'math') this.math.text(text);
  }

  protected shown(text: string): void {
    const { story, group } = this;
    story.plain += text;
    const reason = group.isDeleted ? 'deleted text' : group.isHidden ? 'hidden text' : null;
    if (reason !== null) {
      story.omitted.set(reason, (story.omitted.get(reason) ?? '') + text);
      return;
    }
    story.inline.runStyle = group.style;
    story.inline.words(text);
  }

  protected collect(use: (text: string) => void): void {
    const before = this.collected;
    this.collected = '';
    this.group.onEnd = () => {
      use(this.collected);
      this.collected = before;
    };
  }

  /** Begins a text apart from the current one. @param use gets the text when it ends, and the one around it */
  protected beginStory(use: (story: RtfStory, outer: RtfStory) => void): void {
    // Deeper stories are merged into the one around them.
    if (this.stories.length > DEEPEST_STORY) return this.story.endParagraph();
    this.stories.push(this.newStory());
    Object.assign(this.group, { style: 'plain', isHidden: false, isDeleted: false });
    this.group.onEnd = () => {
      const story = this.stories.pop()!;
      story.end();
      // A comment about a story also contains the words of inner stories.
      if (this.stories.length > 1) this.story.plain += ` ${story.plain}`;
      use(story, this.story);
    };
  }

  protected unicode(value: number): void {
    const code = value < 0 ? value + 0x10000 : value;
    const { font } = this.group;
    const isSymbol = code >= 0xf000 && code <= 0xf0ff && this.fonts.isSymbolic(font);
    if (isSymbol) this.words(this.fonts.symbol(font, code));
    // The halves of a surrogate pair follow each other and form one character in the text.
    else if (code > 0 && code <= 0xffff) this.words(String.fromCharCode(code));
    else if (code > 0xffff && code <= 0x10ffff) this.words(String.fromCodePoint(code));
  }
}
