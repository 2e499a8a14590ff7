import type { DrawingPage } from './drawing.js';
import type { PdfItem } from './pdf.js';

/** A transformation of the plane, as PDF writes it: what x, y and nothing add to x and y. */
type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Of a font that tells none: a thousand units are the size of its letters. */
const FONT_MATRIX: Matrix = [0.001, 0, 0, 0.001, 0, 0];
/** Letters moved so many thousandths of their size apart are two words. */
const WORD_GAP = 150;

/** A letter as pdf.js draws it. */
interface Glyph {
  unicode: string;
  width: number;
  isSpace: boolean;
  /** In vertical writing: how far the next letter stands, and where this one begins. */
  vmetric?: readonly number[] | null;
}

/** What a page has set when it draws letters; saved and restored as a whole. */
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
}

const START: TextState = {
  ...{ ctm: IDENTITY, textMatrix: IDENTITY, x: 0, y: 0, lineX: 0, lineY: 0, font: '', size: 0 },
  ...{ charSpacing: 0, wordSpacing: 0, scale: 1, leading: 0, rise: 0 },
};

/** The numbers by which pdf.js names what a page does. */
export type Operators = Readonly<Record<string, number>>;

/** Words that a page draws and pdf.js does not tell as its text. */
export interface Untold {
  /** Those outside of what is shown of it, in the order of the file. */
  offPage: PdfItem[];
  /** Those of fields of forms, notes and stamps, by their ids. */
  annotations: Map<string, PdfItem[]>;
}

/**
 * The words that pdf.js does not tell as text. Each letter whose place is outside of the page is passed over, and so are annotations; so this
 * goes by what the page draws, and asks the same of each letter.
 */
export async function extractUnreportedText(page: DrawingPage, names: Operators): Promise<Untold> {
  const { fnArray, argsArray } = await page.operators();
  const reader = new UntoldReader(page);
  const steps = new Map(
    Object.entries(reader.steps).map(([name, step]) => [names[name], step as (...args: unknown[]) => void]),
  );
  fnArray.forEach((operator, at) => steps.get(operator)?.(...(argsArray[at] ?? [])));
  return { offPage: reader.offPage, annotations: reader.annotations };
}

class UntoldReader {
  readonly offPage: PdfItem[] = [];
  readonly annotations = new Map<string, PdfItem[]>();
  private state: TextState = { ...START };
  private readonly saved: TextState[] = [];
  private run: PdfItem | null = null;
  /** Where the words of the page, or of one of its annotations, go. */
  private items: PdfItem[] | null = null;

  constructor(private readonly page: DrawingPage) {}

  /** What each operator does that has a bearing on where letters stand. */
  readonly steps = {
    save: () => this.save(),
    restore: () => this.restore(),
    beginGroup: () => this.save(),
    endGroup: () => this.restore(),
    paintFormXObjectBegin: (matrix: Matrix | null) => {
      this.save();
      if (matrix) this.state.ctm = times(this.state.ctm, matrix);
    },
    paintFormXObjectEnd: () => this.restore(),
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
  };

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
    const { fontMatrix = FONT_MATRIX, vertical = false } = this.page.font(state.font);
    const unit = state.size * (fontMatrix[0] ?? 0.001);
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        if (Math.abs(glyph) > WORD_GAP) this.run = null;
        this.advance((-glyph * state.size) / 1000, vertical);
        continue;
      }
      const length = vertical ? (glyph.vmetric?.[0] ?? -glyph.width) * unit : glyph.width * unit;
      this.draw(glyph, length, vertical);
      const spacing = state.charSpacing + (glyph.isSpace ? state.wordSpacing : 0);
      this.advance(vertical ? -length + spacing : length + spacing, vertical);
    }
    this.run = null;
  }

  /** Goes on by a length along the line: to the right, or down. */
  private advance(length: number, vertical: boolean): void {
    if (vertical) this.state.y -= length;
    else this.state.x += length * this.state.scale;
  }

  /** Keeps a letter of an annotation, or one that stands outside, with those before it; by the rule by which pdf.js passes over it. */
  private draw({ unicode, isSpace }: Glyph, length: number, vertical: boolean): void {
    const [left, bottom, right, top] = this.page.view as [number, number, number, number];
    const transform = this.transform();
    const [, , , , x, y] = transform;
    const isOff = vertical
      ? x < left || x > right || y + length < bottom || y > top
      : x + length < left || x > right || y < bottom || y > top;
    const items = isOff ? this.offPage : this.items;
    if (items === null || isSpace || unicode.trim() === '' || /^\p{M}+$/u.test(unicode)) {
      this.run = null;
      return;
    }
    if (!this.run || items.at(-1) !== this.run) {
      this.run = { str: '', transform: [...transform], width: 0, fontName: this.state.font, hasEOL: false };
      items.push(this.run);
    }
    this.run.str += unicode;
    const [a, b] = times(this.state.ctm, this.state.textMatrix);
    this.run.width += Math.abs(length) * this.state.scale * Math.hypot(a, b);
  }

  /** Where the next letter stands on the page, and how large it is. */
  private transform(): Matrix {
    const { ctm, textMatrix, x, y, size, scale, rise } = this.state;
    return times(times(times(ctm, textMatrix), [1, 0, 0, 1, x, y]), [size * scale, 0, 0, size, 0, rise]);
  }
}

/** Both transformations, the second within the first. */
function times(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [
    ...([a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j] as const),
    ...([a * k + c * l + e, b * k + d * l + f] as const),
  ];
}
