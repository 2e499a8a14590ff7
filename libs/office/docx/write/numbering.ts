import { NAMESPACES, XML_HEAD } from './xml.js';

/** Last of Word's nine list levels; deeper lists stay on it. */
export const LAST_LEVEL = 8;
const STEP = 360;
/** Distance between a list marker and the text to its right. */
export const HANGING = 360;
const BULLETS = ['•', '◦', '▪'];

const BULLET = 1;
const TASK = 2;
const HEADINGS = 3;
const LINES = 4;
const FIRST_ORDERED = 5;
/** Number formats of nested numbered lists, outermost first. */
export const ORDERED_FORMATS = ['decimal', 'lowerLetter', 'lowerRoman'] as const;
type Delimiter = '.' | ')';
const DELIMITERS: readonly Delimiter[] = ['.', ')'];
const FIRST_OWN = FIRST_ORDERED + ORDERED_FORMATS.length * DELIMITERS.length;

/** Returns the text indent of a list level, in twentieths of a point from the list's left edge. */
export function levelIndent(depth: number): number {
  return (Math.min(depth, LAST_LEVEL) + 1) * STEP;
}

/** Creates list instances and writes `word/numbering.xml`. */
export class Numbering {
  private readonly own: string[] = [];
  private readonly instances: string[] = [];

  /** Creates the bullet, task and heading instances. Their IDs equal the IDs of their kinds. */
  constructor(private readonly ofBook = false) {
    this.instance(BULLET, '');
    this.instance(TASK, '');
    this.instance(HEADINGS, '');
  }

  static readonly headingInstance = 3;

  /**
   * Returns the instance of a bullet or task list (checkboxes are part of the text). With `apart` it does not
   * join the previous list.
   */
  bullets(task: boolean, apart: boolean): number {
    const kind = task ? TASK : BULLET;
    return apart ? this.instance(kind, '') : kind;
  }

  /**
   * Returns the instance of a numbered list that starts at `start`, regardless of earlier lists.
   *
   * @param depth number of enclosing lists
   * @param outer number of enclosing numbered lists
   */
  ordered(depth: number, outer: number, start: number, delimiter: Delimiter): number {
    const level = Math.min(depth, LAST_LEVEL);
    const format = outer % ORDERED_FORMATS.length;
    const restart = `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`;
    if (depth < LAST_LEVEL) return this.instance(orderedKind(format, delimiter), restart);
    // Lists on the same level would share a counter.
    const id = FIRST_OWN + this.own.length;
    this.own.push(orderedList(id, format, delimiter));
    return this.instance(id, restart);
  }

  /** Returns the numbering properties for the lines of one code block, starting at 1. */
  lines(): string {
    const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>';
    return `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${this.instance(LINES, restart)}"/></w:numPr>`;
  }

  private instance(kind: number, body: string): number {
    const id = this.instances.length + 1;
    this.instances.push(`<w:num w:numId="${id}"><w:abstractNumId w:val="${kind}"/>${body}</w:num>`);
    return id;
  }

  xml(): string {
    const kinds = [
      abstract(BULLET, (i) => listLevel(i, 'bullet', BULLETS[i % BULLETS.length] ?? '•')),
      abstract(TASK, (i) => listLevel(i, 'bullet', '')),
      abstract(HEADINGS, this.ofBook ? chapterLevel : headingLevel),
      abstract(LINES, lineLevel),
      ...DELIMITERS.flatMap((delimiter) =>
        ORDERED_FORMATS.map((_, format) => orderedList(orderedKind(format, delimiter), format, delimiter)),
      ),
      ...this.own,
    ];
    return `${XML_HEAD}<w:numbering ${NAMESPACES}>${kinds.join('')}${this.instances.join('')}</w:numbering>`;
  }
}

function abstract(id: number, level: (index: number) => string): string {
  const levels = Array.from({ length: LAST_LEVEL + 1 }, (_, i) => level(i)).join('');
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${levels}</w:abstractNum>`;
}

function orderedKind(format: number, delimiter: Delimiter): number {
  return FIRST_ORDERED + DELIMITERS.indexOf(delimiter) * ORDERED_FORMATS.length + format;
}

function orderedList(id: number, format: number, delimiter: Delimiter): string {
  return abstract(id, (i) => listLevel(i, ORDERED_FORMATS[format] ?? 'decimal', `%${i + 1}${delimiter}`));
}

function listLevel(index: number, format: string, text: string): string {
  const left = (index + 1) * STEP;
  return (
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/>` +
    `<w:pPr><w:ind w:left="${left}" w:hanging="${HANGING}"/></w:pPr></w:lvl>`
  );
}

/** Writes the level of line numbers: small and grey, within the hanging indent of code lines. */
function lineLevel(index: number): string {
  return (
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%${index + 1}"/><w:lvlJc w:val="left"/>` +
    `<w:rPr><w:b w:val="0"/><w:i w:val="0"/><w:color w:val="767676"/></w:rPr></w:lvl>`
  );
}

function headingLevel(index: number): string {
  const text = Array.from({ length: index + 1 }, (_, i) => `%${i + 1}`).join('.');
  const indent = headingIndent(index);
  return (
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/>` +
    `<w:pPr><w:ind w:left="${indent}" w:hanging="${indent}"/></w:pPr></w:lvl>`
  );
}

/** Writes the level of a book's chapter numbers: before the title, with a wide space. */
function chapterLevel(index: number): string {
  return `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:suff w:val="nothing"/><w:lvlText w:val="%${index + 1}\u2003"/><w:lvlJc w:val="left"/></w:lvl>`;
}

/** Returns the indent for the number before a heading. */
export function headingIndent(level: number): number {
  return 432 + level * 144;
}
