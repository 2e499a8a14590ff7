import { type Attributes, isOn, walkXml } from './xml.js';

/** Level of a list: its first number, the format as Word names it, and the text around the numbers, such as `%1.%2`. */
export interface ListLevel {
  start: number;
  format: string;
  text: string;
  isLegal?: boolean;
  /** Number of outer levels whose items restart the numbers; undefined for all. */
  restartedBy?: number;
  style?: string;
}

const LEVELS = 9;

/** Counts the items of lists. */
export class ListCounter {
  private readonly counts = new Map<string, number[]>();

  /** Makes the next item of a level have a number. */
  startAt(list: string, depth: number, value: number): void {
    this.countsOf(list)[depth] = value - 1;
  }

  /** Counts an item and returns its number, as `Piece` has it; '' for bullets, and for letters among other numbers. */
  next(list: string, depth: number, levels: readonly (ListLevel | undefined)[]): string | number {
    const level = levels[depth];
    if (!level || level.format === 'bullet') return '';
    const counts = this.countsOf(list);
    counts[depth] = (counts[depth] ?? level.start - 1) + 1;
    for (let inner = depth + 1; inner < LEVELS; inner++)
      if (depth < (levels[inner]?.restartedBy ?? LEVELS)) delete counts[inner];
    let isDecimal = true;
    const label = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const shown = levels[Number(digit) - 1];
      isDecimal &&= level.isLegal === true || shown?.format === 'decimal';
      return String(counts[Number(digit) - 1] ?? shown?.start ?? 1);
    });
    const isLetter = /Letter|Roman|^[ai]$/i.test(level.format) && /^[^%]*%[1-9][^%]*$/.test(level.text);
    return isDecimal ? label : isLetter ? counts[depth] : '';
  }

  private countsOf(list: string): number[] {
    const counts = this.counts.get(list) ?? [];
    this.counts.set(list, counts);
    return counts;
  }
}

/** Abstract list of a Word file. */
interface WordLevels {
  levels: ListLevel[];
  /** Style whose list has the levels instead; '' for none. */
  link: string;
}

interface WordList {
  abstract: string;
  own: ListLevel[];
  starts: (number | undefined)[];
}

/** Numbers of the paragraphs of a Word file. */
export class WordNumbers {
  private readonly abstracts = new Map<string, WordLevels>();
  private readonly abstractOfStyle = new Map<string, string>();
  private readonly lists = new Map<string, WordList>();
  private readonly counter = new ListCounter();

  /** Adds the lists of `numbering.xml`. */
  read(xml: string): void {
    let abstract: WordLevels = { levels: [], link: '' };
    let id = '';
    let list: WordList | null = null;
    let depth = 0;
    const set = (values: Partial<ListLevel>) => {
      const levels = list?.own ?? abstract.levels;
      levels[depth] = { start: 1, format: 'decimal', text: `%${depth + 1}.`, ...levels[depth], ...values };
    };
    walkXml(xml, {
      open: (name, attributes: Attributes) => {
        const value = attributes['val'] ?? '';
        if (name === 'abstractNum') {
          id = attributes['abstractNumId'] ?? '';
          this.abstracts.set(id, (abstract = { levels: [], link: '' }));
        } else if (name === 'num')
          this.lists.set(attributes['numId'] ?? '', (list = { abstract: '', own: [], starts: [] }));
        else if (name === 'abstractNumId' && list) list.abstract = value;
        else if (name === 'lvl' || name === 'lvlOverride') depth = Number(attributes['ilvl']) || 0;
        else if (name === 'startOverride' && list) list.starts[depth] = Number(value) || 0;
        else if (name === 'start') set({ start: Number(value) || 0 });
        else if (name === 'numFmt') set({ format: value });
        else if (name === 'lvlText') set({ text: value });
        else if (name === 'isLgl') set({ isLegal: isOn(value) });
        else if (name === 'lvlRestart') set({ restartedBy: Number(value) || 0 });
        else if (name === 'pStyle') set({ style: value });
        else if (name === 'numStyleLink') abstract.link = value;
        else if (name === 'styleLink') this.abstractOfStyle.set(value, id);
      },
      close: (name) => {
        if (name === 'num') list = null;
      },
    });
  }

  /** Counts a paragraph and returns its number; '' without one. @param depth null for the level of its style */
  next(id: string, depth: number | null, style: string): string | number {
    const list = this.lists.get(id);
    if (!list) return '';
    const { levels: plain = [], link = '' } = this.abstracts.get(list.abstract) ?? {};
    const levels = [...(this.abstracts.get(this.abstractOfStyle.get(link) ?? '')?.levels ?? plain)];
    list.own.forEach((level, at) => (levels[at] = level));
    const at =
      depth ??
      Math.max(
        0,
        levels.findIndex((level) => style !== '' && level?.style === style),
      );
    const start = list.starts[at];
    if (start !== undefined) this.counter.startAt(list.abstract, at, start);
    delete list.starts[at];
    return this.counter.next(list.abstract, at, levels);
  }
}
