import { letterNumber, romanNumber } from '../letters.js';
import { isOn, readXml } from './xml.js';

interface Level {
  start: number;
  format: string;
  /** Text around the numbers of this and the outer levels: `%1.%2`. */
  text: string;
  /** All its numbers are decimal. */
  isLegal: boolean;
  /** It restarts behind an item of an outer level. */
  restarts: boolean;
}

/** The number of a paragraph as Word shows it. */
export interface Label {
  /** `1.`, `(a)`, `2.1`; empty for a bullet. */
  text: string;
  value: number;
}

const DEEPEST = 8;
const BULLET: Label = { text: '', value: 0 };

/** Computes the numbers of paragraphs, which Word does not store as text. */
export class Numbering {
  private readonly levels = new Map<string, Level>();
  private readonly abstractOf = new Map<string, string>();
  private readonly overrides = new Map<string, number>();
  private readonly begun = new Set<string>();
  /** Numbers of the levels of each abstract list: lists that share it go on with each other's numbers. */
  private readonly counters = new Map<string, number[]>();

  constructor(xml: string | null) {
    if (xml === null) return;
    let abstract = '';
    let number = '';
    let index = '';
    const level = (): Level => {
      const key = `${number === '' ? abstract : `num ${number}`} ${index}`;
      const known = this.levels.get(key);
      if (known) return known;
      const made = {
        start: 1,
        format: 'decimal',
        text: `%${Number(index) + 1}.`,
        isLegal: false,
        restarts: true,
      };
      this.levels.set(key, made);
      return made;
    };
    readXml(xml, {
      open: (name, attributes) => {
        const value = attributes['w:val'] ?? '';
        if (name === 'w:abstractNum') abstract = attributes['w:abstractNumId'] ?? '';
        else if (name === 'w:num') number = attributes['w:numId'] ?? '';
        else if (name === 'w:abstractNumId' && number !== '') this.abstractOf.set(number, value);
        else if (name === 'w:lvl' || name === 'w:lvlOverride') index = attributes['w:ilvl'] ?? '';
        else if (name === 'w:startOverride') this.overrides.set(`${number} ${index}`, Number(value) || 0);
        else if (name === 'w:start') level().start = Number(value) || 0;
        else if (name === 'w:numFmt') level().format = value;
        else if (name === 'w:lvlText') level().text = value;
        else if (name === 'w:isLgl') level().isLegal = isOn(value);
        else if (name === 'w:lvlRestart') level().restarts = value !== '0';
      },
      close: (name) => {
        if (name === 'w:num') number = '';
      },
    });
  }

  /** Counts the next paragraph of a list at a level (0 is the outermost) and returns its label. */
  next(numId: string, at: number): Label {
    const abstract = this.abstractOf.get(numId) ?? '';
    const depth = Math.min(at, DEEPEST);
    const level = this.level(numId, abstract, depth);
    if (level === undefined || level.format === 'bullet') return BULLET;
    const counters = this.counters.get(abstract) ?? [];
    this.counters.set(abstract, counters);
    const start = this.startOf(numId, depth);
    counters[depth] = start ?? (counters[depth] ?? level.start - 1) + 1;
    for (let inner = depth + 1; inner <= DEEPEST; inner++)
      if (this.level(numId, abstract, inner)?.restarts !== false) delete counters[inner];
    const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const outer = Number(digit) - 1;
      const shown = this.level(numId, abstract, outer);
      const value = counters[outer] ?? shown?.start ?? 1;
      return format(value, level.isLegal ? 'decimal' : (shown?.format ?? 'decimal'));
    });
    return { text: text.trim(), value: counters[depth]! };
  }

  private level(numId: string, abstract: string, depth: number): Level | undefined {
    return this.levels.get(`num ${numId} ${depth}`) ?? this.levels.get(`${abstract} ${depth}`);
  }

  /** Returns where a list starts over with this paragraph; undefined if it goes on. */
  private startOf(numId: string, depth: number): number | undefined {
    const key = `${numId} ${depth}`;
    const override = this.overrides.get(key);
    if (override === undefined || this.begun.has(key)) return undefined;
    this.begun.add(key);
    return override;
  }
}

function format(value: number, name: string): string {
  switch (name) {
    case 'lowerLetter':
      return letterNumber(value) ?? String(value);
    case 'upperLetter':
      return (letterNumber(value) ?? String(value)).toUpperCase();
    case 'lowerRoman':
      return romanNumber(value) ?? String(value);
    case 'upperRoman':
      return (romanNumber(value) ?? String(value)).toUpperCase();
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'none':
      return '';
    default:
      return String(value);
  }
}
