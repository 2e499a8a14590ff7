/** The part of a page of pdf.js that tells of fonts. */
export interface FontedPage {
  getOperatorList(): Promise<unknown>;
  commonObjs: { has(id: string): boolean; get(id: string): unknown };
}

/** What pdf.js tells of a font. */
interface Font {
  name?: string;
  bold?: boolean;
  black?: boolean;
}

const BOLD_NAME = /bold|black|heavy|semibold|demi/i;

/**
 * Which fonts of a document are bold. Only what a page draws tells: it is asked for on pages that use a font for the first time, so at most
 * as often as there are fonts.
 */
export class BoldFonts {
  private readonly seen = new Set<string>();
  private readonly bold = new Set<string>();

  async on(page: FontedPage, items: readonly { fontName: string }[]): Promise<ReadonlySet<string>> {
    const unknown = [...new Set(items.map(({ fontName }) => fontName))].filter((id) => !this.seen.has(id));
    if (unknown.length === 0) return this.bold;
    withoutTransfer();
    // A page that cannot be drawn whole still has words; its fonts count as usual ones.
    await page.getOperatorList().catch(() => undefined);
    // The fonts are told of by messages behind the list.
    await new Promise((resolve) => setImmediate(resolve));
    for (const id of unknown) {
      this.seen.add(id);
      const font = page.commonObjs.has(id) ? (page.commonObjs.get(id) as Font) : {};
      if (font.bold || font.black || BOLD_NAME.test(font.name ?? '')) this.bold.add(id);
    }
    return this.bold;
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
