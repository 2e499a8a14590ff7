import type { DrawingPage } from './drawing.js';

const BOLD_NAME = /bold|black|heavy|semibold|demi/i;

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
