/** Page dimensions in twentieths of a point, Word's unit. */
export interface PageLayout {
  width: number;
  height: number;
  margin: number;
  header: number;
}

/** Gives the first page of a section neither header nor footer. */
export const TITLE_PAGE = '<w:titlePg/>';

/** Content of `w:sectPr`. */
interface SectionProperties {
  /** References to headers and footers; in a book, those of the pages before the chapters. */
  references: string;
  /** Size and margins of the upright page. */
  page: string;
  hasTitlePage: boolean;
  /** Creates the running heads of a book's chapter and returns the references to them. */
  openChapter?: (title: string) => string;
}

/** Sections of a document: upright pages, and landscape pages for wide tables. */
export class Sections {
  isLandscape = false;
  /** Whether each section of the text is landscape, in order. */
  readonly turns: boolean[] = [];
  private columns = 1;
  private hasText = false;
  private isFirst = true;
  private ended = 0;
  private references: string;

  constructor(
    private readonly page: PageLayout,
    private readonly properties: SectionProperties,
  ) {
    this.references = properties.references;
  }

  /** Whether the text begins on a landscape page. */
  get startsLandscape(): boolean {
    return this.turns[0] ?? false;
  }

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
    if (!this.hasText || ended !== '') this.turns.push(isLandscape);
    this.isLandscape = isLandscape;
    this.hasText = true;
    return ended;
  }

  /** Begins a chapter of a book with columns; returns the `w:sectPr` that ends the text before it, or an empty string. */
  chapter(title: string, columns: number): string {
    const ended = this.hasText ? this.xml() : '';
    this.columns = columns;
    this.references = this.properties.openChapter?.(title) ?? '';
    this.hasText = false;
    this.isFirst = true;
    return ended;
  }

  /** Returns the `w:sectPr` of the cover and contents, if these are a section of their own; else an empty string. */
  front(): string {
    const { references, hasTitlePage, openChapter } = this.properties;
    return openChapter || this.startsLandscape ? this.sectionXml(references, false, '', hasTitlePage) : '';
  }

  /** Returns the `w:sectPr` of the open section. */
  xml(): string {
    const { hasTitlePage, openChapter } = this.properties;
    const isTitlePage = hasTitlePage && this.isFirst && (openChapter !== undefined || !this.startsLandscape);
    this.isFirst = false;
    const numbers = openChapter && this.ended++ === 0 ? '<w:pgNumType w:start="1"/>' : '';
    const columns = this.columns > 1 ? `<w:cols w:num="${this.columns}" w:space="400"/>` : '';
    return this.sectionXml(this.references, this.isLandscape, numbers + columns, isTitlePage);
  }

  private sectionXml(
    references: string,
    isLandscape: boolean,
    numbers: string,
    hasTitlePage: boolean,
  ): string {
    const { page } = this.properties;
    const turned = `<w:pgSz w:w="${this.page.height}" w:h="${this.page.width}" w:orient="landscape"/>`;
    const size = isLandscape ? turned + page.replace(/<w:pgSz[^<>]*>/, '') : page;
    return `<w:sectPr>${references}${size}${numbers}${hasTitlePage ? TITLE_PAGE : ''}</w:sectPr>`;
  }
}
