/** Physical quantities of data sheets and logs; every other figure with a unit counts in everyday ones. */
type TechnicalDimension =
  | 'data'
  | 'frequency'
  | 'power'
  | 'energy'
  | 'voltage'
  | 'current'
  | 'charge'
  | 'resistance'
  | 'pressure'
  | 'force'
  | 'concentration'
  | 'sound'
  | 'temperature';

/** What a figure measures; `count` covers figures without a unit of measure, `year` the years of dates. */
export type Dimension =
  | 'count'
  | 'time'
  | 'length'
  | 'area'
  | 'volume'
  | 'mass'
  | 'money'
  | 'percent'
  | 'times'
  | 'share'
  | 'year'
  | TechnicalDimension;

export interface Unit {
  dimension: Dimension;
  /** Size in the base unit of its dimension: second, metre, square metre, litre, gram. */
  factor: number;
}
