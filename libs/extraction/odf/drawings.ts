import { DocumentText } from '../document-text.js';
import { imageMarkdown, withoutBreaks } from '../inline-text.js';
import type { Attributes } from '../xml.js';
import { OdfParagraphs } from './paragraphs.js';
import type { OdfStory } from './story.js';
import type { OdfStyles } from './styles.js';

/** Shapes that contain paragraphs, which are read as separate texts. */
const SHAPES = new Set(
  'text-box custom-shape rect ellipse circle line polyline polygon regular-polygon path connector measure caption'
    .split(' ')
    .map((name) => `draw:${name}`),
);
/** Objects within objects that are read. */
const DEEPEST_OBJECT = 3;
/** Heading level of slides and sheets. The document's heading is the file's. */
export const PAGE_LEVEL = 2;

interface Frame {
  alt: string;
  image: string | null;
  hasObject: boolean;
  isTitle: boolean;
  /** Element that the master page repeats on all slides, such as `footer`. */
  running: string | null;
}

/** Reads the frames, shapes, pictures, objects and slides of an OpenDocument file. */
export abstract class OdfDrawings extends OdfParagraphs {
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
      outer.text.lines([heading, '', ...lines]);
    });
  }
}
