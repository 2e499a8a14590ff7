import { numberOfWord } from '#verbatim/source/units-of-measure.js';

/** Number words of each language with their values, by ISO 639-1 code. "One" is an article in most languages, so it is absent. */
const NUMBER_WORDS: Record<string, string> = {
  de: 'null:0 zwei:2 drei:3 vier:4 fünf:5 sechs:6 sieben:7 acht:8 neun:9 zehn:10 elf:11 zwölf:12 dreizehn:13 vierzehn:14 fünfzehn:15 sechzehn:16 siebzehn:17 achtzehn:18 neunzehn:19 zwanzig:20 dreißig:30 vierzig:40 fünfzig:50 sechzig:60 siebzig:70 achtzig:80 neunzig:90 hundert:100 tausend:1000 zweimal:2 dreimal:3 zweit:2 dritt:3 viert:4 fünft:5 sechst:6 siebt:7 dutzend:12 zweihundert:200 dreihundert:300 vierhundert:400 fünfhundert:500 sechshundert:600 siebenhundert:700 achthundert:800 neunhundert:900 zweitausend:2000 dreitausend:3000 million:1000000 millionen:1000000 milliarde:1000000000 milliarden:1000000000',
  pl: 'zero:0 dwa:2 dwie:2 dwóch:2 dwoma:2 dwaj:2 dwu:2 trzy:3 trzech:3 trzema:3 trzej:3 cztery:4 czterech:4 czterema:4 pięć:5 pięciu:5 sześć:6 sześciu:6 siedem:7 siedmiu:7 osiem:8 ośmiu:8 dziewięć:9 dziewięciu:9 dziesięć:10 dziesięciu:10 jedenaście:11 jedenastu:11 dwanaście:12 dwunastu:12 trzynaście:13 trzynastu:13 czternaście:14 czternastu:14 piętnaście:15 piętnastu:15 szesnaście:16 szesnastu:16 siedemnaście:17 siedemnastu:17 osiemnaście:18 osiemnastu:18 dziewiętnaście:19 dziewiętnastu:19 dwadzieścia:20 dwudziestu:20 trzydzieści:30 trzydziestu:30 czterdzieści:40 czterdziestu:40 pięćdziesiąt:50 pięćdziesięciu:50 sześćdziesiąt:60 sześćdziesięciu:60 siedemdziesiąt:70 siedemdziesięciu:70 osiemdziesiąt:80 osiemdziesięciu:80 dziewięćdziesiąt:90 dziewięćdziesięciu:90 sto:100 stu:100 dwieście:200 dwustu:200 trzysta:300 trzystu:300 czterysta:400 czterystu:400 pięćset:500 pięciuset:500 sześćset:600 siedemset:700 osiemset:800 dziewięćset:900 tysiąc:1000 tysiące:1000 tysięcy:1000 milion:1000000 miliony:1000000 milionów:1000000 dwukrotnie:2 trzykrotnie:3 pięcioma:5 sześcioma:6 siedmioma:7 ośmioma:8 dziewięcioma:9 dziesięcioma:10 jedenastoma:11 dwunastoma:12',
  fr: 'deux:2 trois:3 quatre:4 cinq:5 six:6 sept:7 huit:8 neuf:9 dix:10 onze:11 douze:12 treize:13 quatorze:14 quinze:15 seize:16 dix-sept:17 dix-huit:18 dix-neuf:19 vingt:20 trente:30 quarante:40 cinquante:50 soixante:60 soixante-dix:70 quatre-vingt:80 quatre-vingts:80 cent:100 cents:100 mille:1000 million:1000000 millions:1000000 douzaine:12 vingtaine:20 trentaine:30 centaine:100',
  es: 'dos:2 tres:3 cuatro:4 cinco:5 seis:6 siete:7 ocho:8 nueve:9 diez:10 once:11 doce:12 trece:13 catorce:14 quince:15 dieciséis:16 diecisiete:17 dieciocho:18 diecinueve:19 veinte:20 veintiuno:21 veintidós:22 veintitrés:23 veinticuatro:24 veinticinco:25 veintiséis:26 veintisiete:27 veintiocho:28 veintinueve:29 treinta:30 cuarenta:40 cincuenta:50 sesenta:60 setenta:70 ochenta:80 noventa:90 cien:100 ciento:100 doscientos:200 doscientas:200 trescientos:300 trescientas:300 cuatrocientos:400 quinientos:500 quinientas:500 seiscientos:600 setecientos:700 ochocientos:800 novecientos:900 mil:1000 millón:1000000 millones:1000000 docena:12 centenar:100',
}; // prettier-ignore

const BY_LANGUAGE = new Map(
  Object.entries(NUMBER_WORDS).map(([language, words]) => [
    language,
    new Map(words.split(' ').map((pair) => pair.split(':') as [string, string])),
  ]),
);

/** Returns the value of a number word in lower case; null for other words. Unknown languages are read as English. */
export function numberWord(word: string, language: string | null): number | null {
  const words = BY_LANGUAGE.get(language ?? '');
  const value = words ? words.get(word) : numberOfWord(word);
  return value === undefined || value === null ? null : Number(value);
}
