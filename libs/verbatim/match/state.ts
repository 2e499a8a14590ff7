import type { DiffPart, LedgerRun } from '../schema.js';
import type { ManuscriptText, Reading, SourceText } from '../source/units.js';
import type { ScannedLine } from '#markdown/scan/scan.js';

export const STATUS = { unaccounted: 0, carried: 1, altered: 2, byRule: 3, byPerson: 4 } as const;

interface Alteration {
  line: number;
  manuscriptLine: number;
  reason: string;
  diff: DiffPart[];
}

/** State of each line of one source; lines are 0-based, -1 means none. */
export class SourceState {
  readonly status: Uint8Array;
  readonly manuscriptLine: Int32Array;
  readonly how: Uint8Array;
  readonly alterations: Alteration[] = [];
  /** Reason why a line is omitted or unaccounted, unless it is simply missing. */
  readonly reasons = new Map<number, string>();

  /** Last manuscript line of source lines that were wrapped over several. */
  readonly wrappedTo = new Map<number, number>();

  constructor(
    readonly source: SourceText,
    readonly reading: Reading,
  ) {
    this.status = new Uint8Array(source.lines.length);
    this.manuscriptLine = new Int32Array(source.lines.length).fill(-1);
    this.how = new Uint8Array(source.lines.length);
  }

  carry(first: number, last: number, manuscriptLine: number, how: LedgerRun['how']): void {
    this.status.fill(STATUS.carried, first, last + 1);
    this.how.fill(MATCH_METHODS.indexOf(how), first, last + 1);
    this.manuscriptLine.fill(manuscriptLine, first, last + 1);
  }

  alter(line: number, manuscriptLine: number, reason: string, diff: DiffPart[]): void {
    if (this.status[line] === STATUS.altered) return;
    this.status[line] = STATUS.altered;
    this.manuscriptLine[line] = manuscriptLine;
    this.alterations.push({ line, manuscriptLine, reason, diff });
  }

  /** Last manuscript line (0-based) that carries this source line. */
  endOf(line: number): number {
    return this.wrappedTo.get(line) ?? (this.manuscriptLine[line] as number);
  }

  omit(line: number, reason: string): void {
    this.status[line] = STATUS.byRule;
    this.reasons.set(line, reason);
  }
}

export const MATCH_METHODS: LedgerRun['how'][] = ['exact', 'wrapped', 'table', 'sentence'];

/**
 * The manuscript lines that are already claimed, and the remaining budget of comparisons; shared by all
 * sources.
 */
export class ManuscriptState {
  /** 1 for each manuscript unit that carries source text, even if altered. */
  readonly claimed: Uint8Array;
  /** Lines that carry text but differ in invisible markup, such as the length of a code fence. */
  readonly markup = new Set<number>();
  /**
   * Remaining comparisons of unlike lines; limits the time for manuscripts that have little in common with
   * their sources.
   */
  comparisons = 40_000;
  /** Unit of each line; -1 for none. */
  private readonly unitOfLine: Int32Array;

  constructor(
    readonly text: ManuscriptText,
    readonly policy: 'verbatim' | 'narrative' = 'verbatim',
  ) {
    this.claimed = new Uint8Array(text.units.ids.length);
    this.unitOfLine = new Int32Array(text.lines.length).fill(-1);
    text.units.line.forEach((line, unit) => (this.unitOfLine[line] = unit));
  }

  /** Claims the unit of a line (0-based), if it has one. */
  claimLine(line: number): void {
    const unit = this.unitAt(line);
    if (unit !== undefined) this.claimed[unit] = 1;
  }

  isClaimed(line: number): boolean {
    const unit = this.unitAt(line);
    return unit !== undefined && this.claimed[unit] === 1;
  }

  /** Lets a line (0-based) carry the source text that another line with the same text was claimed for. */
  moveClaim(from: number, to: number): void {
    this.claimed[this.unitAt(from)!] = 0;
    this.claimed[this.unitAt(to)!] = 1;
  }

  /** Returns the ID of the text of a line (0-based); -1 if no source has it. */
  idAt(line: number): number {
    return this.text.units.ids[this.unitAt(line) ?? -1] ?? -1;
  }

  private unitAt(line: number): number | undefined {
    const unit = this.unitOfLine[line] ?? -1;
    return unit < 0 ? undefined : unit;
  }

  lineOf(unit: number): number {
    return this.text.units.line[unit] as number;
  }
}

/** Source units between two matches: `from` (included) to `to` (excluded). */
export interface Gap {
  from: number;
  to: number;
}

/** Returns the first lines of the gap's units that are still unaccounted. */
export function openLines(state: SourceState, gap: Gap): number[] {
  const open: number[] = [];
  for (let unit = gap.from; unit < gap.to; unit++) {
    const line = state.reading.units.line[unit] as number;
    if (state.status[line] === STATUS.unaccounted) open.push(line);
  }
  return open;
}

/** Returns the unclaimed manuscript units of the gap that satisfy a condition. */
export function openTargets(
  targets: Int32Array,
  manuscript: ManuscriptState,
  isWanted: (line: ScannedLine) => boolean,
): number[] {
  const open: number[] = [];
  for (const unit of targets) {
    if (
      !manuscript.claimed[unit] &&
      isWanted(manuscript.text.scanned[manuscript.lineOf(unit)] as ScannedLine)
    )
      open.push(unit);
  }
  return open;
}
