import { hardTokens } from '#verbatim/source/tokens.js';

/** Use of words in a text and its passages: words written in lower case, and nouns that follow an article. */
export interface WordUse {
  lower: ReadonlySet<string>;
  nouns: ReadonlySet<string>;
}

/** Capitalised words that do not name a person, place or organisation. */
const NO_NAME =
  /^(?:Mr|Mrs|Ms|Dr|Prof|Sir|Lady|Lord|Chapter|Section|Part|Figure|Table|Book|Page|Appendix|Note|Kapitel|Abschnitt|Seite|Tabelle|Abbildung|Rozdział|Część|Tabela|Rysunek|God|Internet)$/u;

/**
 * Returns the names of a sentence, word by word. A capital at the start does not indicate a name, unless the word is one
 * elsewhere. In German, where nouns have capitals, names are recognized by their neighbours.
 */
export function nameWords(sentence: string, language: string | null, use: WordUse): string[] {
  if (language === 'de') return germanNames(sentence, use);
  return hardTokens(sentence)
    .filter(({ kind, text }) => kind === 'name' && !NO_NAME.test(text))
    .map(({ text }) => text);
}

/** Counts how words are used in texts. */
export function wordUseOf(text: string): WordUse {
  const lower = new Set(text.match(/(?<![\p{L}\p{N}])\p{Ll}\p{L}+/gu) ?? []);
  const nouns = new Set(Array.from(text.matchAll(WITH_ARTICLE), (match) => germanStem(match[1] as string)));
  return { lower, nouns };
}

const WITH_ARTICLE =
  /(?<!\p{L})(?:[Dd](?:er|ie|as|em|en|es)|[Ee]ine?[mnrs]?|[Kk]eine?[mnrs]?|(?:[Mm]ein|[Ss]ein|[Ii]hr|[Uu]nser)(?:e[mnrs]?)?|[Jj]ede[mnrs]?|[Dd]iese[mnrs]?|[Ii]m|[Aa]m|[Zz]u[mr]|[Bb]eim|[Vv]om|\p{L}\p{Ll}{1,30}(?<!t)e[nrsm]?) (\p{Lu}\p{Ll}{1,30})/gu;

const germanStem = (word: string): string =>
  word.length > 4 ? word.toLowerCase().replace(/(?:en|er|es|e|n|s)$/u, '') : word.toLowerCase();

/** Words before a name: titles, offices, and kinds of places and things that have names. */
const ROLE =
  /^(?:Herr\p{Ll}{0,30}|Frau|Dr|Professor\p{Ll}{0,30}|König\p{Ll}{0,30}|Kaiser\p{Ll}{0,30}|Papst|Bischof|Graf|Gräfin|Baron\p{Ll}{0,30}|Fürst\p{Ll}{0,30}|Prinz\p{Ll}{0,30}|Herzog\p{Ll}{0,30}|Lady|Lord|Sir|Kapitän\p{Ll}{0,30}|Steuermann|General|Admiral|Major|Oberst|Meister|Pastor\p{Ll}{0,30}|Pfarrer\p{Ll}{0,30}|Bruder|Schwester|Onkel|Tante|Familie|Firma|Stadt|Dorf|Insel|Fluss|Hafen|Kap|Schiff|Dampfer|Werft|Bruder|Sankt|Architekt\p{Ll}{0,30}|Präsident\p{Ll}{0,30}|\p{Lu}\p{Ll}{1,30}(?:meister|wärter|leiter|minister|ingenieur|historiker|schreiber|bauer|forscher)(?:in)?|Ingenieur\p{Ll}{0,30}|Historiker\p{Ll}{0,30}|Minister\p{Ll}{0,30}|Kanzler\p{Ll}{0,30}|Wärter\p{Ll}{0,30}|Direktor\p{Ll}{0,30}|Autor\p{Ll}{0,30}|Maler\p{Ll}{0,30}|Dichter\p{Ll}{0,30})$/u;
const GIVEN_NAMES =
  /^(?:Ada|Adam|Albert|Alexander|Alfred|Amalie|Andreas|Anna|Anne|Anton|August|Beatrix|Bernhard|Berta|Bertha|Bruno|Carl|Charlotte|Christian|Christine|Clara|Claus|Daniel|David|Dietrich|Dorothea|Eduard|Elisabeth|Elsa|Emil|Emma|Erich|Ernst|Eva|Felix|Ferdinand|Franz|Friedrich|Fritz|Georg|Gerda|Gertrud|Gottfried|Greta|Gustav|Hanna|Hans|Heinrich|Helene|Hermann|Hugo|Ida|Ingrid|Jakob|Jan|Johann|Johanna|Johannes|John|Josef|Joseph|Julia|Julius|Karl|Katharina|Klara|Konrad|Kurt|Laura|Lena|Leo|Leopold|Lorenz|Louise|Ludwig|Luise|Margarete|Maria|Marie|Markus|Martha|Martin|Mathilde|Matthias|Max|Michael|Moritz|Otto|Paul|Paula|Peter|Philipp|Robert|Rosa|Rudolf|Samuel|Sebastian|Simon|Sophie|Stefan|Stephan|Theodor|Thomas|Tobias|Ulrich|Viktor|Walter|Werner|Wilhelm|William|Wolfgang)$/u;
/** Nouns that are used without an article before another noun or after a preposition. */
const BARE =
  /^(?:Art|Arten|Paar|Meter|Metern|Tonnen?|Liter|Litern|Kilo\p{Ll}*|Zentimeter\p{Ll}*|Millimeter\p{Ll}*|Prozent|Euro|Mark|Pfund|Dollar|Stück|Glas|Tasse|Sorte|Ende|Anfang|Mitte|Jahr|Jahren?|Tage?n?|Wochen?|Monaten?|Stunden?|Minuten?|Sekunden?|Gestern|Heute|Morgen|Abend|Nacht|Mittag|Ruhe|Not|Holz|Stein|Stahl|Eisen|Gas|Öl|Wasser|Licht|Norden?|Süden?|Osten?|Westen?|Betrieb|Bau|Anspruch|Frage|Form|Folge|Zukunft|Hand|Richtung|Größe|Höhe|Tiefe|Fall|Kraft|Gefahr|Sicht|Stand|Gang|Dienst|Hause|Haus|Kohle|Granit|Sturm|Nebel|Wind|Regen|Schnee|Sommer|Winter|Frühling|Herbst|Erde|Grund|Zeit|Land|See|Meer|Strom|Dampf|Luft|Feuer|Messing|Kupfer|Blei|Quecksilber|Papier|Geld|Brot|Fleisch|Fisch|Butter|Mehl|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Deutsch|Englisch|Polnisch|Brief|Briefe|Wache|Bord|Anker|Arbeit|Gegenwart|Druck|Gewicht|Mühe|Hilfe|Erfolg|Absicht|Sorgfalt|Geduld|Recht|Mitternacht|Leder|Kohl|Kaffee|Tee|Tabak|Fett|Talg|Teer|Ruß|Rauch|Salz|Seife|Stroh|Heu|Gras|Sand|Lehm|Ton|Ziegel|Beton|Zement|Mörtel|Kalk|Putz|Farbe|Schiefer|Marmor|Silber|Gold|Zinn|Zink|Bronze|Blech|Draht|Seil|Wolle|Baumwolle|Seide|Leinen|Filz|Gummi|Plastik|Kunststoff|Wein|Bier|Rum|Milch|Käse|Zucker|Angst|Furcht|Freude|Trauer|Wut|Hass|Liebe|Neid|Stolz|Hunger|Durst|Kälte|Hitze|Wärme|Dunkelheit|Stille|Lärm|Eile|Kürze|Gebrauch|Besitz|Verzug|Bezug|Vergleich|Gegensatz|Rücksicht|Verlust|Gewinn|Mangel|Zufall|Versehen|Vorsicht|Neugier|Langeweile|Plan|Vorschrift|Wunsch|Bedarf|Belieben|Ansicht|Angaben?|Aussage|Lage|Feierabend|Schluss|Beginn|Abschluss|Ablauf|Krieg|Frieden|Teil|Summe|Person|Wort|Schrift|Serie|Reihe|Eis|Fleiß|Mut|Geschick|Verstand|Rechnung|Kauf|Verkauf|Handarbeit|Wort|Text|Bild|Sonnenaufgang|Sonnenuntergang)$/u;
const NOUN_ENDING =
  /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|nis|nisse|ismus|ität|ling|tum|ment|tät|erei|zeug|werk|stoff|arbeit|zeit|stein|holz)$/u;
const BEFORE_PLACE = /^(?:in|aus|nach|bei)$/iu;
/** Endings of common nouns and of plurals; few names of places have them. */
const COMMON_ENDING = /(?:en|ern|eln|e|er|el|ft|cht|nd|ück|anz|enz|ik|ie|ur)$/u;
const PLACES =
  /^(?:Halle|Karlsruhe|Celle|Hannover|Münster|Basel|Kassel|Brüssel|England|Irland|Schottland|Finnland|Russland|Holland|Estland|Lettland|Island|Helgoland|Deutschland|Griechenland|Bremen|Bergen|Emden|Polen|Schweden|Norwegen|München|Dresden|Aachen|Essen|Baden|Kopenhagen|Göttingen|Tübingen|Sachsen|Bayern|Hessen|Thüringen|Preußen|Spanien|Italien|Belgien|Indien|Asien|Australien|Rumänien|Bulgarien|Ungarn|Bern|Köln|Wien|Athen|Cuxhaven|Bremerhaven|Wilhelmshaven|Dünkirchen|Schlesien|Pommern|Ostfriesland)$/u;

function germanNames(sentence: string, { lower, nouns }: WordUse): string[] {
  const words = Array.from(
    sentence.matchAll(/[\p{L}\p{N}]+(?:[-’'][\p{L}\p{N}]+)*/gu),
    ({ 0: text, index: at }) => ({
      text,
      at,
      isCapital: /^\p{Lu}\p{Ll}/u.test(text),
    }),
  );
  const isNoun = (word: string) => nouns.has(germanStem(word)) || NOUN_ENDING.test(word) || BARE.test(word);
  const found = new Set<string>();
  words.forEach(({ text, isCapital, at }, i) => {
    const before = words[i - 1];
    if (!isCapital || NO_NAME.test(text) || BARE.test(text)) return;
    if (GIVEN_NAMES.test(text)) found.add(text);
    if (!before) return;
    const isNext = sentence.slice(before.at + before.text.length, at).replace(/\. /, ' ') === ' ';
    if (!isNext) return;
    const opensSentence = i === 1 && (lower.has(before.text.toLowerCase()) || !GIVEN_NAMES.test(before.text));
    const isRole = ROLE.test(before.text) && (!isNoun(text) || GIVEN_NAMES.test(text));
    const isPair =
      before.isCapital &&
      !opensSentence &&
      !isNoun(before.text) &&
      !isNoun(text) &&
      !/^\d/.test(words[i - 2]?.text ?? '');
    if (isRole || isPair || (found.has(before.text) && !isNoun(text))) found.add(text);
    const isPlace = !COMMON_ENDING.test(text) || PLACES.test(text);
    if (BEFORE_PLACE.test(before.text) && !isNoun(text) && isPlace && text.length > 3) found.add(text);
  });
  return [...found];
}
