import type { Bound } from './approximation.js';
import type { Dimension } from './dimension.js';

/** A figure with what it measures. */
export interface Quantity {
  text: string;
  at: number;
  end: number;
  /** Its values as decimal numbers in the unit as written. */
  keys: string[];
  /** Values that it may have, in the base unit of its dimension. */
  values: number[];
  dimension: Dimension;
  /** Size of its unit in base units; 1 without a unit. */
  factor: number;
  /** Value of its last digit as written, in base units. */
  step: number;
  bound: Bound | null;
  /** Words that follow it, which name what is counted. */
  nouns: string[];
  /** Index of its sentence. */
  sentence: number;
  /** Of a duration in two units: the value of its part, such as 2 hours of `2 hours and 15 minutes`. */
  part?: number;
  /** True if it is in no figure, so that it is no claim: `one assistant` after `two keepers`. */
  isImplied?: boolean;
}

/** A year that a text names, with the part of it that has passed if the day is known. */
export interface PointInTime {
  /** Null if the date lacks it. */
  year: number | null;
  /** Days since 1 January 1970 of the first and the last day that are meant; null if only the year is known. */
  days: [number, number] | null;
  sentence: number;
}

/** The figures of a text with their sentences. */
export interface Quantities {
  quantities: Quantity[];
  points: PointInTime[];
  sentences: string[];
  /** Year from which ages are counted: `200 years old`. */
  thisYear: number;
}
