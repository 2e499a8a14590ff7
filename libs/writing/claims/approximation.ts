/** How a sentence limits a figure: `about 2,000`, `over 2,000`, `nearly 2,000`, `less than 2,000`. */
export type Bound = 'about' | 'above' | 'below' | 'under';

const CUES: [Bound, string][] = [
  [
    'above',
    'over|above|more than|just over|well over|little over|upwards of|at least|exceeds|exceeded|übersteigt|przekracza|dépasse|dépassent|supera|über|mehr als|gut|gute|guten|mindestens|ponad|przeszło|powyżej|więcej niż|co najmniej|plus de|plus d|bon|bonne|au moins|más de|algo más de|poco más de|por encima de',
  ],
  [
    'below',
    'nearly|almost|just under|not quite|knapp|fast|beinahe|nahezu|annähernd|nicht ganz|prawie|niemal|niespełna|niecałe|niecałych|niecała|niecałą|presque|un peu moins de|un peu moins d|casi|algo menos de|poco menos de',
  ],
  [
    'under',
    'under|below|less than|fewer than|up to|unter|weniger als|bis zu|poniżej|mniej niż|moins de|moins d|menos de|hasta',
  ],
  [
    'about',
    'about|around|roughly|approximately|some|circa|ca|c|an estimated|close to|rund|etwa|ungefähr|zirka|schätzungsweise|um die|około|ok|mniej więcej|blisko|jakieś|w przybliżeniu|environ|près de|près d|pas loin de|à peu près|quelque|autour de|unos|unas|alrededor de|aproximadamente|en torno a|hacia|cerca de',
  ],
];
const PATTERNS = CUES.map(
  ([bound, words]) =>
    [
      bound,
      new RegExp(
        `(?<!\\p{L})(?:${words})\\.?['’]?\\s?(?:(?:a|an|the|eine[mnrs]?|ein|un|une|d|los|las|les|tous|£|€|\\$)['’]?\\s?){0,2}$`,
        'iu',
      ),
    ] as const,
);
const BEHIND =
  /^(?: \p{L}{1,20})? (?:or so|or more|oder so|lub więcej|a bit over|y pico|et quelques)(?!\p{L})/iu;
const LONGEST_CUE = 30;

/** Returns how a figure at an offset of a sentence is limited; null if it is stated exactly. */
export function boundAt(text: string, at: number, end: number): Bound | null {
  const before = text.slice(Math.max(0, at - LONGEST_CUE), at);
  const found = PATTERNS.find(([, pattern]) => pattern.test(before));
  if (found) return found[0];
  return BEHIND.test(text.slice(end, end + LONGEST_CUE)) ? 'about' : null;
}

/** Part by which a value may differ from a limited figure. */
const ABOVE = 0.25;
const BELOW = 0.17;
const UNDER = 0.3;
const ABOUT = 0.07;
/** Of a figure with one digit other than zero, such as 3000. */
const ABOUT_ROUND = 0.1;
const EXACT = 1e-6;

/** Calculated values agree with a limited figure by chance more often. */
const DERIVED = 0.4;

/** How a figure is written. */
export interface Writing {
  bound: Bound | null;
  /** Value of the last digit as written, if the value may be rounded to it. */
  step: number | null;
  /** Whether the figure as written has one digit other than zero. */
  isRound?: boolean;
  /** Whether the value is calculated. */
  isDerived?: boolean;
}

/** Returns whether a value may be written as a figure. */
export function mayBeWritten(
  value: number,
  figure: number,
  { bound, step, isRound = false, isDerived = false }: Writing,
): boolean {
  const difference = value - figure;
  const part = Math.abs(difference) / Math.abs(figure);
  if (part <= EXACT) return true;
  if (step !== null && part <= ABOUT && Math.abs(difference) <= step * 0.5 * (1 + EXACT)) return true;
  const scale = isDerived ? DERIVED : 1;
  if (bound === 'above') return difference > 0 && part <= ABOVE * scale;
  if (bound === 'below') return difference < 0 && part <= BELOW * scale;
  if (bound === 'under') return difference < 0 && part <= UNDER * scale;
  return bound === 'about' && part <= (isRound ? ABOUT_ROUND : ABOUT) * scale;
}
