/** Page dimensions in twentieths of a point, Word's unit. */
export interface PageLayout {
  width: number;
  height: number;
  margin: number;
  header: number;
}

/** Gives the first page of a section neither header nor footer. */
export const TITLE_PAGE = '<w:titlePg/>';

/** Sections of a document: upright pages, and landscape pages for wide tables. */
export class Sections {
  isLandscape = false;
  /** Whether the text begins on a landscape page. */
  startsLandscape = false;
  private hasText = false;
  private isFirst = true;

  constructor(
    private readonly page: PageLayout,
    /** Content of `w:sectPr`: references to headers and footers, and size and margins of the upright page. */
    private readonly properties: { references: string; page: string; hasTitlePage: boolean },
  ) {}

  /** Width between the margins of the open section, in twentieths of a point. */
  get textWidth(): number {
    return this.widthOf(this.isLandscape);
  }

  widthOf(isLandscape: boolean): number {
    return (isLandscape ? this.page.height : this.page.width) - 2 * this.page.margin;
  }

  /**
   * Sets the pages of the text that follows, unless the template's pages are landscape themselves; returns the
   * `w:sectPr` that ends the text before it, or an empty string.
   */
  turn(wantsLandscape: boolean): string {
    const isLandscape = wantsLandscape && this.page.width < this.page.height;
    const ended = this.hasText && isLandscape !== this.isLandscape ? this.xml() : '';
    if (!this.hasText) this.startsLandscape = isLandscape;
    this.isLandscape = isLandscape;
    this.hasText = true;
    return ended;
  }

  /** Returns the `w:sectPr` of the cover and contents before a text that begins on a landscape page. */
  front(): string {
    return this.sectionXml(false, this.properties.hasTitlePage);
  }

  /** Returns the `w:sectPr` of the open section. */
  xml(): string {
    const hasTitlePage = this.properties.hasTitlePage && this.isFirst && !this.startsLandscape;
    this.isFirst = false;
    return this.sectionXml(this.isLandscape, hasTitlePage);
  }

  private sectionXml(isLandscape: boolean, hasTitlePage: boolean): string {
    const { references, page } = this.properties;
    const turned = `<w:pgSz w:w="${this.page.height}" w:h="${this.page.width}" w:orient="landscape"/>`;
    const size = isLandscape ? turned + page.replace(/<w:pgSz[^<>]*>/, '') : page;
    return `<w:sectPr>${references}${size}${hasTitlePage ? TITLE_PAGE : ''}</w:sectPr>`;
  }
}
