import type { Annotation } from './annotations.js';
import type { StructureNode } from './tags.js';

/** Drawing part of a pdf.js page. */
export interface PdfPageProxy {
  view: number[];
  getTextContent(): Promise<{ items: unknown[] }>;
  getStructTree(): Promise<StructureNode | null>;
  getAnnotations(options: { intent: string }): Promise<unknown[]>;
  getOperatorList(options: { annotationMode: number }): Promise<unknown>;
  commonObjs: { has(id: string): boolean; get(id: string): unknown };
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
