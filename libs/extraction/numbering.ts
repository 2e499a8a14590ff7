import { numberText } from './number-formats.js';

/** Numbering of the items on a list level. */
interface NumberingLevel {
  start: number;
  /** Name as in Word: `decimal`, `lowerLetter`, `upperRoman`, `bullet`, … */
  format: string;
  /** Text around the numbers of this and the outer levels: `%1.%2`. */
  text: string;
  /** True if numbers of outer levels are shown as decimals, too. */
  isLegal: boolean;
  /** First number of a `custom` format, such as `001`. */
  pattern?: string;
  /** Number of outer levels whose items restart the numbers: 0 for none, undefined for all. */
  restartedBy?: number;
  /** ID of the style whose paragraphs are on this level. */
  style?: string;
}

/** Number of a paragraph, as the program that wrote the file shows it. */
export interface Label {
  /** `1.`, `(a)`, `2.1`; empty for a bullet. */
  text: string;
  value: number;
}

const DEEPEST = 8;
const BULLET: Label = { text: '', value: 0 };

/** Computes the numbers of paragraphs, which documents do not store as text. Levels are counted from 0, the outermost. */
export class Numbering {
  private readonly levels = new Map<string, NumberingLevel>();
  private readonly abstractOf = new Map<string, string>();
  private readonly links = new Map<string, string>();
  private readonly abstractOfStyle = new Map<string, string>();
  private readonly counterOf = new Map<string, string>();
  private readonly overrides = new Map<string, number>();
  private readonly begun = new Set<string>();
  /** Last number of each level, by counter. Lists with a common counter continue each other's numbers. */
  private readonly counters = new Map<string, number[]>();

  /** Returns a level of an abstract list to describe it further; a new one counts `1.`, `2.`, … */
  describe(abstract: string, level: string | number): NumberingLevel {
    return this.describedLevel(`${abstract} ${level}`, level);
  }

  /** Like `describe`, for a level that only one list has. */
  describeOwn(list: string, level: string | number): NumberingLevel {
    return this.describedLevel(`num ${list} ${level}`, level);
  }

  /** Makes a list count with the other lists of an abstract list. @param counter the lists that it counts with instead */
  addList(list: string, abstract: string, counter = abstract): void {
    this.abstractOf.set(list, abstract);
    this.counterOf.set(list, counter);
  }

  /** Makes an abstract list have the levels of the list of a style. */
  link(abstract: string, style: string): void {
    this.links.set(abstract, style);
  }

  /** Names the list style that an abstract list defines. */
  nameStyle(abstract: string, style: string): void {
    this.abstractOfStyle.set(style, abstract);
  }

  /** Returns the level of a list whose paragraphs have a style; undefined if no level names it. */
  levelOfStyle(list: string, style: string): number | undefined {
    if (style === '') return undefined;
    const abstract = this.abstractWithLevels(list);
    for (let depth = 0; depth <= DEEPEST; depth++)
      if (this.level(list, abstract, depth)?.style === style) return depth;
    return undefined;
  }

  has(list: string): boolean {
    return this.abstractOf.has(list);
  }

  /** Makes the next paragraph of a list have this number. */
  startAt(list: string, at: number, value: number): void {
    const counters = this.countersOf(list);
    counters[Math.min(at, DEEPEST)] = value - 1;
  }

  /** Makes a list restart with a number at its first paragraph of a level. */
  restart(list: string, level: string | number, start: number): void {
    this.overrides.set(`${list} ${level}`, start);
  }

  /** Counts the next paragraph of a list and returns its label. */
  next(list: string, at: number): Label {
    const abstract = this.abstractWithLevels(list);
    const depth = Math.min(at, DEEPEST);
    const level = this.level(list, abstract, depth);
    if (level === undefined || level.format === 'bullet') return BULLET;
    const counters = this.countersOf(list);
    const start = this.startOf(list, depth);
    counters[depth] = start ?? (counters[depth] ?? level.start - 1) + 1;
    for (let inner = depth + 1; inner <= DEEPEST; inner++)
      if (depth < (this.level(list, abstract, inner)?.restartedBy ?? DEEPEST)) delete counters[inner];
    const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const outer = Number(digit) - 1;
      const shown = this.level(list, abstract, outer);
      const value = counters[outer] ?? shown?.start ?? 1;
      return numberText(value, level.isLegal ? 'decimal' : (shown?.format ?? 'decimal'), shown?.pattern);
    });
    return { text: text.trim(), value: counters[depth]! };
  }

  private abstractWithLevels(list: string): string {
    const abstract = this.abstractOf.get(list) ?? '';
    return this.abstractOfStyle.get(this.links.get(abstract) ?? '') ?? abstract;
  }

  private countersOf(list: string): number[] {
    const key = this.counterOf.get(list) ?? '';
    const counters = this.counters.get(key) ?? [];
    this.counters.set(key, counters);
    return counters;
  }

  private describedLevel(key: string, level: string | number): NumberingLevel {
    const known = this.levels.get(key);
    if (known) return known;
    const text = `%${Number(level) + 1}.`;
    const made: NumberingLevel = { start: 1, format: 'decimal', text, isLegal: false };
    this.levels.set(key, made);
    return made;
  }

  private level(list: string, abstract: string, depth: number): NumberingLevel | undefined {
    return this.levels.get(`num ${list} ${depth}`) ?? this.levels.get(`${abstract} ${depth}`);
  }

  /** Returns the number with which a list restarts at this paragraph; undefined if it continues. */
  private startOf(list: string, depth: number): number | undefined {
    const key = `${list} ${depth}`;
    const override = this.overrides.get(key);
    if (override === undefined || this.begun.has(key)) return undefined;
    this.begun.add(key);
    return override;
  }
}
