import { withoutRadicals } from '#contracts/radicals.js';
import { type CodedGlyph, type NamedGlyphs, withoutPrivateCodes } from './glyph-names.js';
import type { DrawingPage, Font, Layers, Operators, PdfItem } from './pdfjs.js';
import { boxOf, type Matrix, pointOn, type Rule, RuleCollector, times } from './rules.js';
import { addLetters, hasLettersToLeft, isOfOneDirection } from './text-direction.js';

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Default font matrix: a thousand glyph units equal the font size. */
const FONT_MATRIX: Matrix = [0.001, 0, 0, 0.001, 0, 0];
/** Minimum displacement between two words, in thousandths of the font size. */
const WORD_GAP = 150;

/** Smallest and largest rise of raised and lowered letters, relative to the font size. */
const LEAST_RISE = 0.08;
const MOST_RISE = 0.8;
/** Control codes, which old programs use in fonts for ligatures or signs without saying for which ones. */
const UNKNOWN = /^[\0-\x08\x0b\x0c\x0e-\x1f]$/;
/** Several letters as one character. */
const LIGATURES = /[\uFB00-\uFB06]/g;

/** Glyph as drawn by pdf.js. */
interface Glyph extends CodedGlyph {
  unicode: string;
  width: number;
  isSpace: boolean;
  /** Vertical writing: the advance to the next glyph, then the origin of this one. */
  vmetric?: readonly number[] | null;
}

/** Letter of a word that is being drawn, with its place in the text and its advance. */
interface Letter {
  text: string;
  length: number;
  x: number;
  y: number;
}

/** Graphics and text state for drawing letters; saved and restored as a whole. */
interface TextState {
  ctm: Matrix;
  textMatrix: Matrix;
  x: number;
  y: number;
  lineX: number;
  lineY: number;
  font: string;
  size: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
  /** Area of the page outside which nothing is drawn. */
  clip: Rule;
}

const EVERYWHERE: Rule = { x: -Infinity, right: Infinity, y: -Infinity, top: Infinity };

const START: TextState = {
  ...{ ctm: IDENTITY, textMatrix: IDENTITY, x: 0, y: 0, lineX: 0, lineY: 0, font: '', size: 0 },
  ...{ charSpacing: 0, wordSpacing: 0, scale: 1, leading: 0, rise: 0, clip: EVERYWHERE },
};

/** Letter that a page shows. Lengths are in points of the page. */
export interface ShownGlyph {
  text: string;
  /** Direction and size, then the origin on the baseline, which a text rise does not move. */
  transform: Matrix;
  /** Advance to the next letter, without letter spacing. */
  width: number;
  /** Letter spacing. */
  spacing: number;
  font: string;
  /** 1 for a letter raised above its line, -1 for a lowered one, otherwise 0. */
  rise: number;
  /** Whether the file draws a blank before the letter. */
  afterBlank: boolean;
  /** Number of the marked text that it belongs to; null outside of any, and -1 for decoration. */
  mark: number | null;
}

/** Content that a page draws. */
export interface Drawing {
  /** Letters of the page itself, in drawing order; null if only pdf.js can read them. */
  shown: ShownGlyph[] | null;
  /** Whether some letters of `shown` belong to right-to-left scripts. */
  hasLettersToLeft: boolean;
  /** Text outside the visible area, in drawing order. */
  offPage: PdfItem[];
  /** Text of layers that are switched off, in drawing order. */
  switchedOff: PdfItem[];
  /** Text of form fields, notes and stamps, by annotation ID. */
  annotations: Map<string, PdfItem[]>;
  /** Thin horizontal and vertical lines. */
  rules: Rule[];
  /** Number of letters that the file does not map to characters. */
  unnamed: number;
}

/**
 * Reads what a page draws: its letters with their places, letters outside the page, annotations and rules.
 * Interprets the drawing operators and applies the visibility rule of pdf.js to each letter. Letters of vertical
 * text are left to pdf.js, which knows their order.
 */
export async function readDrawing(
  page: DrawingPage,
  names: Operators,
  glyphs: NamedGlyphs,
  layers: Layers,
): Promise<Drawing> {
  const { fnArray, argsArray } = await page.operators();
  const read = () => {
    const reader = new DrawingReader(page, new RuleCollector(names), glyphs, layers);
    const steps = new Map(
      Object.entries(reader.steps).map(([name, step]) => [names[name], step as (...args: unknown[]) => void]),
    );
    fnArray.forEach((operator, at) => steps.get(operator)?.(...(argsArray[at] ?? [])));
    return reader;
  };
  const first = read();
  const reader = (await glyphs.loadMissing()) ? read() : first;
  const { offPage, switchedOff, annotations, rules, unnamed } = reader;
  const shown = fnArray.length === 0 || reader.isForPdfJs ? null : reader.shown;
  return {
    shown,
    hasLettersToLeft: reader.hasLettersToLeft,
    offPage,
    switchedOff,
    annotations,
    rules: rules.found,
    unnamed,
  };
}

class DrawingReader {
  readonly offPage: PdfItem[] = [];
  readonly switchedOff: PdfItem[] = [];
  readonly annotations = new Map<string, PdfItem[]>();
  private state: TextState = { ...START };
  private readonly saved: TextState[] = [];
  private run: PdfItem | null = null;
  /** Text of the annotation being drawn; null outside annotations. */
  private items: PdfItem[] | null = null;
  readonly shown: ShownGlyph[] = [];
  unnamed = 0;
  isForPdfJs = false;
  hasLettersToLeft = false;
  private afterBlank = false;
  /** Whether the next path is an area outside which nothing is drawn. */
  private isClip = false;
  private readonly marks: { number: number | null; isOff: boolean }[] = [];
  /** Forms that are being drawn; the numbers of their marks are their own. */
  private forms = 0;
  private line: { ctm: Matrix; textMatrix: Matrix; matrix: Matrix } = {
    ...{ ctm: IDENTITY, textMatrix: IDENTITY, matrix: IDENTITY },
  };

  constructor(
    private readonly page: DrawingPage,
    readonly rules: RuleCollector,
    private readonly glyphs: NamedGlyphs,
    private readonly layers: Layers,
  ) {}

  /** Handlers of the operators that affect the position of letters. */
  readonly steps = {
    save: () => this.save(),
    restore: () => this.restore(),
    beginGroup: () => this.save(),
    endGroup: () => this.restore(),
    paintFormXObjectBegin: (matrix: Matrix | null, box: ArrayLike<number> | null) => {
      this.save();
      this.forms++;
      if (matrix) this.state.ctm = times(this.state.ctm, matrix);
      this.clip(box);
    },
    paintFormXObjectEnd: () => {
      this.restore();
      this.forms--;
    },
    beginMarkedContent: (tag: { name?: string } | string) => this.beginMark(tag, null),
    beginMarkedContentProps: (tag: { name?: string } | string, mark: unknown) => {
      const isOff = tag === 'OC' && !this.layers.isVisible(mark);
      this.beginMark(tag, this.forms === 0 && typeof mark === 'number' ? mark : null, isOff);
    },
    endMarkedContent: () => void this.marks.pop(),
    beginAnnotation: (id: string, _place: unknown, inPlace: Matrix, own: Matrix) => {
      this.save();
      this.state = { ...START, ctm: times(inPlace, own) };
      this.annotations.set(id, (this.items = []));
    },
    endAnnotation: () => {
      this.restore();
      this.items = null;
    },
    transform: (...matrix: Matrix) => {
      this.state.ctm = times(this.state.ctm, matrix);
    },
    beginText: () => this.setTextMatrix(IDENTITY),
    setTextMatrix: (matrix: Matrix) => this.setTextMatrix(matrix),
    setCharSpacing: (points: number) => (this.state.charSpacing = points),
    setWordSpacing: (points: number) => (this.state.wordSpacing = points),
    setHScale: (percent: number) => (this.state.scale = percent / 100),
    setLeading: (points: number) => (this.state.leading = points),
    setTextRise: (points: number) => (this.state.rise = points),
    setFont: (font: string, size: number) => Object.assign(this.state, { font, size }),
    setGState: (settings: [string, [string, number]][]) => {
      for (const [name, value] of settings)
        if (name === 'Font') Object.assign(this.state, { font: value[0], size: value[1] });
    },
    moveText: (x: number, y: number) => this.moveText(x, y),
    setLeadingMoveText: (x: number, y: number) => {
      this.state.leading = -y;
      this.moveText(x, y);
    },
    nextLine: () => this.moveText(0, -this.state.leading),
    showText: (glyphs: (Glyph | number)[]) => this.showText(glyphs),
    setLineWidth: (points: number) => this.rules.setLineWidth(points),
    clip: () => (this.isClip = true),
    eoClip: () => (this.isClip = true),
    constructPath: (paint: number, path: unknown[], box: ArrayLike<number> | null) => {
      if (this.isClip) this.clip(box);
      this.isClip = false;
      this.rules.add(paint, path[0], this.state.ctm);
    },
  };

  /** Draws nothing outside an area from now on. @param box its left, bottom, right and top before the transformation */
  private clip(box: ArrayLike<number> | null): void {
    const [left, bottom, right, top] = Array.from(box ?? []) as [number, number, number, number];
    // A path without points has no area.
    if (!(left <= right)) return;
    const { clip, ctm } = this.state;
    const area = boxOf([
      pointOn(ctm, left, bottom),
      pointOn(ctm, right, bottom),
      pointOn(ctm, left, top),
      pointOn(ctm, right, top),
    ]);
    this.state.clip = {
      x: Math.max(clip.x, area.x),
      right: Math.min(clip.right, area.right),
      y: Math.max(clip.y, area.y),
      top: Math.min(clip.top, area.top),
    };
  }

  /** Marks without a number are part of the text around them. */
  private beginMark(tag: { name?: string } | string, mark: number | null, isOff = false): void {
    const name = typeof tag === 'string' ? tag : tag.name;
    const outer = this.marks.at(-1);
    this.marks.push({
      number: name === 'Artifact' ? -1 : (mark ?? outer?.number ?? null),
      isOff: isOff || (outer?.isOff ?? false),
    });
  }

  private save(): void {
    this.saved.push({ ...this.state });
  }

  private restore(): void {
    this.state = this.saved.pop() ?? this.state;
  }

  private setTextMatrix(textMatrix: Matrix): void {
    Object.assign(this.state, { textMatrix, x: 0, y: 0, lineX: 0, lineY: 0 });
  }

  private moveText(x: number, y: number): void {
    const { state } = this;
    state.x = state.lineX += x;
    state.y = state.lineY += y;
  }

  private showText(glyphs: readonly (Glyph | number)[]): void {
    const { state } = this;
    const font = this.page.font(state.font);
    const { fontMatrix = FONT_MATRIX, vertical = false } = font;
    const unit = state.size * (fontMatrix[0] ?? 0.001);
    const word: Letter[] = [];
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        if (Math.abs(glyph) > WORD_GAP) {
          this.drawWord(word, vertical);
          this.run = null;
        }
        this.advance((-glyph * state.size) / 1000, vertical);
        continue;
      }
      const length = vertical ? (glyph.vmetric?.[0] ?? -glyph.width) * unit : glyph.width * unit;
      const named = this.glyphs.charactersOf(font, glyph);
      const text = named ?? withoutRadicals(withoutPrivateCodes(glyph.unicode));
      const isBlank = text.trim() === '';
      if (isBlank) this.drawWord(word, vertical);
      word.push({ text, length, x: state.x, y: state.y });
      if (isBlank) this.drawWord(word, vertical);
      const spacing = state.charSpacing + (glyph.isSpace ? state.wordSpacing : 0);
      this.advance(vertical ? -length + spacing : length + spacing, vertical);
    }
    this.drawWord(word, vertical);
    this.run = null;
  }

  /** Draws the letters of a word and empties it. A word that an edge of the page cuts is on the page as a whole. */
  private drawWord(word: Letter[], vertical: boolean): void {
    const { x, y } = this.state;
    const isOff = word.every((letter) => this.isOffPage(letter, vertical));
    for (const letter of word) this.draw(letter, vertical, isOff);
    Object.assign(this.state, { x, y });
    word.length = 0;
  }

  /** Moves the position along the line by a length: to the right, or down. */
  private advance(length: number, vertical: boolean): void {
    if (vertical) this.state.y -= length;
    else this.state.x += length * this.state.scale;
  }

  /** Returns whether a letter is outside the page, by the rule of pdf.js, or outside the area that is drawn. */
  private isOffPage(letter: Letter, vertical: boolean): boolean {
    const [left, bottom, right, top] = this.page.view as [number, number, number, number];
    const [a, b, c, d, x, y] = this.transformOf(letter);
    const { clip } = this.state;
    const size = Math.max(Math.hypot(a, b), Math.hypot(c, d));
    if (x + size < clip.x || x - size > clip.right || y + size < clip.y || y - size > clip.top) return true;
    return vertical
      ? x < left || x > right || y + letter.length < bottom || y > top
      : x + letter.length < left || x > right || y < bottom || y > top;
  }

  /** Moves to a letter and returns its position and size. */
  private transformOf({ x, y }: Letter): Matrix {
    Object.assign(this.state, { x, y });
    return this.transform(this.state.rise);
  }

  /** Stores a letter: of an annotation, outside the page, or shown by the page. */
  private draw(letter: Letter, vertical: boolean, isOff: boolean): void {
    const { text: unicode, length } = letter;
    const transform = this.transformOf(letter);
    const items = this.marks.at(-1)?.isOff ? this.switchedOff : isOff ? this.offPage : this.items;
    const isBlank = unicode.trim() === '';
    if (unicode === '' || UNKNOWN.test(unicode)) {
      this.unnamed++;
      return;
    }
    if (items === null) this.show(unicode, length, vertical, isBlank);
    if (items === null || isBlank || /^\p{M}+$/u.test(unicode)) {
      this.run = null;
      return;
    }
    if (!this.run || items.at(-1) !== this.run || !isOfOneDirection(this.run.str, unicode)) {
      this.run = { str: '', transform: [...transform], width: 0, fontName: this.state.font, hasEOL: false };
      items.push(this.run);
    }
    this.run.str = addLetters(this.run.str, unicode);
    this.run.width += Math.abs(length) * this.widthScale();
  }

  private show(unicode: string, length: number, vertical: boolean, isBlank: boolean): void {
    this.isForPdfJs ||= vertical;
    this.hasLettersToLeft ||= hasLettersToLeft(unicode);
    if (isBlank) {
      this.afterBlank = true;
      return;
    }
    const { size, rise, font, charSpacing } = this.state;
    // A larger rise moves the letter to another line.
    const isShifted = Math.abs(rise) > size * LEAST_RISE && Math.abs(rise) < size * MOST_RISE;
    this.shown.push({
      text: unicode.replace(LIGATURES, (letters) => letters.normalize('NFKC')),
      transform: this.transform(isShifted ? 0 : rise),
      width: length * this.widthScale(),
      spacing: charSpacing * this.widthScale(),
      font,
      rise: isShifted ? Math.sign(rise) : 0,
      afterBlank: this.afterBlank,
      mark: this.marks.at(-1)?.number ?? null,
    });
    this.afterBlank = false;
  }

  /** Returns the factor from lengths along the line to points of the page. */
  private widthScale(): number {
    const matrix = this.lineMatrix();
    return this.state.scale * Math.hypot(matrix[0], matrix[1]);
  }

  /** Returns the transformation of the current line, cached because its letters share it. */
  private lineMatrix(): Matrix {
    const { ctm, textMatrix } = this.state;
    if (this.line.ctm !== ctm || this.line.textMatrix !== textMatrix)
      this.line = { ctm, textMatrix, matrix: times(ctm, textMatrix) };
    return this.line.matrix;
  }

  /** Returns position and size of the next letter on the page. */
  private transform(rise: number): Matrix {
    const { x, y, size, scale, font } = this.state;
    const height = size * letterHeight(this.page.font(font), size);
    return times(this.lineMatrix(), [height * scale, 0, 0, height, x, y + rise]);
  }
}

/** Returns the letter height of a font relative to its size; not 1 only for fonts of drawings, as pdf.js has it. */
function letterHeight({ isType3Font, fontMatrix, bbox }: Font, size: number): number {
  const scale = fontMatrix?.[3] ?? 0.001;
  const height = ((bbox?.[3] ?? 0) - (bbox?.[1] ?? 0)) * scale;
  return isType3Font && size <= 1 && scale !== 0.001 && height > 0 ? height : 1;
}
