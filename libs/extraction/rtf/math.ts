import { FormulaReader } from '../docx/formula.js';
import type { FormulaText } from '../formula.js';

/** Groups that contain one formula each. */
const FORMULAS = new Set(['mmath', 'mmathPara', 'moMath', 'moMathPara']);

interface Group {
  /** Name of the element in Word's own XML; null for a group that only formats. */
  name: string | null;
  /** Words of a property; null for other groups. */
  value: string | null;
}

/** Collects one formula of an RTF file. Its groups are the elements of formulas in Word files (OMML), with an `m` before their names. */
export class RtfMath {
  private readonly formula = new FormulaReader();
  private readonly groups: Group[] = [];

  open(): void {
    this.groups.push({ name: null, value: null });
  }

  /** Reads a control word. The first word of a group names the group. @param value number after the word */
  word(word: string, value: number | null): void {
    const group = this.groups.at(-1);
    if (!group || !/^m[A-Za-z]{1,20}$/.test(word)) return;
    if (word === 'mnor') this.plainText(value);
    else if (group.name === null && !/^m(?:scr|sty|lit|aln|brk)$/.test(word)) this.begin(word, group);
  }

  text(text: string): void {
    const group = this.groups.findLast(({ name }) => name !== null);
    if (!group || text === '') return;
    if (group.value !== null) group.value += text;
    else if (!group.name!.endsWith('Pr')) this.run(text, group.name === 'm:r');
  }

  /** @returns the formula when its last group ends, else null */
  close(): FormulaText | null {
    const group = this.groups.pop();
    if (!group || group.name === null) return null;
    if (group.value !== null) this.formula.begin(group.name, { 'm:val': group.value.trim() });
    return this.formula.end();
  }

  private begin(word: string, group: Group): void {
    const outer = this.groups.slice(0, -1).findLast(({ name }) => name !== null);
    group.name = FORMULAS.has(word) ? 'm:oMath' : `m:${word.slice(1)}`;
    if (outer?.name?.endsWith('Pr') && !group.name.endsWith('Pr')) group.value = '';
    else this.formula.begin(group.name, {});
  }

  private run(text: string, isRun: boolean): void {
    if (!isRun) this.formula.begin('m:r', {});
    this.formula.begin('m:t', {});
    this.formula.words(text);
    this.formula.end();
    if (!isRun) this.formula.end();
  }

  /** Marks the current run as words instead of signs. */
  private plainText(value: number | null): void {
    this.formula.begin('m:rPr', {});
    this.formula.begin('m:nor', { 'm:val': String(value ?? 1) });
    this.formula.end();
    this.formula.end();
  }
}
