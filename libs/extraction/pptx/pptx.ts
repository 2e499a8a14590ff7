import type { EmbeddedImages } from '../embedded-images.js';
import { DocumentText } from '../document-text.js';
import { canBeTitle } from '#markdown/title.js';
import { isMark } from '../left-out.js';
import { damaged } from '../errors.js';
import { withoutBreaks } from '../inline-text.js';
import { PackageMedia } from '../ooxml/media.js';
import { OfficePackage, type Relationship } from '../ooxml/package.js';
import { ShapeReader, type Shape, type Box, inSeenOrder } from '../ooxml/shape-reader.js';
import { readXml } from '../xml.js';

const TITLES = new Set(['title', 'ctrTitle']);
/** Placeholders that repeat the same on all slides. */
const RUNNING: Record<string, string> = { ftr: 'footer', hdr: 'header', dt: 'date', sldNum: 'slide number' };
/** More shapes than on any slide for readers; those of hostile files stay in their order. */
const MOST_SHAPES = 300;
/** Heading level of slides. The title of the first slide is the document's heading. */
const SLIDE_LEVEL = 2;
/** Size of the letters of placeholders in most themes, in hundredths of a point; slides seldom repeat it. */
const THEME_LETTERS = 3_200;

/**
 * Returns the text of a PowerPoint presentation as Markdown: each slide below its title, with its text boxes, lists, tables, charts, diagrams and
 * pictures, and the speaker's notes. Comments name what is omitted: hidden slides and shapes, footers, texts that a layout repeats, comments of
 * reviewers.
 *
 * @throws ExtractionError for a damaged or oversized file
 */
export function pptxText(bytes: Uint8Array, fileName: string, images: EmbeddedImages): string {
  const parts = new OfficePackage(bytes, fileName, 'ppt/presentation.xml');
  try {
    const reader = new SlideReader(parts, new PackageMedia(bytes, fileName, images));
    const slides = slideIds(parts.text(parts.main)!).map((id) => parts.relationships.get(id)?.target ?? '');
    // A small file may name a slide thousands of times, which no valid file does.
    [...new Set(slides)].forEach((path, index) => reader.read(path, index + 1));
    return reader.text.take();
  } catch (error) {
    throw damaged(fileName, error);
  }
}

/** Returns the relationships of the slides in their order. */
function slideIds(xml: string): string[] {
  const ids: string[] = [];
  readXml(xml, {
    open: (name, attributes) => void (name === 'p:sldId' && ids.push(attributes['r:id'] ?? '')),
    close: () => undefined,
  });
  return ids;
}

class SlideReader {
  readonly text = new DocumentText();
  private readonly running = new Set<string>();
  private readonly layouts = new Map<string, readonly Shape[]>();

  constructor(
    private readonly parts: OfficePackage,
    private readonly media: PackageMedia,
  ) {}

  read(path: string, number: number): void {
    const xml = this.parts.text(path);
    if (xml === null) return;
    const relationships = this.parts.relationshipsOf(path);
    const related = (type: string) => [...relationships.values()].filter((each) => each.type === type);
    const shapes = this.asSeen(
      new ShapeReader(this.parts, this.media, relationships, true).read(xml),
      relationships,
    );
    const notes = related('notesSlide').flatMap(({ target }) => this.shapesOf(target));
    const comments = related('comments').map(({ target }) => commentWords(this.parts.text(target) ?? ''));
    if (isHidden(xml)) {
      const words = [...shapes, ...bodyOf(notes)].map(({ plain }) => plain).join(' ');
      this.text.leaveOut(`hidden slide ${number}`, [words, ...comments].join(' '));
      return;
    }
    this.slide(shapes, number);
    this.layout(relationships);
    this.runningOf(notes);
    for (const { text } of bodyOf(notes)) {
      const lines = text.takeLines();
      if (lines.length > 0) this.text.lines(['**Notes**', '', ...lines]);
    }
    for (const words of comments) this.text.leaveOut('comment', words);
  }

  /** Returns shapes in the order seen; in that of the file if the place of one with words is unknown. */
  private asSeen(
    shapes: readonly Shape[],
    relationships: ReadonlyMap<string, Relationship>,
  ): readonly Shape[] {
    const models = this.layoutShapes(relationships);
    const placed = shapes
      .filter(({ text, plain }) => !text.isEmpty || plain.trim() !== '')
      .map((item) => ({ item, box: item.box ?? boxIn(models, item) }));
    if (placed.length > MOST_SHAPES || placed.some(({ box }) => !box)) return shapes;
    return inSeenOrder(placed.map(({ item, box }) => ({ item, box: box! })));
  }

  /** Returns the shapes of a slide's layout and of its master. */
  private layoutShapes(relationships: ReadonlyMap<string, Relationship>): readonly Shape[] {
    const layout = targetOf(relationships, 'slideLayout');
    const known = this.layouts.get(layout);
    if (known) return known;
    const master = targetOf(this.parts.relationshipsOf(layout), 'slideMaster');
    const shapes = [layout, master].flatMap((path) => this.shapesOf(path));
    this.layouts.set(layout, shapes);
    return shapes;
  }

  private shapesOf(path: string): Shape[] {
    const xml = this.parts.text(path);
    const relationships = this.parts.relationshipsOf(path);
    return xml === null ? [] : new ShapeReader(this.parts, this.media, relationships).read(xml);
  }

  private slide(shapes: readonly Shape[], number: number): void {
    const title =
      shapes.find(
        ({ placeholder, isHidden: hidden, lines }) =>
          !hidden && TITLES.has(placeholder ?? '') && lines.length > 0,
      ) ??
      largestLine(shapes) ??
      firstLine(shapes);
    const lines = title?.text.takeLines().filter(isNotBlank) ?? [`Slide ${number}`];
    this.text.heading(
      title && number === 1 ? 1 : SLIDE_LEVEL,
      withoutBreaks(lines.filter((line) => !isMark(line))),
    );
    this.text.lines(lines.filter(isMark));
    for (const shape of shapes) {
      const running = RUNNING[shape.placeholder ?? ''];
      if (shape.isHidden) this.text.leaveOut('hidden shape', shape.plain);
      else if (running !== undefined) this.leaveOutOnce(running, shape.plain);
      else if (shape !== title) this.text.append(shape.text);
    }
  }

  /** Reports the texts that a slide's layout and master show on each slide. */
  private layout(relationships: ReadonlyMap<string, Relationship>): void {
    for (const { placeholder, plain } of this.layoutShapes(relationships))
      if (placeholder === null && plain.trim() !== '') this.leaveOutOnce('text of the slide layout', plain);
  }

  /** Reports the headers and footers of notes pages. */
  private runningOf(notes: readonly Shape[]): void {
    for (const { placeholder, plain } of notes) {
      const running = RUNNING[placeholder ?? ''];
      if (running !== undefined) this.leaveOutOnce(running, plain);
    }
  }

  /** Reports an omitted text once, even if slides repeat it. Ignores slide numbers without words. */
  private leaveOutOnce(what: string, words: string): void {
    const key = `${what} ${words.trim()}`;
    const isNumber = what === 'slide number' && !/\p{L}/u.test(words);
    if (!isNumber && !this.running.has(key)) this.text.leaveOut(what, words);
    this.running.add(key);
  }
}

/** Returns the place that a layout gives to a placeholder: by its number, or by its kind. */
function boxIn(models: readonly Shape[], { placeholder, index }: Shape): Box | null {
  if (placeholder === null) return null;
  const kind = (type: string | null) => (TITLES.has(type ?? '') ? 'title' : type);
  const own = models.filter(({ box, placeholder: type }) => box !== null && type !== null);
  const model =
    own.find((each) => index !== '' && each.index === index) ??
    own.find((each) => kind(each.placeholder) === kind(placeholder));
  return model?.box ?? null;
}

/** Most characters of a line that can be a title. */
const LONGEST_TITLE = 80;

/** Returns whether a shape is one line with words. */
const isTitleLine = ({ isSingle, plain }: Shape): boolean =>
  isSingle === true && canBeTitle(plain) && plain.trim().length <= LONGEST_TITLE;

/** Returns the first text box of a slide, if it is a short line above other text; undefined for none. */
function firstLine(shapes: readonly Shape[]): Shape | undefined {
  const [first, ...others] = shapes.filter(
    ({ placeholder, isHidden, isSingle }) => !isHidden && isSingle !== null && !RUNNING[placeholder ?? ''],
  );
  return first?.placeholder === null && isTitleLine(first) && others.length > 0 ? first : undefined;
}

/** Returns the shape whose one line has larger letters than all other words of a slide; undefined for none. */
function largestLine(shapes: readonly Shape[]): Shape | undefined {
  const [first, ...others] = shapes
    .filter(
      ({ placeholder, isHidden, isSingle }) => !isHidden && isSingle !== null && !RUNNING[placeholder ?? ''],
    )
    .sort((a, b) => b.letters - a.letters);
  const isLess = ({ placeholder, letters }: Shape): boolean =>
    Math.max(letters, placeholder === null ? 0 : THEME_LETTERS) < first!.letters;
  return first && isTitleLine(first) && others.every(isLess) ? first : undefined;
}

const targetOf = (relationships: ReadonlyMap<string, Relationship>, kind: string): string =>
  [...relationships.values()].find(({ type }) => type === kind)?.target ?? '';

const isNotBlank = (line: string) => line !== '';

/** Returns the speaker's notes without the picture and number of the slide. */
const bodyOf = (notes: readonly Shape[]) =>
  notes.filter(({ placeholder }) => !['sldImg', 'sldNum', 'hdr', 'ftr', 'dt'].includes(placeholder ?? ''));

function isHidden(xml: string): boolean {
  let hidden = false;
  readXml(xml, {
    open: (name, { show }) =>
      void (name === 'p:sld' && (show === '0' || show === 'false') && (hidden = true)),
    close: () => undefined,
  });
  return hidden;
}

function commentWords(xml: string): string {
  let words = '';
  let isText = false;
  readXml(xml, {
    open: (name) => void (isText = name === 'p:text' || name === 'a:t'),
    text: (text) => void (isText && (words += text)),
    close: () => {
      if (isText) words += ' ';
      isText = false;
    },
  });
  return words;
}
