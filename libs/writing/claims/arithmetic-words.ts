/** Beginnings of words for a change, a difference or a rest, in five languages. */
const CHANGES = [
  'rais|rise|rising|climb|jump|expand|declin|dip|slip|shrank|shrink|surplus|deficit|quieter|louder|taller|wider|heavier|lighter|deeper|warmer|colder|older|younger|thinner|thicker|smaller|larger|bigger|nearer|closer|further|farther|later|sooner|narrower|ahead|behind|apart|widen|narrow|extend|cut|grew|rose|fell|drop|more|less|fewer|increas|decreas|higher|lower|shorter|longer|faster|slower|cheaper|dearer|rest|remain|other|plus|growth|sav|between|difference|not|never|lost|gain|fail|left|minus|without|before|previous|formerly|earlier|reduc|spar',
  'verlänger|verkürz|erhöh|anheb|angehoben|anstieg|steiger|gesteiger|senk|gesenk|stieg|wuchs|sank|fiel|mehr|weniger|übrig|ander|gestiegen|gesunken|gewachsen|zunahme|rückgang|teurer|billiger|schneller|länger|kürzer|unterschied|zwischen|nicht|nie|weg|verlor|gewann|kein|durchgefallen|ohne|früher|zuvor|vorher|verschont|zurück|leiser|lauter|höher|breiter|schwerer|leichter|tiefer|wärmer|kälter|älter|jünger|dünner|dicker|kleiner|größer|näher|weiter|später|schmaler|vorsprung|rückstand|kürz|gekürzt|verteuert|verbilligt|sparte',
  'podwyż|podnies|podnos|obniż|nadwyż|niedob|deficyt|urosł|rosn|wzros|spad|więcej|mniej|skróci|powiększ|zmniejsz|wydłuż|przyby|uby|pozosta|reszt|poza|różni|nie|strac|zysk|droż|tań|bez|wcześniej|przedtem|zmala|mala|strat|odrob|obni|cięci|przewag|wyższ|niższ|cich|głośn|starsz|młodsz|cięższ|lżej|głęb|szer|później|zdroż',
  'augment|progress|baiss|diminu|recul|gagn|perd|moins|hausse|autre|échou|surv|sans|épargn|avant|auparavant|rédui|reste|restant|écart|retard|avance',
  'aument|creci|baj|redu|subi|más|menos|cay|otr|qued|falt|vací|no|perdi|gan|sin|suspend|antes|rest|ventaja|retras|diferencia|encarec',
]
  .join('|')
  .split('|');
const CHANGE = new RegExp(`^(?:${CHANGES.join('|')})`, 'u');
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Returns whether a sentence is about a change, a difference or a rest. */
export const isAboutChange = (sentence: string): boolean =>
  wordsOf(sentence).some((word) => CHANGE.test(word));

/** Words of a sentence about an average or a rate. */
const RATES = new Set(
  (
    'average mean per each every for schnitt durchschnitt durchschnittlich pro je jeweils für jede jeder jedes jedem jeden ' +
    'przypada średnio średni średnia przeciętnie przypada jednego jedną jednym każdy każda każde każdego każdej każdym ' +
    'moyenne par pour chaque media promedio por para cada'
  ).split(' '),
);
const BY_THE_HOUR =
  /(?:(?:an hour|(?:an?|the|per) (?:acre|hectare|square \p{L}{4,5}|kilo\p{L}{0,6}|litre|gallon|tonne?|metre|mile|yard|foot|pound)|a (?:day|week|month|year))|(?:in der Stunde|im (?:Jahr|Monat)|(?:täg|wöchent|monat|jähr)lich)|na (?:godzinę|dzień|miesiąc|rok)|(?:dzien|miesięcz|rocz)nie|à l['’]heure|al (?:día|mes|año)|a la semana|km\/h)(?!\p{L})/iu;

/** The price or weight of one thing: `a bollard costs 450`. */
const OF_ONE =
  /(?<!\p{L})(?:an?|one|eine?|jeden|jedna|jedno|une?|una) \p{L}{1,30} (?:\p{L}{1,12} )?(?:costs?|weighs?|kostet\p{L}{0,2}|wiegt|kosztuje|kosztował\p{L}?|waży|coûte|pèse|cuesta|pesa)(?!\p{L})/iu;

/** Returns whether a sentence is about an average or a rate. */
export const isAboutRate = (sentence: string): boolean =>
  wordsOf(sentence).some((word) => RATES.has(word)) || BY_THE_HOUR.test(sentence) || OF_ONE.test(sentence);

const TWICE =
  /(?:there and back|and back|both ways|return trip|hin und zurück|w obie strony|tam i z powrotem|aller[- ](?:et )?retour|ida y vuelta)(?!\p{L})/iu;

/** Returns whether a sentence is about a way there and back. */
export const isThereAndBack = (sentence: string): boolean => TWICE.test(sentence);

const TOTAL =
  /(?<!\p{L})(?:total|altogether|in all|together|zusammen|insgesamt|łącznie|razem|w sumie|en tout|au total|ensemble|en total|suman?|juntos)(?!\p{L})/iu;

/** Returns whether a sentence states a total. */
export const isTotal = (sentence: string): boolean => TOTAL.test(sentence);

const AGED = /(?<!\p{L})(?:old|aged|age|alt|alter|jährig\p{L}{0,3}|w wieku|âge|âgée?|edad)(?!\p{L})/iu;

/** Returns whether a sentence is about an age. */
export const isAboutAge = (sentence: string): boolean => AGED.test(sentence);

const MEAN =
  /(?<!\p{L})(?:averag\p{L}{1,3}|mean|durchschnitt\p{L}{0,4}|(?:im|am) schnitt|średni\p{L}{0,3}|przeciętni?e?|moyenne|media|promedio)(?!\p{L})/iu;

/** Returns whether a sentence states an average. */
export const isMean = (sentence: string): boolean => MEAN.test(sentence);
