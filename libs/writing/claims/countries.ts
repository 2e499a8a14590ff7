import { folded } from './known-words.js';

/**
 * Beginnings of the names of a country, its people and its language in English, German, Polish, French and Spanish,
 * without diacritics; a word of another line is another country.
 */
const COUNTRIES = [
  'german|deutsch|niem|allem|aleman',
  'austri|osterreich|autrich',
  'swiss|switzerl|schweiz|szwajc|suisse|suiz',
  'france|french|frankreich|franzos|francj|francuz|francusk|francusc|francais|frances|francia',
  'spain|spanish|spaniard|spanien|spanier|spanisch|hiszpan|espagn|espan',
  'portug',
  'ital|itali|wloch|wlosk|wlosc',
  'greece|greek|griech|grec|grek|grieg',
  'poland|polish|pole|poles|polen|polin|polnisch|polsk|polsc|polak|polk|polac|polon|polog',
  'czech|tschech|czes|tchequ|chec',
  'slovak|slowak|slovaqu|eslovac|eslovaqu',
  'hungar|ungar|ungarn|wegr|wegier|hongr|hongro',
  'roman|ruman|rumun|roumain|roumani',
  'bulgar',
  'croat|kroat|chorwa',
  'serb',
  'sloven|slowen|eslov',
  'ukrain|ucran',
  'russi|russ|russl|rosj|rosyj|rusi|ruso|rusa',
  'lithuan|litau|litew|litw|lituan',
  'latvi|lettl|lett|lotw|lotysz|letton|leton',
  'eston|estl|estn',
  'finland|finnish|finn|finns|finnl|finnisch|finlandi|finlandz|fins|finsk|finland',
  'swed|schwed|szwec|szwed|sued|suec',
  'norw|norweg',
  'denmark|danish|dane|danes|danemark|danisch|danin|dania|danii|dunczyk|dunk|dunsk|danois|danemarca|dinamarca|danes',
  'iceland|island|islandi|islande|islandes',
  'netherl|dutch|dutchm|holland|hollan|niederl|niederland|holend|neerland|nederland',
  'belg',
  'luxemb|luksemb',
  'ireland|irish|irland|irisch|iren|irlandz|irlande|irlandes',
  'brit|uk|grossbrit|kingdom|brytyj|brytani|royaume|reino|england|english|englisch|englan|anglik|angiel|angli|anglais|anglet|ingles|inglat',
  'scot|scott|scots|scotland|schott|szkoc|szkot|ecoss|escoc',
  'wales|welsh|walis|walij|gall|gales',
  'turk|turc|turqu|turecz|tureck',
  'america|american|amerik|amerikan|ameryk|amerique|usa|us|states|staaten|stany|stanow|stanach|zjednoczon|etats|unis|estados|unidos|estadounid|vereinigt|united',
  'canad|kanad',
  'mexic|mexik|meksyk|mejic',
  'brazil|brasil|brazyl|bresil',
  'argent',
  'chile|chili|chilij',
  'peru|perua|peruw',
  'colombi|kolumb',
  'urugua|urugw|urugay',
  'cuba|cuban|kuba|kuban|kubans|cubain',
  'china|chines|chin|chino|chinoi|chiny|chinczyk|chinsk',
  'japan|japon',
  'korea|korean|kore|core|coree',
  'india|indian|indien|inder|indisch|indie|indyj|hindus|inde',
  'pakist',
  'israel|israeli|izrael',
  'egypt|agypt|egip|egipt',
  'marok|morocc|maroc|marroqu|maroka',
  'alger|argel|algier',
  'tunis|tunez|tunez',
  'georgi|gruz|gruzin',
  'armen',
  'iran|pers',
  'irak|iraq',
  'syri|sirio',
  'liban|leban|libanes',
  'ethiop|athiop|etiop',
  'kenya|kenyan|keni|kenia',
  'nigeri',
  'sudafric|sudafrik|african|afrika|afryk|afriqu|afric',
  'austral',
  'neuseel|zealand|zeland',
  'vietnam|wietnam',
  'thai|tajl|tail',
  'indones',
  'philipp|filip',
].map((stems) => stems.split('|'));

/** Letters that may follow the beginning: `Spaniards`, `italienischen`. */
const LONGEST_ENDING = 6;
const SHORT = 4;

const BY_START = new Map<string, { stem: string; country: number }[]>();
COUNTRIES.forEach((stems, country) => {
  for (const stem of stems) {
    const start = stem.slice(0, 2);
    BY_START.set(start, [...(BY_START.get(start) ?? []), { stem, country }]);
  }
});

/** Returns the numbers of the countries that a word may mean. */
export function countriesOf(word: string): number[] {
  const plain = folded(word);
  return (BY_START.get(plain.slice(0, 2)) ?? [])
    .filter(({ stem }) => {
      const more = plain.length - stem.length;
      return plain.startsWith(stem) && more <= (stem.length < SHORT ? 0 : LONGEST_ENDING);
    })
    .map(({ country }) => country);
}
