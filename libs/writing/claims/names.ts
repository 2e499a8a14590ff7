import { hardTokens } from '#verbatim/source/tokens.js';
import { isGivenName, isOnlyGivenName } from './given-names.js';

/** Use of words in a text and its passages: words written in lower case, and nouns that follow an article. */
export interface WordUse {
  lower: ReadonlySet<string>;
  nouns: ReadonlySet<string>;
}

/** Capitalised words that do not name a person, place or organisation. */
const NO_NAME =
  /^(?:Mr|Mrs|Ms|Mme|Mlle|Dr|Prof|Sir|Sr|Sra|Don|Doña|Señor|Señora|Monsieur|Madame|Pan|Pani|Uncle|Aunt|Auntie|Cllrs?|Councillors?|Captain|Inspector|Judge|Mayor|Bishop|King|Queen|President|Minister|Professor|Doctor|Lady|Lord|Chapter|Section|Part|Figure|Table|Book|Page|Appendix|Note|Kapitel|Abschnitt|Seite|Tabelle|Abbildung|Rozdział|Część|Tabela|Rysunek|God|Internet|Christmas|Easter|Celsius|Fahrenheit|Kelvin|Earth|Bible)$/u;

/**
 * Returns the names of a sentence, word by word. A capital at the start does not indicate a name, unless the word is one
 * elsewhere. In German, where nouns have capitals, names are recognized by their neighbours.
 */
export function nameWords(sentence: string, language: string | null, use: WordUse): string[] {
  if (language === 'de') return germanNames(sentence, use);
  const names = hardTokens(sentence)
    .filter(({ kind, text }) => kind === 'name' && !NO_NAME.test(text))
    .map(({ text }) => text);
  for (const { 1: name } of sentence.matchAll(ELIDED))
    if (name !== undefined && !names.includes(name)) names.push(name);
  for (const { 1: name = '' } of sentence.matchAll(AFTER_INITIAL))
    if (!use.lower.has(name.toLowerCase()) && !names.includes(name)) names.push(name);
  const [, first = '', next = ''] = OPENING.exec(sentence) ?? [];
  const isName = isOnlyGivenName(first) || (isGivenName(first) && names.includes(next));
  return isName && !use.lower.has(first.toLowerCase()) ? [first, ...names] : names;
}

/** A name behind a shortened article or preposition: `d'Ouessant`. */
const ELIDED = /(?<![\p{L}'’])(?:d|l|qu|jusqu)['’](\p{Lu}\p{Ll}{1,30})/gu;

/** A surname behind an initial, whose full stop could also end a sentence: `J. Okafor`. */
const AFTER_INITIAL = /(?<!\p{L})\p{Lu}\. (\p{Lu}\p{Ll}{1,30})/gu;

/** The first words of a sentence: `Ana Ferrer`. */
const OPENING = /^[\s*_"'“„«(]{0,9}(\p{Lu}[\p{L}-]{1,30})(?: (\p{Lu}[\p{L}-]{1,30}))?/u;

/** Counts how words are used in texts. */
export function wordUseOf(text: string): WordUse {
  const lower = new Set(text.match(/(?<![\p{L}\p{N}])\p{Ll}\p{L}+/gu) ?? []);
  const nouns = new Set(Array.from(text.matchAll(WITH_ARTICLE), (match) => germanStem(match[1] as string)));
  return { lower, nouns };
}

const WITH_ARTICLE =
  /(?<!\p{L})(?:[Dd](?:er|ie|as|em|en|es)|[Ee]ine?[mnrs]?|[Kk]eine?[mnrs]?|(?:[Mm]ein|[Ss]ein|[Ii]hr|[Uu]nser)(?:e[mnrs]?)?|[Jj]ede[mnrs]?|[Dd]iese[mnrs]?|[Ii]m|[Aa]m|[Zz]u[mr]|[Bb]eim|[Vv]om|\p{Ll}{2,31}(?<!t)e[nrsm]?) (\p{Lu}\p{Ll}{1,30})/gu;

const germanStem = (word: string): string =>
  word.length > 4 ? word.toLowerCase().replace(/(?:en|er|es|e|n|s)$/u, '') : word.toLowerCase();

/** Words before a name: titles, offices, and kinds of places and things that have names. */
const ROLE =
  /^(?:Herr\p{Ll}{0,30}|Frau|Dr|Professor\p{Ll}{0,30}|König\p{Ll}{0,30}|Kaiser\p{Ll}{0,30}|Papst|Bischof|Graf|Gräfin|Baron\p{Ll}{0,30}|Fürst\p{Ll}{0,30}|Prinz\p{Ll}{0,30}|Herzog\p{Ll}{0,30}|Lady|Lord|Sir|Kapitän\p{Ll}{0,30}|Steuermann|General|Admiral|Major|Oberst|Meister|Pastor\p{Ll}{0,30}|Pfarrer\p{Ll}{0,30}|Bruder|Schwester|Onkel|Tante|Familie|Firma|Stadt|Dorf|Insel|Fluss|Hafen|Kap|Schiff|Dampfer|Werft|Bruder|Sankt|Architekt\p{Ll}{0,30}|Präsident\p{Ll}{0,30}|\p{Lu}\p{Ll}{1,30}(?:meister|wärter|leiter|minister|ingenieur|historiker|schreiber|bauer|forscher)(?:in)?|Ingenieur\p{Ll}{0,30}|Historiker\p{Ll}{0,30}|Minister\p{Ll}{0,30}|Kanzler\p{Ll}{0,30}|Wärter\p{Ll}{0,30}|Direktor\p{Ll}{0,30}|Autor\p{Ll}{0,30}|Maler\p{Ll}{0,30}|Dichter\p{Ll}{0,30})$/u;
/** Trades and offices by their endings, and kinds of houses, clubs and firms: words that precede a name. */
const ROLE_ENDING =
  /^\p{Lu}\p{Ll}{2,30}(?:er|or|ist|ent|ant|eur|wart|wirt|arzt|ärzt|rat|rät|mann|frau|chef|vater|mutter|anwält|anwalt|hauptmann)(?:in)?$/u;
const KIND_OF_PLACE =
  /^(?:\p{Lu}?\p{Ll}{0,20}(?:kloster|universität|hochschule|schule|schloss|burg|gemeinde|verein|kreis|landkreis|bahnhof|brauerei|hotel|museum|theater|kirche|abtei|verlag|bank|konzern|gesellschaft|amtsgericht|landgericht|gericht|klinikum|stiftung|rittergut|gut|ort|ortsteil|stadtteil|kanton|bistum|gasthof|gasthaus|sender|zeitung|stadion|flughafen|gymnasium)|FC|SV|TSV|SC|SG|FSV|TuS|BSV|TV|VfB|VfL|FK)$/iu;
/** Before a noun in the plural, which is no office of one person. */
const PLURAL =
  /^(?:die|Die|den|Den|der|[Aa]llen?|[Vv]ielen?|[Ee]inigen?|[Mm]ehrere|[Zz]wei|[Dd]rei|[Vv]ier|[Ff]ünf|[Ss]echs|[Ss]ieben|[Aa]cht|[Nn]eun|[Zz]ehn|\d+)$/u;
const FEMALE_TRADE = /^\p{L}{4,30}erin(?:nen)?$/u;

/** Surnames that are common nouns, too. */
const SURNAME_TOO =
  /^(?:Sommer|Winter|Herbst|Kohl|Stein|Sand|Licht|Kraft|Kaiser|König|Wolf|Fuchs|Vogel|Stern|Berg|Busch|Engel|Frost|Horn|Linde|Rose|Montag|Freitag|Sonntag|Mai|Schnee|Brot|Regen|Ziegel|Marmor|Gold|Silber|Wein|Holz)$/u;
/** Nouns that are used without an article before another noun or after a preposition. */
const BARE =
  /^(?:Art|Arten|Paar|Meter|Metern|Tonnen?|Liter|Litern|Kilo\p{Ll}*|Zentimeter\p{Ll}*|Millimeter\p{Ll}*|Prozent|Euro|Mark|Pfund|Dollar|Stück|Glas|Tasse|Sorte|Ende|Anfang|Mitte|Jahr|Jahren?|Tage?n?|Wochen?|Monaten?|Stunden?|Minuten?|Sekunden?|Gestern|Heute|Morgen|Abend|Nacht|Mittag|Ruhe|Not|Holz|Stein|Stahl|Eisen|Gas|Öl|Wasser|Licht|Norden?|Süden?|Osten?|Westen?|Betrieb|Bau|Anspruch|Frage|Form|Folge|Zukunft|Hand|Richtung|Größe|Höhe|Tiefe|Fall|Kraft|Gefahr|Sicht|Stand|Gang|Dienst|Hause|Haus|Kohle|Granit|Sturm|Nebel|Wind|Regen|Schnee|Sommer|Winter|Frühling|Herbst|Erde|Grund|Zeit|Land|See|Meer|Strom|Dampf|Luft|Feuer|Messing|Kupfer|Blei|Quecksilber|Papier|Geld|Brot|Fleisch|Fisch|Butter|Mehl|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Deutsch|Englisch|Polnisch|Brief|Briefe|Wache|Bord|Anker|Arbeit|Gegenwart|Druck|Gewicht|Mühe|Hilfe|Erfolg|Absicht|Sorgfalt|Geduld|Recht|Mitternacht|Leder|Kohl|Kaffee|Tee|Tabak|Fett|Talg|Teer|Ruß|Rauch|Salz|Seife|Stroh|Heu|Gras|Sand|Lehm|Ton|Ziegel|Beton|Zement|Mörtel|Kalk|Putz|Farbe|Schiefer|Marmor|Silber|Gold|Zinn|Zink|Bronze|Blech|Draht|Seil|Wolle|Baumwolle|Seide|Leinen|Filz|Gummi|Plastik|Kunststoff|Wein|Bier|Rum|Milch|Käse|Zucker|Angst|Furcht|Freude|Trauer|Wut|Hass|Liebe|Neid|Stolz|Hunger|Durst|Kälte|Hitze|Wärme|Dunkelheit|Stille|Lärm|Eile|Kürze|Gebrauch|Besitz|Verzug|Bezug|Vergleich|Gegensatz|Rücksicht|Verlust|Gewinn|Mangel|Zufall|Versehen|Vorsicht|Neugier|Langeweile|Plan|Vorschrift|Wunsch|Bedarf|Belieben|Ansicht|Angaben?|Aussage|Lage|Feierabend|Schluss|Beginn|Abschluss|Ablauf|Krieg|Frieden|Teil|Summe|Person|Wort|Schrift|Serie|Reihe|Eis|Fleiß|Mut|Geschick|Verstand|Rechnung|Kauf|Verkauf|Handarbeit|Wort|Text|Bild|Sonnenaufgang|Sonnenuntergang)$/u;
const NOUN_ENDING =
  /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|nis|nisse|ismus|ität|ling|tum|ment|tät|erei|zeug|werk|stoff|arbeit|zeit|stein|holz|baum|bäume|schluss|licht|wasser|saft|brot|papier|glas|metall|stahl|tuch|platz|plätze|raum|räume|zimmer|dach|wand|probleme?|stücke?|preise?|geld|kosten|gebühren?|gesetze?|anträge?|dienste?|schutz|hilfe|pflege|sport|spiele?|musik|bilder|zahlen?|punkte?|grad|druck|fahrten?|reisen?|wetter|nacht|tage?n?|wochen?|monaten?|jahren?|stunden?|minuten?|leute|menschen|kinder|rezepte?|karten?|bücher|blätter|pläne?|wege|teile?|form|kraft|kräfte|betrieb|bedarf|ware|waren|gut|güter)$/u;
const BEFORE_PLACE = /^(?:in|aus|nach|bei)$/iu;
/** Endings of common nouns and of plurals; few names of places have them. */
const COMMON_ENDING = /(?:en|ern|eln|e|er|el|ft|cht|nd|ück|anz|enz|ik|ie|ur)$/u;
/** Endings of names of places that end as common nouns do. */
const PLACE_ENDING = /\p{L}{2}(?:hausen|hofen|stetten|kirchen|leben|weiler|walde|felde|rode|münde|brücken)$/u;
const PLACES =
  /^(?:Halle|Karlsruhe|Celle|Hannover|Münster|Basel|Kassel|Brüssel|England|Irland|Schottland|Finnland|Russland|Holland|Estland|Lettland|Island|Helgoland|Deutschland|Griechenland|Bremen|Bergen|Emden|Polen|Schweden|Norwegen|München|Schwerin|Dresden|Aachen|Essen|Baden|Kopenhagen|Göttingen|Tübingen|Sachsen|Bayern|Hessen|Thüringen|Preußen|Spanien|Italien|Belgien|Indien|Asien|Australien|Rumänien|Bulgarien|Ungarn|Bern|Köln|Wien|Athen|Cuxhaven|Bremerhaven|Wilhelmshaven|Dünkirchen|Schlesien|Pommern|Ostfriesland)$/u;

/** After a noun that something belongs to. */
const OF_THING = /^ (?:der|des|eines|einer|dieser|dieses)(?!\p{L})/u;
const INITIAL = /^\p{Lu}$/u;
/** Behind `Merves` comes what she has, behind `Thomas` a surname. */
const isGenitiveName = (name: string): boolean => name.endsWith('s') && !isGivenName(name);

interface GermanWord {
  text: string;
  at: number;
  isCapital: boolean;
}

function germanNames(sentence: string, { lower, nouns }: WordUse): string[] {
  const words = Array.from(
    sentence.matchAll(/[\p{L}\p{N}]+(?:[-’'][\p{L}\p{N}]+)*/gu),
    ({ 0: text, index: at }): GermanWord => ({ text, at, isCapital: /^\p{Lu}\p{Ll}/u.test(text) }),
  );
  const isNoun = (word: string) =>
    nouns.has(germanStem(word)) ||
    NOUN_ENDING.test(word) ||
    BARE.test(word) ||
    (FEMALE_TRADE.test(word) && !PLACES.test(word)) ||
    isCompound(word.toLowerCase());
  // `Oktopusrezept` is a noun where the text has `das Rezept`.
  const isCompound = (word: string) =>
    [...nouns].some((noun) => noun.length > 3 && word.length > noun.length + 2 && word.includes(noun, 3));
  const isBeside = (i: number) => {
    const [before, word] = [words[i - 1], words[i]];
    return (
      before !== undefined &&
      word !== undefined &&
      sentence.slice(before.at + before.text.length, word.at).replace(/\. /, ' ') === ' '
    );
  };
  const isRole = (i: number) => {
    const { text } = words[i] as GermanWord;
    if (ROLE.test(text) || KIND_OF_PLACE.test(text)) return true;
    const isPlural = /er$/u.test(text) && PLURAL.test(words[i - 1]?.text ?? '');
    return ROLE_ENDING.test(text) && !isPlural;
  };
  const found = new Set<string>();
  // A noun may follow the name of a place: `Das war in Elmsfleth Geschichte`.
  const places = new Set<string>();
  words.forEach(({ text, at, isCapital }, i) => {
    const before = words[i - 1];
    const isInitial =
      isCapital &&
      INITIAL.test(before?.text ?? '') &&
      sentence.slice((before?.at ?? 0) + 1, words[i]?.at) === '. ';
    const isSurname =
      isInitial || (isBeside(i) && isOnlyGivenName(before?.text ?? '') && SURNAME_TOO.test(text));
    if (isSurname) found.add(text);
    if (!isCapital || isSurname || NO_NAME.test(text) || BARE.test(text)) return;
    const next = isBeside(i + 1) ? words[i + 1] : undefined;
    const isFirstName = isGivenName(text) && next?.isCapital === true && !isNoun(next.text);
    if (isOnlyGivenName(text) || isFirstName) found.add(text);
    if (!before || !isBeside(i)) return;
    const opensSentence = i === 1 && (lower.has(before.text.toLowerCase()) || !isGivenName(before.text));
    // Of `Der Remagener Torhüter Otte` the second word is the office.
    const isOffice = ROLE_ENDING.test(text) && next?.isCapital === true && !isGivenName(text);
    const isNamed =
      /^\p{Lu}/u.test(before.text) && isRole(i - 1) && !isOffice && (!isNoun(text) || isGivenName(text));
    // `Mozarts Konzert` and `Heinrichs Tod` are things of a person, `nach Erhalt der Rechnung` is no place.
    const isGenitive = /s$/u.test(before.text) && !isGivenName(before.text);
    const isThing = OF_THING.test(sentence.slice(at + text.length));
    const isPair =
      before.isCapital &&
      !isGenitive &&
      !opensSentence &&
      !isNoun(before.text) &&
      !isNoun(text) &&
      !/(?:en|ern|eln|e)$/u.test(before.text) &&
      !/(?:en|ern|eln|e)$/u.test(text) &&
      !/^\d/.test(words[i - 2]?.text ?? '');
    const isAfterName = found.has(before.text) && !places.has(before.text) && !isGenitiveName(before.text);
    if (isNamed || isPair || (isAfterName && !isNoun(text))) found.add(text);
    const isPlace = !COMMON_ENDING.test(text) || PLACES.test(text) || PLACE_ENDING.test(text);
    if (BEFORE_PLACE.test(before.text) && !isNoun(text) && isPlace && !isThing && text.length > 3) {
      found.add(text);
      places.add(text);
    }
  });
  return [...found];
}
