/** Paragraph or table row to be placed. Lengths are in twentieths of a point. */
export interface FlowItem {
  before: number;
  after: number;
  lines: readonly number[];
  keepNext: boolean;
  /** Whether all lines stay on one page. */
  keepLines: boolean;
  bookmarks: readonly string[];
  /** Heights of the notes at the bottom of the page, by the line that references them. */
  notes: readonly { line: number; height: number }[];
  pageBreakBefore: boolean;
  pageBreakAfter: boolean;
}

/** Height of the separator above the notes of a page. */
const NOTE_SEPARATOR = 80;

/** Places paragraphs on pages; applies the rules that keep headings with their text and lines together. */
export class Pager {
  readonly bookmarks = new Map<string, number>();
  page = 1;
  private y = 0;
  private notes = 0;
  private gap = 0;
  private top = true;
  private forced = true;
  private group: FlowItem[] = [];

  /** @param room height between the margins, in twentieths of a point */
  constructor(private room: number) {}

  /** Sets the height of the pages that follow. */
  turn(room: number): void {
    this.flush();
    this.room = room;
  }

  add(item: FlowItem): void {
    if (item.pageBreakBefore) {
      this.flush();
      if (!this.top) this.nextPage(true);
    }
    this.group.push(item);
    if (!item.keepNext || this.group.length > 60) this.flush();
  }

  /** Places the paragraphs that wait for the next one. */
  flush(): void {
    const { group } = this;
    this.group = [];
    if (group.length > 1 && !this.fits(group)) this.nextPage();
    for (const item of group) this.place(item);
  }

  /**
   * Returns whether a group fits on this page together with the first lines of its last paragraph. True also
   * if it fits on no page.
   */
  private fits(group: readonly FlowItem[], more = 0): boolean {
    let height = more;
    let above = 0;
    let { gap } = this;
    group.forEach((item, i) => {
      const space = this.top && i === 0 ? this.topSpace(item) : Math.max(gap, item.before);
      if (i === 0) above = space;
      const whole = more > 0 || i < group.length - 1;
      const lines = whole ? item.lines : item.lines.slice(0, firstLines(item));
      height += space + sum(lines) + notesWithin(item, lines.length);
      gap = item.after;
    });
    if (more > 0) height += gap;
    return this.y + height <= this.room - this.notes || height - above > this.room;
  }

  private place(item: FlowItem): void {
    const { lines } = item;
    this.y += this.top ? this.topSpace(item) : Math.max(this.gap, item.before);
    let at = 0;
    let marked = false;
    while (at < lines.length) {
      const count = this.linesThatFit(item, at);
      if (count === 0 && !this.top) {
        this.nextPage();
        continue;
      }
      const usedLines = Math.max(1, count);
      if (!marked) for (const name of item.bookmarks) this.bookmarks.set(name, this.page);
      marked = true;
      for (let i = at; i < at + usedLines; i++) this.y += lines[i] ?? 0;
      this.takeNotes(item, at, at + usedLines);
      this.top = false;
      at += usedLines;
      if (at < lines.length) this.nextPage();
    }
    this.gap = item.after;
    if (item.pageBreakAfter) this.nextPage(true);
  }

  /**
   * Returns how many lines of an item from `at` on fit on this page; at least two stay on each page.
   */
  private linesThatFit(item: FlowItem, at: number): number {
    const { lines } = item;
    let height = this.y + this.notes;
    let count = 0;
    while (at + count < lines.length) {
      height += (lines[at + count] ?? 0) + this.notesOf(item, at + count);
      if (height > this.room) break;
      count++;
    }
    const left = lines.length - at - count;
    if (left === 0) return count;
    if (item.keepLines && at === 0) return 0;
    if (left === 1 && lines.length > 1) count--;
    return at === 0 && count < 2 ? 0 : count;
  }

  private notesOf(item: FlowItem, line: number): number {
    const height = item.notes.reduce((total, note) => total + (note.line === line ? note.height : 0), 0);
    return height > 0 && this.notes === 0 ? height + NOTE_SEPARATOR : height;
  }

  private takeNotes(item: FlowItem, from: number, to: number): void {
    for (const note of item.notes)
      if (note.line >= from && note.line < to)
        this.notes += note.height + (this.notes === 0 ? NOTE_SEPARATOR : 0);
  }

  /** Returns the space above the first paragraph of a page: kept only after an explicit break. */
  private topSpace(item: FlowItem): number {
    return this.forced ? item.before : 0;
  }

  private nextPage(forced = false): void {
    this.forced = forced;
    this.page++;
    this.y = 0;
    this.notes = 0;
    this.gap = 0;
    this.top = true;
  }

  /** Places table rows; head lines are repeated on each page. */
  addTable(rows: readonly FlowItem[], heads: number, together: boolean): void {
    const heights = rows.map((row) => sum(row.lines));
    const head = sum(heights.slice(0, heads));
    const needed = together ? sum(heights) : head + (heights[heads] ?? 0);
    const { group } = this;
    this.group = [];
    if (!this.fits(group, needed)) this.nextPage();
    for (const item of group) this.place(item);
    if (!this.top) this.y += this.gap;
    rows.forEach((row, i) => {
      const height = heights[i] ?? 0;
      const notes = notesWithin(row, row.lines.length);
      const above = i > heads && head < this.room / 2 ? head : 0;
      // A row higher than a page starts at the current position and continues on the next pages, each
      // starting with the head.
      const isHigher = height > this.room;
      if (!this.top && !isHigher && this.y + height + notes > this.room - this.notes) {
        this.nextPage();
        this.y += above;
      }
      for (const name of row.bookmarks) this.bookmarks.set(name, this.page);
      this.y += height;
      this.takeNotes(row, 0, row.lines.length);
      this.top = false;
      while (this.y > this.room) {
        this.page++;
        this.y -= this.room - above;
      }
    });
    this.gap = 0;
  }

  /** Number of the last page with text. */
  get lastPage(): number {
    return this.top && this.page > 1 ? this.page - 1 : this.page;
  }

  /** Height used on the last page, including the space after its last paragraph. */
  get height(): number {
    return this.y + this.gap;
  }
}

/** Returns the number of a paragraph's lines that must be on the page of the preceding heading. */
function firstLines(item: FlowItem): number {
  if (item.keepLines) return item.lines.length;
  return item.lines.length <= 3 ? (item.lines.length === 3 ? 3 : item.lines.length) : 2;
}

function notesWithin(item: FlowItem, lines: number): number {
  return item.notes.reduce((total, note) => total + (note.line < lines ? note.height : 0), 0);
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
