import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { StructureNode } from './tags.js';

const require = createRequire(import.meta.url);

/** pdf.js operator numbers by name. */
export type Operators = Readonly<Record<string, number>>;

/**
 * Text item of pdf.js. The first two numbers of `transform` give direction and size, the last two the origin
 * on the baseline.
 */
export interface PdfItem {
  str: string;
  transform: number[];
  width: number;
  fontName: string;
  hasEOL: boolean;
  /** 1 for letters raised above their line, -1 for lowered ones; `transform` then gives the line. */
  rise?: number;
  /** Whether a rule strikes the letters through. */
  struck?: boolean;
  /** Number of its marked text; see `ShownGlyph`. */
  mark?: number | null;
}

/** Annotation as reported by pdf.js: form field, note or stamp. */
export interface Annotation {
  id: string;
  subtype: string;
  /** Left, bottom, right, top. */
  rect: number[];
  annotationFlags?: number;
  contentsObj?: { str?: string };
  richText?: { str?: string } | null;
  fieldValue?: string | string[] | null;
  options?: { exportValue: string; displayValue: string }[];
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  /** Value that marks this box or button as chosen. */
  exportValue?: string;
  buttonValue?: string | null;
  defaultAppearanceData?: { fontSize?: number };
}

/** Drawing part of a pdf.js page. */
export interface PdfPageProxy {
  view: number[];
  getTextContent(): Promise<{ items: unknown[] }>;
  getStructTree(): Promise<StructureNode | null>;
  getAnnotations(options: { intent: string }): Promise<unknown[]>;
  getOperatorList(options: { annotationMode: number }): Promise<unknown>;
  commonObjs: { has(id: string): boolean; get(id: string): unknown };
}

/** Optional content of a document: parts of its pages that a reader can switch on and off. */
export interface Layers {
  /** @param layer group of the content, as pdf.js gives it; content without a valid one is visible */
  isVisible(layer: unknown): boolean;
}

/** Reads the character maps that belong to every reader: fonts of East Asian scripts that are not in the file name them. */
export class CharacterMaps {
  /** @param name one of the maps that pdf.js knows */
  async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: boolean }> {
    const map = await readFile(require.resolve(`pdfjs-dist/cmaps/${name}.bcmap`));
    return { cMapData: new Uint8Array(map), isCompressed: true };
  }
}

/** Font as reported by pdf.js. */
export interface Font {
  name?: string;
  bold?: boolean;
  black?: boolean;
  vertical?: boolean;
  /** Whether the letters are drawings of the file. */
  isType3Font?: boolean;
  /** Left, bottom, right and top of the letters, in units of the font. */
  bbox?: readonly number[];
  fontMatrix?: readonly number[];
  /** Whether a letter may have several bytes. */
  composite?: boolean;
  /** Characters by the code of the letter; without `_map` if the codes are the characters. */
  toUnicode?: { _map?: readonly (string | undefined)[] };
  /** Names of letters by their code, as the file gives them. */
  differences?: readonly (string | undefined)[];
  /** Font program that pdf.js made. */
  data?: Uint8Array;
}

/** Drawing operators of a page, in order, and their arguments. */
interface OperatorList {
  fnArray: readonly number[];
  argsArray: readonly (readonly unknown[] | null)[];
}

/** pdf.js annotation mode that draws notes and form fields as displayed. */
const WITH_ANNOTATIONS = 1;

/** Drawing operators of a page, requested only once. */
export class DrawingPage {
  private list: Promise<OperatorList> | null = null;

  constructor(private readonly page: PdfPageProxy) {}

  /** Visible area of the page: left, bottom, right, top. */
  get view(): readonly number[] {
    return this.page.view;
  }

  /** Returns the drawing operators; empty lists if the page cannot be drawn completely. */
  operators(): Promise<OperatorList> {
    this.list ??= this.read();
    return this.list;
  }

  /** Returns notes, stamps and form fields; empty if they cannot be read. */
  async annotations(): Promise<Annotation[]> {
    return (await this.page.getAnnotations({ intent: 'display' }).catch(() => [])) as Annotation[];
  }

  /** Returns a font of the page; known only after `operators()`. */
  font(id: string): Font {
    return this.page.commonObjs.has(id) ? (this.page.commonObjs.get(id) as Font) : {};
  }

  private async read(): Promise<OperatorList> {
    withoutTransfer();
    const list = await this.page.getOperatorList({ annotationMode: WITH_ANNOTATIONS }).catch(() => null);
    // pdf.js reports fonts in messages after the operator list.
    await new Promise((resolve) => setImmediate(resolve));
    return (list as OperatorList | null) ?? { fnArray: [], argsArray: [] };
  }
}

/** Polyfills the function with which pdf.js transfers fonts; Node has it from version 21 on. */
function withoutTransfer(): void {
  const buffers = ArrayBuffer.prototype as {
    transferToFixedLength?: (this: ArrayBuffer, length?: number) => ArrayBuffer;
  };
  buffers.transferToFixedLength ??= function (this: ArrayBuffer, length = this.byteLength) {
    return this.slice(0, length);
  };
}

/** Names of bold fonts; those of TeX shorten the word, as in `NimbusRomNo9L-Medi` and `CMBX12`. */
const BOLD_NAME = /bold|black|heavy|demi|-medi(?:ital)?$|(?:^|\+)(?:cm|sf|ec)(?:ss)?b/i;

/** Finds the bold fonts of a document; they are only known once a page is drawn. */
export class BoldFonts {
  private readonly seen = new Set<string>();
  private readonly bold = new Set<string>();

  async on(page: DrawingPage, items: readonly { fontName: string }[]): Promise<ReadonlySet<string>> {
    await page.operators();
    for (const { fontName } of items) {
      if (this.seen.has(fontName)) continue;
      this.seen.add(fontName);
      const { bold, black, name } = page.font(fontName);
      if (bold || black || BOLD_NAME.test(name ?? '')) this.bold.add(fontName);
    }
    return this.bold;
  }
}
