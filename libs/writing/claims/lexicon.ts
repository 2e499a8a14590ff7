import { type ClaimLexicon, numbers } from './lexicon-form.js';
import { french, spanish } from './romance.js';

export type { ClaimLexicon };

const english: ClaimLexicon = {
  superlative: [
    /(?<!\p{L})(?:(?:the|its|their|his|her|our|whose|\p{L}{1,30}['’]s) (?:\p{L}{1,30} )?(?!(?:rest|west|guest|forest|request|interest|test|contest|harvest|quest|chest|nest|priest|protest|arrest|latest|crest|vest|pest|bequest|conquest|inquest|northwest|southwest|unrest|tempest|manifest|honest|modest|earnest|behest)(?!\p{L}))\p{Ll}{2,20}est(?!\p{L})|(?:the|its|their|his|her|our|\p{L}{1,30}['’]s) (?:most|least|best|worst) (?!of(?!\p{L})|part(?!\p{L}))\p{L}{1,30}|one of the (?:most|best|worst)(?!\p{L})|(?:world|country|nation|continent|region)['’]s (?:first|only|last)(?!\p{L})|the (?:very )?first (?:[\p{L}-]{1,30} ){1,4}(?:in (?:the )?(?:world|country|county|region|area|district|city|town|village|valley|state|province|kingdom|empire|north|south|east|west|history|\p{Lu})|on earth|ever )|(?:first|only) (?:[\p{L}-]{1,30} ){0,3}of its kind|(?:more|better|\p{L}{3,20}er) (?:\p{L}{1,30} ){0,4}than any other|unlike any other|unsurpassed|unrivalled|unparalleled|unmatched|record-breaking|(?:the|its) only (?:[\p{L}-]{1,30} ){1,3}(?:in (?:the )?(?:world|country|\p{Lu})|on earth|to have|that had|ever))/u,
    /(?<!\p{L})no other (?!way|choice|option|course|reason|means|light|sound|sign|word|news)(?:[\p{L}-]{1,30} ){1,6}(?:so|as|such|more|\p{L}{3,20}er)(?!\p{L})/iu,
  ],
  cause: [
    /(?<!\p{L})(?:because|due to|owing to|thanks to|caus(?:e|es|ed|ing)(?! (?:and|or) )|(?:led|leads|leading|lead) (?:directly |straight |in turn )?to|result(?:s|ed|ing)? (?:in|from)|as a (?:direct )?(?:result|consequence)|in consequence|that is why|which is why|this is why|the reason (?:for|why|that|was|is)|triggered|brought about|gave rise to|prompted|sparked|set off|stems? (?:directly )?from|stemmed (?:directly )?from|responsible for|the effect of|forced (?:the|them|him|her|it)|drove (?:the|them|him|her) (?:\p{L}{1,30} )?(?:to|out|away)|made (?:it )?(?:im)?possible)(?!\p{L})/iu,
    /(?<!\p{L})(?:meant that|since (?:nobody|no one|nothing|there (?:was|were|is|are)|(?:it|they|he|she) (?:could|would|had no|was too|were too)))(?!\p{L})/iu,
  ],
  discourse:
    /(?<!\p{L})(?:this (?:chapter|section|book|article|part|page|report)|(?:next|last|previous|following|earlier|later|coming) (?:chapters?|sections?|parts?|pages?)|(?:the|these|two|three|all|such|of) (?:chapters?|pages|sections?)|we|us|our|you|your|(?:the|a|any) reader|readers|let us|(?:most|more) (?:important|interesting|useful) (?:point|question|thing|lesson|part)|as (?:shown|described|mentioned|said) (?:above|below|before))(?!\p{L})/iu,
  numbers: new Map(),
  counted:
    /^(?: [\p{L}-]{1,30}){0,2} (?:reasons?|ways?|things?|questions?|parts?|points?(?! [\p{L}\d])|points? (?:to|here|below)|steps?|kinds?|sorts?|sides?|ends?|halves|stories|aims?|chapters?|sections?|answers?|ideas?|examples?|cases|worlds|lessons?|themes?|sources|accounts|of them|of these|or)(?!\p{L})/iu,
};

const german: ClaimLexicon = {
  superlative: [
    /(?<!\p{L})(?:(?:der|die|das|dem|den|des|als|sein|seine|seinem|seinen|seiner|ihr|ihre|ihrem|ihren|ihrer|unser|unsere|zum|zur|beim|im|vom) (?:(?:\p{Ll}{1,30}|weltweit) )?(?!(?:musste|wusste|müsste|fasste|passte|reiste|kostete|meist\p{L}{0,30}|fest\p{L}{0,30}|ernst\p{L}{0,30}|robust\p{L}{0,30}|bewusst\p{L}{0,30}|selbst\p{L}{0,30}|erst\p{L}{0,30}|unterst\p{L}{0,30}|best\p{L}{0,30} Fall|letzt\p{L}{0,30})(?!\p{L}))(?:\p{Ll}{2,}st|\p{Ll}{0,20}größt)(?:e|en|er|es|em)(?!\p{L})|am \p{Ll}{3,}(?<!er|mei|be)sten(?!\p{L})|(?:der|die|das|dem|den|des) (?:weltweit |landesweit )?(?:erste|ersten|erster|erstes|einzige|einzigen) (?:\p{L}{1,30} ){1,4}(?:der Welt|des Landes|weltweit|Europas|Deutschlands|überhaupt|ihrer Art|seiner Art)|einzigartig\p{Ll}{0,30}|unübertroffen\p{Ll}{0,30}|beispiellos\p{Ll}{0,30}|(?:wie|als) (?:kein|jede[rs]?) andere[rs]?)/u,
    /(?<!\p{L})kein(?:e|en|er|em|es)? ander(?:e|er|es|en|em) (?!Wahl|Weg|Möglichkeit|Grund|Licht|Wort)(?:\p{L}{1,30} ){1,6}(?:so|mehr|solche?[nrs]?|\p{L}{3,20}er)(?!\p{L})/iu,
  ],
  cause: [
    /(?<!\p{L})(?:weil|wegen|aufgrund|auf Grund|infolge(?:dessen)?|dank(?= (?:der|des|dem|einer|eines|einem|ihrer|ihrem|seiner|seinem|\p{Lu}))|verursach(?:t|te|ten|en)|bewirk(?:t|te|ten|en)|führt(?:e|en)? (?:\p{L}{1,30} ){0,6}(?:zu|zum|zur)|lag daran|liegt daran|löst(?:e|en)? (?:\p{L}{1,30} ){1,8}aus|ausgelöst|zur Folge|Ursache|Grund (?:dafür|für|war|ist|hierfür)|Folge (?:davon|der|des|war|ist)|zwang(?:en)?|sorgt(?:e|en)? (?:\p{L}{1,30} ){0,3}dafür|ermöglicht(?:e|en)?|hervorgerufen|geht (?:\p{L}{1,30} ){0,3}auf|ging (?:\p{L}{1,30} ){0,3}auf|(?:machte|machten) (?:\p{L}{1,30} ){0,4}(?:möglich|nötig))(?!\p{L})/u,
    /, da (?:niemand|kein\p{L}{0,2}|der|die|das|dem|den|es|er|sie|man|ihr\p{L}{0,2}|sein\p{L}{0,2}|ein\p{L}{0,2}|viele|dort|dies\p{L}{1,2}|jede\p{L}{0,2}|\p{Lu}\p{Ll}{1,30})(?!\p{L})/u,
  ],
  discourse:
    /(?<!\p{L})(?:(?:dieses?|diesem|das|im|dem|des|dieser|diese|der|die|den) (?:nächsten? |folgenden? |vorige[nr]? |letzten? |späteren? |ersten? )?(?:Kapitels?|Kapiteln|Abschnitte?s?|Abschnitten|Buche?s?|Artikels?|Teils?|Seiten?|Leser\p{Ll}{0,30})|wir|uns|unsere?[rsnm]?|man sollte|(?<!^)Sie|Ihnen)(?!\p{L})/u,
  numbers: numbers(
    'null:0 zwei:2 drei:3 vier:4 fünf:5 sechs:6 sieben:7 acht:8 neun:9 zehn:10 elf:11 zwölf:12 dreizehn:13 vierzehn:14 fünfzehn:15 sechzehn:16 siebzehn:17 achtzehn:18 neunzehn:19 zwanzig:20 dreißig:30 vierzig:40 fünfzig:50 sechzig:60 siebzig:70 achtzig:80 neunzig:90 hundert:100 tausend:1000 zweimal:2 dreimal:3 zweit:2 dritt:3 viert:4 fünft:5 sechst:6 siebt:7 dutzend:12 zweihundert:200 dreihundert:300 vierhundert:400 fünfhundert:500 sechshundert:600 siebenhundert:700 achthundert:800 neunhundert:900 zweitausend:2000 dreitausend:3000 million:1000000 millionen:1000000 milliarde:1000000000 milliarden:1000000000',
  ),
  counted:
    /^(?: \p{Ll}{1,30}){0,2} (?:Gründe?n?|Arten|Weisen|Dingen?|Fragen?|Teilen?|Punkten?|Schritten?|Seiten|Hälften|Geschichten|Ziele?n?|Kapiteln?|Abschnitten?|Antworten|Beispielen?|Fällen?|Lehren|Quellen|davon|oder)(?!\p{L})/u,
};

const polish: ClaimLexicon = {
  superlative: [
    /(?<!\p{L})(?:naj\p{L}{2,30}sz(?:y|a|e|ego|ej|emu|ym|ą|ych|ymi)|najbardziej \p{L}{1,30}|pierwsz(?:y|a|e|ego|ej|ym|ą) (?:\p{L}{1,30} ){1,4}(?:na świecie|w (?:kraju|Polsce|Europie|historii))|jedyn(?:y|a|e|ego|ej|ym|ą) (?:\p{L}{1,30} ){1,4}(?:na świecie|w (?:kraju|Polsce|Europie)|tego rodzaju)|niezrównan\p{L}{1,30}|bezprecedensow\p{L}{1,30}|jak żad(?:en|na|ne) inn\p{L}{1,30})(?!\p{L})/iu,
    /(?<!\p{L})żad(?:en|na|ne) inn[yae] (?!spos|wyj|możliw|droga|pow)(?:\p{L}{1,30} ){1,6}(?:tak|takie?\p{L}{0,3}|bardziej|lepi?ej)(?!\p{L})/iu,
  ],
  cause: [
    /(?<!\p{L})(?:ponieważ|gdyż|bo|bowiem|dlatego|wskutek|(?:na )?skutek|z powodu|z racji|dzięki|spowodowa\p{L}{1,30}|powodowa\p{L}{1,30}|powoduj\p{L}{1,30}|(?:do)?prowadzi(?:ł\p{L}{0,30}|ła)?(?: \p{L}{1,30}){0,2} do|w (?:wyniku|rezultacie|efekcie|konsekwencji|następstwie)|przyczyn\p{L}{1,30}|przez co|wywoła\p{L}{1,30}|sprawi(?:ł\p{L}{0,30}|a|ają)|stąd|umożliwi\p{L}{1,30}|zmusi(?:ł\p{L}{0,30})|powodem|pozwoli(?:ł\p{L}{0,30}) (?=\p{L}{1,30}ć))(?!\p{L})/iu,
    /(?<!\p{L})(?:bowiem|albowiem|w związku z|na mocy|zaowocował\p{L}{0,2})(?!\p{L})/iu,
  ],
  discourse:
    /(?<!\p{L})(?:(?:ten|tego|tym|następn\p{L}{1,30}|poprzedni\p{L}{0,30}|kolejn\p{L}{1,30}|ostatni\p{L}{0,30}|dalsz\p{L}{1,30}|tej|ta|tę|całej) (?:rozdzia\p{L}{1,30}|częś\p{L}{1,30}|książ\p{L}{1,30}|artyku\p{L}{1,30}|stron\p{L}{1,30}|tekś?\p{L}{1,30})|rozdział(?:ie|u|ach|y)?|czytelni\p{L}{1,30}|zobaczymy|wrócimy|przyjrzymy|zaczniemy|zaczynamy|pokażemy|omówimy|opowiemy|nasz\p{L}{0,30}|nam|nas|warto)(?!\p{L})/iu,
  numbers: numbers(
    'zero:0 dwa:2 dwie:2 dwóch:2 dwoma:2 dwaj:2 dwu:2 trzy:3 trzech:3 trzema:3 trzej:3 cztery:4 czterech:4 czterema:4 pięć:5 pięciu:5 sześć:6 sześciu:6 siedem:7 siedmiu:7 osiem:8 ośmiu:8 dziewięć:9 dziewięciu:9 dziesięć:10 dziesięciu:10 jedenaście:11 jedenastu:11 dwanaście:12 dwunastu:12 trzynaście:13 trzynastu:13 czternaście:14 czternastu:14 piętnaście:15 piętnastu:15 szesnaście:16 szesnastu:16 siedemnaście:17 siedemnastu:17 osiemnaście:18 osiemnastu:18 dziewiętnaście:19 dziewiętnastu:19 dwadzieścia:20 dwudziestu:20 trzydzieści:30 trzydziestu:30 czterdzieści:40 czterdziestu:40 pięćdziesiąt:50 pięćdziesięciu:50 sześćdziesiąt:60 sześćdziesięciu:60 siedemdziesiąt:70 siedemdziesięciu:70 osiemdziesiąt:80 osiemdziesięciu:80 dziewięćdziesiąt:90 dziewięćdziesięciu:90 sto:100 stu:100 dwieście:200 dwustu:200 trzysta:300 trzystu:300 czterysta:400 czterystu:400 pięćset:500 pięciuset:500 sześćset:600 siedemset:700 osiemset:800 dziewięćset:900 tysiąc:1000 tysiące:1000 tysięcy:1000 milion:1000000 miliony:1000000 milionów:1000000 dwukrotnie:2 trzykrotnie:3 pięcioma:5 sześcioma:6 siedmioma:7 ośmioma:8 dziewięcioma:9 dziesięcioma:10 jedenastoma:11 dwunastoma:12',
  ),
  counted:
    /^(?: \p{Ll}{1,30}){0,2} (?:powod(?:y|ów|ach)|rzecz(?:y|ach)|sposob(?:y|ów|ach)|pyta(?:nia|ń|niach)|częś(?:ci|ciach)|punkt(?:y|ów|ach)|krok(?:i|ów|ach)|stron(?:y|ach)?|histori(?:e|i)|cel(?:e|ów)|rozdział(?:y|ów|ach)|odpowiedz(?:i|iach)|przykład(?:y|ów|ach)|źród(?:ła|eł|łach)|z nich|lub|albo)(?!\p{L})/u,
};

/** Claims of other languages are recognized by figures, dates, names and quotations only. */
const NONE = /(?!)/;
const other: ClaimLexicon = {
  superlative: [],
  cause: [],
  discourse: NONE,
  numbers: new Map(),
  counted: NONE,
};

const lexicons: Record<string, ClaimLexicon> = {
  en: english,
  de: german,
  pl: polish,
  fr: french,
  es: spanish,
};

/** Returns the words of a language, given by its ISO 639-1 code. For unknown languages they never match. */
export const claimLexiconOf = (language: string | null): ClaimLexicon => lexicons[language ?? ''] ?? other;

/** Returns whether the claims of a language are recognized by its words. */
export const hasClaimLexicon = (language: string | null): boolean => claimLexiconOf(language) !== other;

/** Month names by number, in the forms of a date, for comparison across languages. */
const MONTHS = [
  'january jan januar jänner stycznia styczeń styczniu janvier enero',
  'february feb februar lutego luty lutym février febrero',
  'march mar märz marca marzec marcu mars marzo',
  'april apr kwietnia kwiecień kwietniu avril abril',
  'may mai maja maj maju mayo',
  'june jun juni czerwca czerwiec czerwcu juin junio',
  'july jul juli lipca lipiec lipcu juillet julio',
  'august aug sierpnia sierpień sierpniu août agosto',
  'september sept sep września wrzesień wrześniu septembre septiembre',
  'october oct oktober października październik październiku octobre octubre',
  'november nov listopada listopad listopadzie novembre noviembre',
  'december dec dezember grudnia grudzień grudniu décembre diciembre',
];
const MONTH_OF = new Map(
  MONTHS.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** Returns the number of a month, 1…12, from its name in a date; null for other words. */
export const monthNumber = (word: string): number | null => MONTH_OF.get(word.toLowerCase()) ?? null;
