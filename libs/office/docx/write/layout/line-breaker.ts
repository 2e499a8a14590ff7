/** Properties of a run that affect line breaks. Lengths are in twentieths of a point. */
export interface RunFont {
  fixedWidth: boolean;
  /** Whether the font is Times New Roman instead of Arial; both have lines of the same height. */
  serif: boolean;
  bold: boolean;
  size: number;
}

/** Line height relative to the font size: ascent plus descent of Arial and of Courier New. */
const PROPORTIONAL_HEIGHT = 1.149;
const FIXED_HEIGHT = 1.1328;

const SPACE = 0x20;
const SLASH = 0x2f;
/** A line may break after these before a letter, a digit or a character in `OPENERS`. */
const BREAKERS = codes('-|!?\\\u2010\u2013\u2014\u2026');
const OPENERS = codes('(<=');
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Text without wide characters, in which lines break at blanks. */
const NARROW = /^[\x20-\x7e]*$/;

/**
 * Breaks text into lines like Word and LibreOffice: at blanks, after hyphens, between ideographs, or, in a
 * word longer than a line, after its last slash or at the line's end. Linear in the text.
 */
export class LineBreaker {
  /** Natural height of each finished line. */
  readonly heights: number[] = [];
  /** Notes referenced in each line. */
  readonly notes: { line: number; id: string }[] = [];
  private width: number;
  /** Width up to the last possible break. */
  private placed = 0;
  /** Width since the last possible break. */
  private pending = 0;
  /** Part of `pending` up to its last slash. */
  private slash = 0;
  private height = 0;
  private pendingHeight = 0;
  private previous = 0;

  constructor(
    private readonly lineWidth: number,
    firstWidth: number,
    /** Tab stops, measured from `from` left of the lines. */
    private readonly tabs: { every: number; from: number },
  ) {
    this.width = Math.max(100, firstWidth);
  }

  /** @param text content of a `w:t` element, including entities */
  text(text: string, font: RunFont): void {
    this.pendingHeight = Math.max(
      this.pendingHeight,
      font.size * (font.fixedWidth ? FIXED_HEIGHT : PROPORTIONAL_HEIGHT),
    );
    const scale = font.size / 1000;
    const shown = text.includes('&') ? text.replace(/&(#?\w+);/g, entity) : text;
    for (let i = font.fixedWidth ? this.fitting(shown, scale * FIXED_WIDTH) : 0; i < shown.length; i++) {
      const code = shown.charCodeAt(i);
      this.character(code, scale * (font.fixedWidth ? fixedWidth(code) : proportionalWidth(code, font)));
    }
  }

  /**
   * Places the text up to the last blank at once if it certainly fits, as in most lines of code.
   *
   * @returns the number of placed characters
   */
  private fitting(text: string, width: number): number {
    const end = text.lastIndexOf(' ') + 1;
    const reached = this.placed + this.pending + end * width;
    if (end === 0 || reached > this.width - 1 || !NARROW.test(text)) return 0;
    this.commit();
    this.placed = reached;
    this.previous = SPACE;
    return end;
  }

  private character(code: number, width: number): void {
    const before = this.previous;
    this.previous = code;
    if (code === SPACE) {
      this.commit();
      this.placed += width;
      return;
    }
    if (isWide(code) || isWide(before) || (BREAKERS.has(before) && mayBegin(code))) this.commit();
    else if (before === SLASH && isLetter(code)) this.slash = this.pending;
    this.add(width);
  }

  private add(width: number): void {
    this.pending += width;
    if (this.placed + this.pending <= this.width) return;
    if (this.placed > 0) this.newLine();
    if (this.pending > this.width) {
      // A word longer than the line continues after its last slash, or where the line ends.
      this.height = Math.max(this.height, this.pendingHeight);
      const { pendingHeight } = this;
      this.newLine();
      this.pendingHeight = pendingHeight;
      this.pending = this.slash > 0 ? this.pending - this.slash : width;
      this.slash = 0;
    }
  }

  image(width: number, height: number): void {
    this.commit();
    this.pendingHeight = Math.max(this.pendingHeight, height);
    this.add(Math.min(width, this.width));
    this.commit();
  }

  tab(): void {
    this.commit();
    const { every, from } = this.tabs;
    this.placed = (Math.floor((this.placed + from + 1) / every) + 1) * every - from;
    this.previous = 0;
  }

  break(): void {
    this.commit();
    this.newLine();
    this.previous = 0;
  }

  note(id: string): void {
    this.notes.push({ line: this.heights.length, id });
  }

  private commit(): void {
    this.placed += this.pending;
    this.pending = 0;
    this.slash = 0;
    this.height = Math.max(this.height, this.pendingHeight);
    this.pendingHeight = 0;
  }

  private newLine(): void {
    this.heights.push(this.height);
    this.height = 0;
    this.placed = 0;
    this.width = Math.max(100, this.lineWidth);
  }

  /** Ends the paragraph. */
  finish(): void {
    this.commit();
    this.newLine();
  }
}

function entity(_: string, name: string): string {
  return ENTITIES[name] ?? 'a';
}

function fixedWidth(code: number): number {
  return isWide(code) ? 2 * FIXED_WIDTH : FIXED_WIDTH;
}

function codes(chars: string): ReadonlySet<number> {
  return new Set([...chars].map((char) => char.charCodeAt(0)));
}

/** Returns whether a line may start with this character after a break character such as a hyphen. */
function mayBegin(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || OPENERS.has(code);
}

function isLetter(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || (code >= 0xc0 && !isPunctuation(code))
  );
}

/** Returns whether a character is a dash, quotation mark or dot. */
function isPunctuation(code: number): boolean {
  return code >= 0x2010 && code <= 0x2027;
}

/** Advance widths of Arial from U+0020 to U+017F in thousandths of the font size, two base-36 digits each. */
const REGULAR =
  '7q7q9vfgfgopij5b9999atg87q997q7qfgfgfgfgfgfgfgfgfgfg7q7qg8g8g8fgs7ijijk2k2ijgzlmk27qdwijfgn5k2lmijlmk2ijgzk2ijq8ijijgz7q7q7qd1fg99fgfgdwfgfg7qfgfg6666dw66n5fgfgfgfg99dw7qfgdwk2dwdwdw9a789ag80000000000000000000000000000000000000000000000000000000000000000007q99fgfgfgfg78fg99khaafgg899khfcb4f9999999g0ex7q9999a5fgn6n6n6gzijijijijijijrsk2ijijijij7q7q7q7qk2k2lmlmlmlmlmg8lmk2k2k2k2ijijgzfgfgfgfgfgfgopdwfgfgfgfg7q7q7q7qfgfgfgfgfgfgfgf9gzfgfgfgfgdwfgdwijfgijfgijfgk2dwk2dwk2dwk2dwk2h3k2fgijfgijfgijfgijfgijfglmfglmfglmfglmfgk2fgk2fg7q7q7q7q7q7q7q667q7qkfccdw66ijdwdwfg66fg66fg84fg9afg66k2fgk2fgk2fggsk3fglmfglmfglmfgrsq8k299k299k299ijdwijdwijdwijdwgz7qgzafgz7qk2fgk2fgk2fgk2fgk2fgk2fgq8k2ijdwijgzdwgzdwgzdw66';
const BOLD =
  '7q99d6fgfgopk26m9999atg87q997q7qfgfgfgfgfgfgfgfgfgfg9999g8g8g8gzr3k2k2k2k2ijgzlmk27qfgk2gzn5k2lmijlmk2ijgzk2ijq8ijijgz997q99g8fg99fggzfggzfg99gzgz7q7qfg7qopgzgzgzgzatfg99gzfglmfgfgdwat7satg80000000000000000000000000000000000000000000000000000000000000000007q99fgfgfgfg7sfg99khaafgg899khfcb4f9999999g0fg7q9999a5fgn6n6n6gzk2k2k2k2k2k2rsk2ijijijij7q7q7q7qk2k2lmlmlmlmlmg8lmk2k2k2k2ijijgzfgfgfgfgfgfgopfgfgfgfgfg7q7q7q7qgzgzgzgzgzgzgzf9gzgzgzgzgzfggzfgk2fgk2fgk2fgk2fgk2fgk2fgk2fgk2jzk2gzijfgijfgijfgijfgijfglmgzlmgzlmgzlmgzk2gzk2gz7q7q7q7q7q7q7q7q7q7qltfgfg7qk2fgfggz7qgz7qgzapgzdbgz7qk2gzk2gzk2gzjok3gzlmgzlmgzlmgzrsq8k2atk2atk2atijfgijfgijfgijfggz99gzdbgz99k2gzk2gzk2gzk2gzk2gzk2gzq8lmijfgijgzdwgzdwgzdw7q';

/** As above, of Times New Roman. */
const SERIF_REGULAR =
  '6y99bcdwdwn5lm509999dwfo6y996y7qdwdwdwdwdwdwdwdwdwdw7q7qfofofoccplk2ijijk2gzfgk2k299atk2gzopk2k2fgk2ijfggzk2k2q8k2k2gz997q99d1dw99ccdwccdwcc99dwdw7q7qdw7qlmdwdwdwdw99at7qdwdwk2dwdwccdc5kdcf10000000000000000000000000000000000000000000000000000000000000000006y99dwdwdwdw5kdw99l47odwfo99l4dwb4f98c8c99g0cl6y998c8mdwkukukucck2k2k2k2k2k2opijgzgzgzgz99999999k2k2k2k2k2k2k2fok2k2k2k2k2k2fgdwccccccccccccijcccccccccc7q7q7q7qdwdwdwdwdwdwdwf9dwdwdwdwdwdwdwdwk2cck2cck2ccijccijccijccijcck2hyk2dwgzccgzccgzccgzccgzcck2dwk2dwk2dwk2dwk2dwk2dw997q997q997q997q997qjofcat7qk2dwdwgz7qgz7qgzbagz9kgz7qk2dwk2dwk2dwgsjidrk2dwk2dwk2dwopk2ij99ij99ij99fgatfgatfgatfgatgz7qgzbvgz7qk2dwk2dwk2dwk2dwk2dwk2dwq8k2k2dwk2gzccgzccgzcc7q';
const SERIF_BOLD =
  '6y99ffdwdwrsn57q9999dwfu6y996y7qdwdwdwdwdwdwdwdwdwdw9999fufufudwpuk2ijk2k2ijgzlmlmatdwlmijq8k2lmgzlmk2fgijk2k2rsk2k2ij997q99g5dw99dwfgccfgcc99dwfg7q99fg7qn5fgdwfgfgccat99fgdwk2dwdwccay64ayeg0000000000000000000000000000000000000000000000000000000000000000006y99dwdwdwdw64dw99kr8cdwfu99krdwb4f98c8c99g0f06y998c96dwkukukudwk2k2k2k2k2k2rsk2ijijijijatatatatk2k2lmlmlmlmlmfulmk2k2k2k2k2gzfgdwdwdwdwdwdwk2cccccccccc7q7q7q7qdwfgdwdwdwdwdwf9dwfgfgfgfgdwfgdwk2dwk2dwk2dwk2cck2cck2cck2cck2kdk2fgijccijccijccijccijcclmdwlmdwlmdwlmdwlmfglmfgat7qat7qat7qat7qat7qmvfcdw99lmfgfgij7qij7qijd1ijb0ij7qk2fgk2fgk2fgk9ldfglmdwlmdwlmdwrsk2k2cck2cck2ccfgatfgatfgatfgatij99ijehij99k2fgk2fgk2fgk2fgk2fgk2fgrsk2k2dwk2ijccijccijcc7q';

/** Average widths of characters outside the table. */
const GREEK_CYRILLIC = 600;
const WIDE = 1000;
const OTHER = 600;
const PUNCTUATION: Readonly<Record<string, number>> = {
  '\u2010': 333,
  '\u2011': 333,
  '\u2013': 556,
  '\u2014': 1000,
  '\u2018': 222,
  '\u2019': 222,
  '\u201A': 222,
  '\u201C': 333,
  '\u201D': 333,
  '\u201E': 333,
  '\u2022': 350,
  '\u2026': 1000,
  '\u2190': 1000,
  '\u2192': 1000,
  '\u2212': 584,
  '\u2264': 549,
  '\u2265': 549,
  '\u2500': 708,
  '\u00AD': 0,
  '\u200B': 0,
  '\uFE0F': 0,
};
/** Width of every character of Courier New. */
const FIXED_WIDTH = 600;

const SANS = [tableOf(REGULAR), tableOf(BOLD)] as const;
const SERIF = [tableOf(SERIF_REGULAR), tableOf(SERIF_BOLD)] as const;
const FIRST = 0x20;

function tableOf(digits: string): Uint16Array {
  return Uint16Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 36),
  );
}

/** Returns the width of one UTF-16 unit in Arial or Times New Roman, in thousandths of the font size. */
function proportionalWidth(code: number, { serif, bold }: RunFont): number {
  const width = (serif ? SERIF : SANS)[bold ? 1 : 0][code - FIRST];
  if (width !== undefined && width > 0) return width;
  if (code < FIRST) return 0;
  const known = PUNCTUATION[String.fromCharCode(code)];
  if (known !== undefined) return known;
  if (code >= 0x300 && code <= 0x36f) return 0;
  if (code >= 0xd800 && code <= 0xdfff) return WIDE / 2;
  if (isWide(code)) return WIDE;
  return code < 0x530 ? GREEK_CYRILLIC : OTHER;
}

/**
 * Returns whether a character is an ideograph, a syllable or a full-width form: these are as wide as high,
 * and a line may break after each.
 */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xff60)
  );
}
