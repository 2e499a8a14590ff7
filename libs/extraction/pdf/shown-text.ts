import type { PdfItem } from './pdfjs-types.js';
import type { ShownGlyph } from './read-drawing.js';
import { RuleIndex } from './rule-index.js';
import type { Rule } from './rules.js';
import { addLetters, isOfOneDirection } from './visual-order.js';

/** Minimum gap that counts as a blank, maximum gap within a run, and maximum step back. */
const BLANK = 0.13;
const LARGEST_GAP = 0.6;
const STEP_BACK = 0.3;
/** Height of a rule that strikes letters through, above the baseline. All these are relative to the font size. */
const STRIKE_FROM = 0.14;
const STRIKE_TO = 0.48;

/** Distance of the rule of a root from its sign, and height of the rule above the baseline of the sign; relative to the font size. */
const RADICAL_GAP = 0.3;
const RADICAL_HEIGHT = 2;
const MOST_RADICALS = 500;

/** Text item under construction, like the items of pdf.js, with the position of its letters. */
interface OpenRun {
  item: PdfItem;
  /** Unit vector of the direction. */
  direction: readonly [number, number];
  size: number;
  /** Distance from the origin of the run to the end of its last letter. */
  end: number;
  rise: number;
}

/**
 * Joins the letters of a page to runs. A run ends at a wide gap, at another line, font or height above the
 * line, at a vertical rule, with its marked text, and where letters begin or cease to be struck through.
 *
 * @param rules thin lines of the page
 * @param hasLettersToLeft whether runs also end where the direction of the letters changes
 */
export function joinGlyphs(
  glyphs: readonly ShownGlyph[],
  rules: readonly Rule[],
  hasLettersToLeft: boolean,
): PdfItem[] {
  const items: PdfItem[] = [];
  const [strikes, borders] = [
    new RuleIndex(withoutRadicals(rules, glyphs), true),
    new RuleIndex(rules, false),
  ];
  const tracking = trackingOf(glyphs);
  let run: OpenRun | null = null;
  for (const glyph of glyphs) {
    const struck = isStruck(glyph, strikes);
    const isAlike: boolean =
      run !== null &&
      run.item.struck === struck &&
      run.item.mark === glyph.mark &&
      (!hasLettersToLeft || isOfOneDirection(run.item.str, glyph.text));
    const gap: number | null = run && isAlike ? gapBetween(run, glyph, borders, tracking) : null;
    if (run === null || gap === null) {
      run = openRun(glyph, struck);
      if (hasLettersToLeft) run.item.str = addLetters('', glyph.text);
      items.push(run.item);
      continue;
    }
    const isMark = /^\p{M}/u.test(glyph.text);
    const blank = !isMark && (glyph.afterBlank || gap > BLANK * run.size) ? ' ' : '';
    run.item.str = hasLettersToLeft
      ? addLetters(run.item.str, glyph.text, blank)
      : run.item.str + blank + glyph.text;
    run.end = Math.max(run.end, placeOn(run, glyph)[0] + glyph.width);
    run.item.width = run.end;
  }
  return items;
}

/** Returns the rules except those of roots, which begin at the upper right end of the sign and pass above letters that are not struck. */
function withoutRadicals(rules: readonly Rule[], glyphs: readonly ShownGlyph[]): readonly Rule[] {
  const signs = glyphs.filter(({ text }) => text === '√').slice(0, MOST_RADICALS);
  if (signs.length === 0) return rules;
  return rules.filter(
    ({ x, y }) =>
      !signs.some(({ transform: [a, , , , signX, signY], width }) => {
        const isAtEnd = Math.abs(x - signX - width) < a * RADICAL_GAP;
        return isAtEnd && y > signY && y < signY + a * RADICAL_HEIGHT;
      }),
  );
}

function openRun({ text, transform, width, font, rise, mark }: ShownGlyph, struck: boolean): OpenRun {
  const [a, b] = transform;
  const size = Math.hypot(a, b);
  const item: PdfItem = {
    str: text,
    transform: [...transform],
    width,
    fontName: font,
    hasEOL: false,
    struck,
    mark,
  };
  if (rise !== 0) item.rise = rise;
  return { item, direction: size > 0 ? [a / size, b / size] : [1, 0], size, end: width, rise };
}

/** Returns the distance from the end of a run to a letter; null if the letter does not continue the run. */
function gapBetween(
  run: OpenRun,
  glyph: ShownGlyph,
  borders: RuleIndex,
  tracking: ReadonlyMap<string, number>,
): number | null {
  const { item, size, end } = run;
  const [a, b, , , x, y] = glyph.transform;
  if (glyph.font !== item.fontName || glyph.rise !== run.rise) return null;
  if (Math.abs(a - item.transform[0]!) + Math.abs(b - item.transform[1]!) > size * 0.02) return null;
  const [along, across] = placeOn(run, glyph);
  const gap = along - end - (tracking.get(spacingKey(glyph)) ?? 0);
  if (Math.abs(across) > size * 0.05 || gap < -size * STEP_BACK || gap > size * LARGEST_GAP) return null;
  const isLevel = Math.abs(run.direction[1]) < 0.01;
  if (isLevel && gap > size * 0.1 && borders.has(x - gap - 0.5, x + 0.5, y + size * 0.3)) return null;
  return gap;
}

const spacingKey = ({ font, spacing }: ShownGlyph): string => `${font} ${spacing}`;

/**
 * Returns the usual gap between letters by font and letter spacing. Some programs set a letter spacing and undo it
 * letter by letter, so the gap is measured.
 */
function trackingOf(glyphs: readonly ShownGlyph[]): Map<string, number> {
  const gaps = new Map<string, number[]>();
  for (const [at, glyph] of glyphs.entries()) {
    const before = glyphs[at - 1];
    if (!before || glyph.spacing <= 0) continue;
    const [key, step] = [spacingKey(glyph), stepFrom(before, glyph)];
    if (spacingKey(before) !== key || glyph.afterBlank || step < before.width) continue;
    const own = gaps.get(key);
    if (own) own.push(step - before.width);
    else gaps.set(key, [Math.min(glyph.spacing, step - before.width)]);
  }
  return new Map(
    [...gaps].map(([key, own]) => {
      const usual = own.sort((a, b) => a - b)[Math.floor(own.length / 4)]!;
      return [key, Math.min(usual, Number(key.slice(key.indexOf(' ') + 1)))];
    }),
  );
}

const stepFrom = ({ transform: from }: ShownGlyph, { transform: to }: ShownGlyph): number =>
  Math.hypot(to[4] - from[4], to[5] - from[5]);

/** Returns the position of a letter relative to the origin of a run: along the line and across it. */
function placeOn({ item, direction: [cos, sin] }: OpenRun, { transform }: ShownGlyph): [number, number] {
  const [dx, dy] = [transform[4] - item.transform[4]!, transform[5] - item.transform[5]!];
  return [dx * cos + dy * sin, dy * cos - dx * sin];
}

function isStruck({ transform: [a, b, , , x, y], width }: ShownGlyph, strikes: RuleIndex): boolean {
  if (a <= 0 || Math.abs(b) > a * 0.01) return false;
  return strikes.has(y + a * STRIKE_FROM, y + a * STRIKE_TO, x + width / 2);
}
