import type { DrawingPage } from './drawing.js';
import type { PdfItem } from './pdf.js';

/** Affine transformation in PDF order: the images of the x and y unit vectors, then the translation. */
type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Default font matrix: a thousand glyph units equal the font size. */
const FONT_MATRIX: Matrix = [0.001, 0, 0, 0.001, 0, 0];
/** Minimum displacement between two words, in thousandths of the font size. */
const WORD_GAP = 150;

/** Glyph as drawn by pdf.js. */
interface Glyph {
  unicode: string;
  width: number;
  isSpace: boolean;
  /** Vertical writing: the advance to the next glyph, then the origin of this one. */
  vmetric?: readonly number[] | null;
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
}

const START: TextState = {
  ...{ ctm: IDENTITY, textMatrix: IDENTITY, x: 0, y: 0, lineX: 0, lineY: 0, font: '', size: 0 },
  ...{ charSpacing: 0, wordSpacing: 0, scale: 1, leading: 0, rise: 0 },
};

/** pdf.js operator numbers by name. */
export type Operators = Readonly<Record<string, number>>;

/** Text that a page draws but pdf.js does not report as text. */
export interface Untold {
  /** Text outside the visible area, in drawing order. */
  offPage: PdfItem[];
  /** Text of form fields, notes and stamps, by annotation ID. */
  annotations: Map<string, PdfItem[]>;
}

/**
 * Extracts text that pdf.js does not report: letters outside the page and annotations. Interprets the drawing
 * operators and applies the visibility rule of pdf.js to each letter.
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
  /** Text of the annotation being drawn; null outside annotations. */
  private items: PdfItem[] | null = null;

  constructor(private readonly page: DrawingPage) {}

  /** Handlers of the operators that affect the position of letters. */
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

  /** Moves the position along the line by a length: to the right, or down. */
  private advance(length: number, vertical: boolean): void {
    if (vertical) this.state.y -= length;
    else this.state.x += length * this.state.scale;
  }

  /** Stores a letter if it belongs to an annotation or is outside the page by the rule of pdf.js. */
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

  /** Returns position and size of the next letter on the page. */
  private transform(): Matrix {
    const { ctm, textMatrix, x, y, size, scale, rise } = this.state;
    return times(times(times(ctm, textMatrix), [1, 0, 0, 1, x, y]), [size * scale, 0, 0, size, 0, rise]);
  }
}

/** Multiplies two transformations; `inner` is applied first. */
function times(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [
    ...([a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j] as const),
    ...([a * k + c * l + e, b * k + d * l + f] as const),
  ];
}
