import { isAboutChange } from './arithmetic-words.js';
import type { StatingSentence } from './pairs.js';
import type { PointInTime, Quantities, Quantity } from './quantity.js';
import { YEAR } from './units.js';

const YEAR_BEFORE =
  /(?:year before|previous year|year earlier|Jahr davor|Jahr zuvor|Vorjahr|rok wcześniej|poprzedni\p{L}{1,3} rok|année précédente|un an plus tôt|año anterior)/iu;

/** A year from one date to the next. */
const A_YEAR =
  /(?<!\p{L})(?:(?:one|a|every) year|annual(?:ly)?|yearly|next year|(?:ein(?:em|es)?|jedes|nächste[sn]?) Jahr(?:es)?|jährlich|(?:za|co|każdego) rok\p{L}{0,1}|roczn\p{L}{1,4}|un an|un año)(?!\p{L})/iu;
/** Part of a year by which whole years may differ. */
const WHOLE = 0.1;

/** Returns whether a year that a passage lacks follows from a period: `ninety years old in 2022`. */
export function yearFollows(year: number, sentence: StatingSentence, known: Quantities): boolean {
  const isApart = (value: number, points: PointInTime[], text: string) => {
    const apart = Math.round(value / YEAR);
    if (apart === 0 || Math.abs(value / YEAR - apart) > WHOLE) return false;
    const [isLater, isEarlier] = [LATER.test(text), EARLIER.test(text)];
    const from = [
      ...(isEarlier && !isLater ? [] : [year - apart]),
      ...(isLater && !isEarlier ? [] : [year + apart]),
    ];
    return points.some((point) => from.includes(point.year ?? 0));
  };
  const isNext = known.sentences.some((text) => YEAR_BEFORE.test(text) || A_YEAR.test(text));
  const hasChange = (point: PointInTime) => isNext || isAboutChange(known.sentences[point.sentence] ?? '');
  if (known.points.some((point) => Math.abs((point.year ?? 0) - year) === 1 && hasChange(point))) return true;
  const periodsIn = (quantities: Quantity[]) => quantities.filter(({ dimension }) => dimension === 'time');
  if (
    periodsIn(sentence.quantities).some(({ values }) =>
      values.some((value) => isApart(value, known.points, '')),
    )
  )
    return true;
  return periodsIn(known.quantities).some(({ values, sentence: at }) => {
    const text = known.sentences[at] ?? '';
    // A period belongs to the year next to it, an age to the year of birth wherever it is.
    const near = known.points.filter((point) => AGED.test(text) || Math.abs(point.sentence - at) <= 1);
    return values.some((value) => isApart(value, near, text));
  });
}

const LATER =
  /(?<!\p{L})(?:later|after|später|danach|darauf|później|po|plus tard|après|más tarde|después)(?!\p{L})/iu;
const EARLIER =
  /(?<!\p{L})(?:earlier|before|ago|früher|davor|zuvor|wcześniej|temu|plus tôt|auparavant|antes|hace)(?!\p{L})/iu;
const AGED =
  /(?<!\p{L})(?:old|aged|age|alt|alter|jährig\p{L}{0,3}|wieku|âge|âgée?|edad|años|ans|lat)(?!\p{L})/iu;
