import type { Annotation } from './annotations.js';

/** The part of a page of pdf.js that tells what it draws. */
export interface PdfPageProxy {
  view: number[];
  getAnnotations(options: { intent: string }): Promise<unknown[]>;
  getOperatorList(options: { annotationMode: number }): Promise<unknown>;
  commonObjs: { has(id: string): boolean; get(id: string): unknown };
}

/** What pdf.js tells of a font. */
export interface Font {
  name?: string;
  bold?: boolean;
  black?: boolean;
  vertical?: boolean;
  fontMatrix?: readonly number[];
}

/** What a page does, one after the other: numbers of operators, and what each is given. */
interface OperatorList {
  fnArray: readonly number[];
  argsArray: readonly (readonly unknown[] | null)[];
}

/** Notes and fields of forms are drawn as they are shown. */
const WITH_ANNOTATIONS = 1;

/** What a page draws, asked for once. */
export class DrawingPage {
  private list: Promise<OperatorList> | null = null;

  constructor(private readonly page: PdfPageProxy) {}

  /** The corners of what is shown of it: left, bottom, right, top. */
  get view(): readonly number[] {
    return this.page.view;
  }

  /** What it does; nothing for a page that cannot be drawn whole. */
  operators(): Promise<OperatorList> {
    this.list ??= this.read();
    return this.list;
  }

  /** Its notes, stamps and fields of forms; none of a page whose own cannot be read. */
  async annotations(): Promise<Annotation[]> {
    return (await this.page.getAnnotations({ intent: 'display' }).catch(() => [])) as Annotation[];
  }

  /** A font that it draws with; known once its operators are. */
  font(id: string): Font {
    return this.page.commonObjs.has(id) ? (this.page.commonObjs.get(id) as Font) : {};
  }

  private async read(): Promise<OperatorList> {
    withoutTransfer();
    const list = await this.page.getOperatorList({ annotationMode: WITH_ANNOTATIONS }).catch(() => null);
    // The fonts are told of by messages behind the list.
    await new Promise((resolve) => setImmediate(resolve));
    return (list as OperatorList | null) ?? { fnArray: [], argsArray: [] };
  }
}

/** pdf.js hands fonts over by a function of buffers that Node has from version 21 on. */
function withoutTransfer(): void {
  const buffers = ArrayBuffer.prototype as {
    transferToFixedLength?: (this: ArrayBuffer, length?: number) => ArrayBuffer;
  };
  buffers.transferToFixedLength ??= function (this: ArrayBuffer, length = this.byteLength) {
    return this.slice(0, length);
  };
}
