import { check } from 'recheck';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedExpressions, type ShippedExpression } from './regular-expressions.js';

/**
 * Hashes of literals that recheck found safe, so that a run checks only new ones. RECHECK=new adds those, too;
 * RECHECK=all checks everything and rewrites the list.
 */
const LIST = join(import.meta.dirname, 'safe-expressions.txt');

const THREAD = 'runs in a thread that is ended at its time limit; the run fails with a clear error';
const TOKEN = 'sees one word or token of a line, in a thread with a time limit';
const SAMPLE = 'sees lines cut at 500 characters, at most 200 of them';
const BOUNDED = 'every repetition is bounded: so many characters are looked at again at most';
const OURS = 'sees text of our own, never content';

/**
 * Reviewed literals, at worst polynomial, with the reason why the input is never long enough to matter. Exponential
 * ones are not allowed.
 */
const REVIEWED: Record<string, string> = {
  'libs/gateway/admin/bull-board.ts /<link\\b[^>]*\\bhref="https?:\\/\\/fonts\\.[^>]*>/gi':
    'the page of a package',
  "libs/plan/tools/platform/number-use.ts /'(?:[^']|'')*'|--[^\\n]*|\\/\\*(?:[^*]|\\*(?!\\/))*\\*\\//g":
    'a query of at most 20,000 characters, in a thread with a time limit',
  'libs/plan/tools/platform/number-use.ts /(?:["[`]?[\\p{L}\\p{N}_]+["\\]`]?\\s?\\.\\s?)?(?:"([^"]+)"|`([^`]+)`|\\[([^\\]]+)\\]|([\\p{L}_][\\p{L}\\p{N}_]*))/u':
    'a query of at most 20,000 characters, in a thread with a time limit',
  'libs/cli/stack/connect.ts /\\/+$/': 'the operator’s own setting on the operator’s own machine',
  'libs/writing/style/lexicon/english.ts /\\b(?:was|were|had|did|\\p{L}{3,40}ed)\\b/giu': BOUNDED,
  'libs/office/pdf/join/join.ts /\\((?:\\\\[^]|[^\\\\()])*\\) \\d+ 0 R|<[0-9A-Fa-f]*> \\d+ 0 R/g':
    'a PDF that Typst has just written: short numbers and names',
  'libs/office/pdf/join/join.ts /(\\d+) 0 R/g': 'a PDF that Typst has just written: short numbers and names',
  'libs/office/pdf/join/join.ts /\\/RoleMap <<([^>]*)>>/':
    'a PDF that Typst has just written: short numbers and names',
  'libs/office/pdf/join/join.ts /(\\/\\S+) (\\/\\S+)/g':
    'a PDF that Typst has just written: short numbers and names',
  'libs/office/pdf/join/join.ts /(\\d+) (\\d+ 0 R)/g':
    'a PDF that Typst has just written: short numbers and names',
  'libs/office/pdf/join/join.ts /\\/K \\[[^\\]]*\\]/':
    'a PDF that Typst has just written: short numbers and names',
  'libs/llm/wire/adaptations.ts /\\b(?:system|developer)\\b[^.\\n]{0,60}\\b(?:not? support|unsupported|not enabled|not allowed)|not support[^.\\n]{0,20}\\b(?:system|developer)\\b|unsupported[^.\\n]{0,40}\\b(?:system|developer)\\b|roles must alternate|only user and assistant roles/i':
    BOUNDED,
  'libs/llm/wire/adaptations.ts /\\bcontent\\b[^\\n]{0,60}\\b(?:empty|blank|null|missing|required|string)\\b|\\b(?:empty|blank|null)\\b[^\\n]{0,40}\\bcontent\\b/i':
    BOUNDED,
  'libs/llm/wire/adaptations.ts /\\bname\\b[^\\n]{0,40}\\b(?:empty|required|missing)\\b|\\bmissing\\b[^\\n]{0,30}\\bname\\b/i':
    BOUNDED,
  'libs/verbatim/report/added.ts /\\]\\((?:[^()\\n]|\\([^()\\n]{0,500}\\)){0,500}\\)/g': BOUNDED,
  'libs/writing/claims/lexicon.ts /, da (?:niemand|kein\\p{L}{0,2}|der|die|das|dem|den|es|er|sie|man|ihr\\p{L}{0,2}|sein\\p{L}{0,2}|ein\\p{L}{0,2}|viele|dort|dies\\p{L}{1,2}|jede\\p{L}{0,2}|\\p{Lu}\\p{Ll}{1,30})(?!\\p{L})/u':
    BOUNDED,
  'libs/writing/claims/lexicon.ts /(?<!\\p{L})żad(?:en|na|ne) inn[yae] (?!spos|wyj|możliw|droga|pow)(?:\\p{L}{1,30} ){1,6}(?:tak|takie?\\p{L}{0,3}|bardziej|lepi?ej)(?!\\p{L})/iu':
    BOUNDED,
  'libs/writing/claims/romance.ts /(?<!\\p{L})aucune? autre (?!choix|moyen|solution|raison|façon)(?:\\p{L}{1,30} )/iu':
    BOUNDED,
  'libs/writing/claims/romance.ts /(?<!\\p{L})ning(?:ún|una) otr[oa] (?!remedio|opción|manera|modo|motivo|razón)\\p{L}{1,30}/iu':
    BOUNDED,
  'libs/extraction/embedded-images.ts /^data:([a-z]+\\/[a-z0-9.+-]+)[^,]{0,200},/i': BOUNDED,
  'libs/extraction/declared-encoding.ts /<meta\\b[^>]*?\\bcharset\\s*=\\s*["\']?\\s*([\\w-]+)/i':
    'sees the first 2,048 characters of a page',
  'libs/extraction/same-words.ts /\\[(?:image|cid):[^\\]\\n]{0,200}\\]/gi': BOUNDED,
  'libs/extraction/inline-text.ts /^\\s*`{3,}/gm': THREAD,
  'libs/writing/claims/claims.ts /"[^"\\n]{2,300}"|“[^”\\n]{2,300}”|«[^»\\n]{2,300}»|»[^«\\n]{2,300}«|„[^“”\\n]{2,300}[“”]/g':
    BOUNDED,
  'libs/writing/claims/claims.ts /`[^`\\n]{1,500}`|\\b(?:[a-z][a-z0-9+.-]{1,20}:\\/\\/|www\\.)[^\\s<>"\')\\]]{1,2000}/gi':
    BOUNDED,
  "libs/writing/claims/lexicon.ts /(?<!\\p{L})(?:(?:the|its|their|his|her|our|whose|\\p{L}{1,30}['’]s) (?:\\p{L}{1,30} )?(?!(?:rest|west|guest|forest|request|interest|test|contest|harvest|quest|chest|nest|priest|protest|arrest|latest|crest|vest|pest|bequest|conquest|inquest|northwest|southwest|unrest|tempest|manifest|honest|modest|earnest|behest)(?!\\p{L}))\\p{Ll}{2,20}est(?!\\p{L})|(?:the|its|their|his|her|our|\\p{L}{1,30}['’]s) (?:most|least|best|worst) (?!of(?!\\p{L})|part(?!\\p{L}))\\p{L}{1,30}|one of the (?:most|best|worst)(?!\\p{L})|(?:world|country|nation|continent|region)['’]s (?:first|only|last)(?!\\p{L})|the (?:very )?first (?:[\\p{L}-]{1,30} ){1,4}(?:in (?:the )?(?:world|country|county|region|area|district|city|town|village|valley|state|province|kingdom|empire|north|south|east|west|history|\\p{Lu})|on earth|ever )|(?:first|only) (?:[\\p{L}-]{1,30} ){0,3}of its kind|(?:more|better|\\p{L}{3,20}er) (?:\\p{L}{1,30} ){0,4}than any other|unlike any other|unsurpassed|unrivalled|unparalleled|unmatched|record-breaking|(?:the|its) only (?:[\\p{L}-]{1,30} ){1,3}(?:in (?:the )?(?:world|country|\\p{Lu})|on earth|to have|that had|ever))/u":
    BOUNDED,
  'libs/writing/claims/names.ts /^(?:Herr\\p{Ll}{0,30}|Frau|Dr|Professor\\p{Ll}{0,30}|König\\p{Ll}{0,30}|Kaiser\\p{Ll}{0,30}|Papst|Bischof|Graf|Gräfin|Baron\\p{Ll}{0,30}|Fürst\\p{Ll}{0,30}|Prinz\\p{Ll}{0,30}|Herzog\\p{Ll}{0,30}|Lady|Lord|Sir|Kapitän\\p{Ll}{0,30}|Steuermann|General|Admiral|Major|Oberst|Meister|Pastor\\p{Ll}{0,30}|Pfarrer\\p{Ll}{0,30}|Bruder|Schwester|Onkel|Tante|Familie|Firma|Stadt|Dorf|Insel|Fluss|Hafen|Kap|Schiff|Dampfer|Werft|Bruder|Sankt|Architekt\\p{Ll}{0,30}|Präsident\\p{Ll}{0,30}|\\p{Lu}\\p{Ll}{1,30}(?:meister|wärter|leiter|minister|ingenieur|historiker|schreiber|bauer|forscher)(?:in)?|Ingenieur\\p{Ll}{0,30}|Historiker\\p{Ll}{0,30}|Minister\\p{Ll}{0,30}|Kanzler\\p{Ll}{0,30}|Wärter\\p{Ll}{0,30}|Direktor\\p{Ll}{0,30}|Autor\\p{Ll}{0,30}|Maler\\p{Ll}{0,30}|Dichter\\p{Ll}{0,30})$/u':
    TOKEN,
  'libs/book/graph/checks.ts /(?<!non-?\\s?)\\b(?:fiction|novel\\p{L}*|thriller|crime|mystery|fantasy|romance|short stor(?:y|ies)|fairy tales?|poetry|Roman\\p{L}*|Krimi|Märchen|Erzählung\\p{L}*|powieść|opowiadani\\p{L}|baśń|baśnie|poezja)(?!\\p{L})/iu':
    'the genre of a profile, at most 100 characters',
  'libs/writing/claims/claims.ts /»([^«»\\n]{2,300})«|‚([^‚‘’\\n]{12,300})[‘’]/g': BOUNDED,
  'libs/writing/claims/claims.ts /(?:chapters?|sections?|figures?|tables?|parts?|steps?|pages?|no\\.|kapiteln?|abschnitte?n?|tabellen?|abbildung|seiten?|schritte?|teile?|rozdzia\\p{L}{1,5}|częś\\p{L}{1,6}|tabel\\p{L}{1,3}|rysun\\p{L}{1,5}|stron\\p{L}{1,4}|krok\\p{L}{0,4})\\s{1,3}$/iu':
    BOUNDED,
  'libs/writing/claims/lexicon.ts /(?<!\\p{L})(?:because|due to|owing to|thanks to|caus(?:e|es|ed|ing)(?! (?:and|or) )|(?:led|leads|leading|lead) (?:directly |straight |in turn )?to|result(?:s|ed|ing)? (?:in|from)|as a (?:direct )?(?:result|consequence)|in consequence|that is why|which is why|this is why|the reason (?:for|why|that|was|is)|triggered|brought about|gave rise to|prompted|sparked|set off|stems? (?:directly )?from|stemmed (?:directly )?from|responsible for|the effect of|forced (?:the|them|him|her|it)|drove (?:the|them|him|her) (?:\\p{L}{1,30} )?(?:to|out|away)|made (?:it )?(?:im)?possible)(?!\\p{L})/iu':
    BOUNDED,
  'libs/writing/claims/lexicon.ts /(?<!\\p{L})(?:weil|wegen|aufgrund|auf Grund|infolge(?:dessen)?|dank(?= (?:der|des|dem|einer|eines|einem|ihrer|ihrem|seiner|seinem|\\p{Lu}))|verursach(?:t|te|ten|en)|bewirk(?:t|te|ten|en)|führt(?:e|en)? (?:\\p{L}{1,30} ){0,6}(?:zu|zum|zur)|lag daran|liegt daran|löst(?:e|en)? (?:\\p{L}{1,30} ){1,8}aus|ausgelöst|zur Folge|Ursache|Grund (?:dafür|für|war|ist|hierfür)|Folge (?:davon|der|des|war|ist)|zwang(?:en)?|sorgt(?:e|en)? (?:\\p{L}{1,30} ){0,3}dafür|ermöglicht(?:e|en)?|hervorgerufen|geht (?:\\p{L}{1,30} ){0,3}auf|ging (?:\\p{L}{1,30} ){0,3}auf|(?:machte|machten) (?:\\p{L}{1,30} ){0,4}(?:möglich|nötig))(?!\\p{L})/u':
    BOUNDED,
  'libs/writing/claims/lexicon.ts /(?<!\\p{L})(?:(?:dieses?|diesem|das|im|dem|des|dieser|diese|der|die|den) (?:nächsten? |folgenden? |vorige[nr]? |letzten? |späteren? |ersten? )?(?:Kapitels?|Kapiteln|Abschnitte?s?|Abschnitten|Buche?s?|Artikels?|Teils?|Seiten?|Leser\\p{Ll}{0,30})|wir|uns|unsere?[rsnm]?|man sollte|(?<!^)Sie|Ihnen)(?!\\p{L})/u':
    BOUNDED,
  'libs/writing/claims/lexicon.ts /(?<!\\p{L})(?:naj\\p{L}{2,30}sz(?:y|a|e|ego|ej|emu|ym|ą|ych|ymi)|najbardziej \\p{L}{1,30}|pierwsz(?:y|a|e|ego|ej|ym|ą) (?:\\p{L}{1,30} ){1,4}(?:na świecie|w (?:kraju|Polsce|Europie|historii))|jedyn(?:y|a|e|ego|ej|ym|ą) (?:\\p{L}{1,30} ){1,4}(?:na świecie|w (?:kraju|Polsce|Europie)|tego rodzaju)|niezrównan\\p{L}{1,30}|bezprecedensow\\p{L}{1,30}|jak żad(?:en|na|ne) inn\\p{L}{1,30})(?!\\p{L})/iu':
    BOUNDED,
  'libs/writing/claims/lexicon.ts /(?<!\\p{L})(?:ponieważ|gdyż|bo|bowiem|dlatego|wskutek|(?:na )?skutek|z powodu|z racji|dzięki|spowodowa\\p{L}{1,30}|powodowa\\p{L}{1,30}|powoduj\\p{L}{1,30}|(?:do)?prowadzi(?:ł\\p{L}{0,30}|ła)?(?: \\p{L}{1,30}){0,2} do|w (?:wyniku|rezultacie|efekcie|konsekwencji|następstwie)|przyczyn\\p{L}{1,30}|przez co|wywoła\\p{L}{1,30}|sprawi(?:ł\\p{L}{0,30}|a|ają)|stąd|umożliwi\\p{L}{1,30}|zmusi(?:ł\\p{L}{0,30})|powodem|pozwoli(?:ł\\p{L}{0,30}) (?=\\p{L}{1,30}ć))(?!\\p{L})/iu':
    BOUNDED,
  'libs/writing/claims/lexicon.ts /(?<!\\p{L})(?:(?:ten|tego|tym|następn\\p{L}{1,30}|poprzedni\\p{L}{0,30}|kolejn\\p{L}{1,30}|ostatni\\p{L}{0,30}|dalsz\\p{L}{1,30}|tej|ta|tę|całej) (?:rozdzia\\p{L}{1,30}|częś\\p{L}{1,30}|książ\\p{L}{1,30}|artyku\\p{L}{1,30}|stron\\p{L}{1,30}|tekś?\\p{L}{1,30})|rozdział(?:ie|u|ach|y)?|czytelni\\p{L}{1,30}|zobaczymy|wrócimy|przyjrzymy|zaczniemy|zaczynamy|pokażemy|omówimy|opowiemy|nasz\\p{L}{0,30}|nam|nas|warto)(?!\\p{L})/iu':
    BOUNDED,
  'libs/writing/compile-passages.ts /\\[\\^[^\\]\\s]{1,80}\\]/g': BOUNDED,
  'libs/markdown/escape.ts /^[ \\t]+|[ \\t]+$/g': THREAD,
  'libs/markdown/parse-cost.ts /[!"&\'),.:;<>?\\]}]{100,}/g':
    'looks at most 100 characters ahead before it goes on',
  'libs/office/docx/write/layout/notes.ts /<w:footnote [^>]*w:id="(\\d+)">(.*?)<\\/w:footnote>/gs': OURS,
  'libs/verbatim/word/trace.ts /^\\s*(?:([=\\-~^*#"\'+.`])\\1{2,}|(?:`{3,}|~{3,})\\S*)\\s*$/': THREAD,
  'libs/writing/bibliography/assemble.ts /\\[\\^([^\\]\\s]{1,80})\\]/g': BOUNDED,
  'libs/writing/facts/facts.ts /\\[\\^[^\\]\\s]{1,80}\\]/g': BOUNDED,
  'libs/writing/overlap.ts /\\[\\^[^\\]\\s]{1,80}\\]:?/g': BOUNDED,
  'libs/writing/sentences.ts /\\[\\^([^\\]\\s]{1,80})\\]/g': BOUNDED,
  'libs/writing/style/prose.ts /[\\w.+-]{1,64}@[\\w-]{1,64}\\.[\\w.-]{1,64}/g': BOUNDED,
  'libs/writing/style/prose.ts /\\]\\([^)\\s]{1,2000}\\)/g': BOUNDED,
  'libs/writing/style/prose.ts /\\[\\^[^\\]\\s]{1,80}\\]/g': BOUNDED,
  'libs/writing/style/rules/habits.ts /\\B(?=(?:\\d{3})+$)/g': 'the digits of one number',
  'libs/writing/style/prose.ts /^ {0,3}\\[[^\\]\\n]{1,200}\\]:[^\\n]{0,2000}$/gm': BOUNDED,
  'libs/writing/style/terms.ts /(?:^|[.!?:…\\n|][\"”“„«)\\]*_\\s#>([-]*|\\n[#>*\\s\\d.)([-]*|[[(\"“„«*_]{1,3})$/u':
    'sees 12 characters',
  'libs/article/repurpose/compose.ts /!\\[[^\\]\\n]{0,500}\\]\\([^)\\n]{0,2000}\\)/g': BOUNDED,
  'libs/article/repurpose/compose.ts /\\[([^\\]\\n]{1,500})\\]\\([^)\\n]{0,2000}\\)/g': BOUNDED,
  'libs/article/repurpose/compose.ts /\\s+\\S*$/u': 'a title, cut at 101 characters',
  'libs/article/repurpose/compose.ts /[\\s,;:–—-]+$/u': 'a title, cut at 100 characters',
  "libs/article/repurpose/hashtags.ts /['’].*$/": 'sees one word, which has no line end',
  'libs/office/docx/write/missing-image.ts /\\/+$/': THREAD,
  'libs/office/pdf/typst-math.ts /"(?:[^"\\\\]|\\\\.)*"/g': THREAD,
  'libs/embedded/stack.ts /\\/+$/': OURS,
  'libs/office/docx/write/style-sheet.ts /\\{([^}]+)\\}/g': OURS,
  'libs/extraction/ooxml/number-text.ts /\\[\\$([^\\]-]{1,20})(?:-[^\\]]{0,20})?\\]/g': BOUNDED,
  'libs/extraction/ooxml/number-text.ts /\\[\\$-[^\\]]{0,40}\\]/g': BOUNDED,
  'libs/extraction/field-words.ts /\\\\o\\s{0,3}(?:\\\\a[lcrdn]\\s{0,3})?\\(\\s{0,3}\\\\s\\s{0,3}\\\\up\\s{0,3}\\d{0,4}\\s{0,3}\\(([^()]{0,200})\\)\\s{0,3}[,;]([^()]{0,200})\\)/':
    BOUNDED,
  'libs/inventory/mail/mail.ts /<meta\\b[^>]{0,400}?\\bcharset\\s{0,20}=\\s{0,20}["\']?\\s{0,20}([\\w-]{1,40})/i':
    'sees the first 4,096 bytes of a page',
  'libs/inventory/office/number-formats.ts /\\[(?!h+\\]|m+\\]|s+\\])[^\\]]{0,500}\\]/gi':
    'sees the first 500 characters of a number format',
  'libs/inventory/office/presentation.ts /(\\d{1,9})\\.xml$/': BOUNDED,
  'libs/inventory/xml.ts /<\\?[^>]{0,4000}\\?>|<!--[^>]{0,4000}-->|<![^>]{0,4000}>/g':
    'sees the first 4,000 characters of a part',
  'libs/extraction/table.ts /\\s*\\n\\s*/g': THREAD,
  'libs/markdown/definitions.ts /^[ \\t>\\d.)*+-]*\\[[^\\]]+\\]:/m': THREAD,
  'libs/markdown/definitions.ts /\\[((?:\\\\.|[^[\\]\\\\])+)\\]/gs': THREAD,
  'libs/markdown/quick.ts /^([^\\s]*)(?:[ \\t]+(.*))?$/': THREAD,
  'libs/office/structure/inlines.ts /[ \\t]*\\r?\\n[ \\t]*/g': THREAD,
  'libs/office/structure/inlines.ts /^\\s*(\\d+(?:\\.\\d+)?)\\s*(?:px)?\\s*$/': THREAD,
  'libs/verbatim/source/tokens.ts /\\b(?:[a-z][a-z0-9+.-]{1,20}:\\/\\/|www\\.)[^\\s<>"\')\\]]{1,2000}|[\\w.+-]{1,64}@[\\w-]{1,64}\\.[\\w.-]{1,64}/gi':
    'every repetition is bounded; 80,000 hostile characters take 55 ms',
  'libs/verbatim/source/tokens.ts /"([^"\\n]{2,300})"|“([^”\\n]{2,300})”|«([^»\\n]{2,300})»|„([^“”\\n]{2,300})[“”]/g':
    'every repetition is bounded; 80,000 hostile characters take 77 ms',
  'libs/verbatim/source/tokens.ts /[.,;:!?]+$/': TOKEN,
  'libs/verbatim/source/tokens.ts /[.,!?]+$/': TOKEN,
  "libs/verbatim/source/tokens.ts /[.,:/\\\\+@#'’-]+$/": TOKEN,
  'libs/document/graph/tools/validation.ts /^_+|_+$/g': 'a label, cut at 500 characters before',
  'libs/document/offline/writer-step.ts /^_+|_+$/g':
    'the name of a file, at most 200 bytes; runs of "_" were made one before',
  'libs/document/offline/mend.ts /fence ([`~]{3,}).*is still open at the end of the document/': OURS,
  'libs/document/offline/sources/detect.ts /^(?:\\[?[\\w.-]+@[\\w.-]+[^$#%]{0,80}[$#%]|\\$|PS [A-Z]:\\\\[^>]*>|[A-Z]:\\\\[^>]*>|>>>|(?:[\\w-]+=[#>]|mysql>|sqlite>|redis> )) \\S/':
    SAMPLE,
  'libs/document/offline/sources/detect.ts /[;{}]\\s*$|^\\s*(?:import|from|def|class|function|const|let|var|public|private|return|if|for|while|#include)\\b.*[:;{(]?\\s*$/':
    SAMPLE,
  'libs/document/offline/sources/languages.ts /\\.log\\.[\\w.-]+$/': 'the name of a file, at most 200 bytes',
  'libs/document/offline/writers/markdown.ts /^title:\\s*(["\']?)(\\S.*?)\\1\\s*$/':
    'lines of at most 1,000 characters',
  'apps/studio/mantine-styles.ts /@mantine\\/core\\/esm\\/.*\\/(\\w+)\\.module\\.mjs$/':
    'the path of an installed module, when the studio is built',
  'libs/extraction/pdf/page-marks.ts /^<!-- page (\\d{1,9})(?:; left out: [^\\n]*)? -->\\n{0,2}/gm':
    'begins at the start of a line only, and goes back over that line once',
  'libs/extraction/left-out.ts /^<!-- left out: [^\\n]* -->\\n{0,2}/gm':
    'begins at the start of a line only, and goes back over that line once',
};

describe('regular expressions', () => {
  const all = shippedExpressions();
  const nameOf = ({ file, literal }: ShippedExpression) => `${file} ${literal}`;

  it('are found', () => {
    expect(all.length).toBeGreaterThan(200);
    expect(all.every(({ source, flags }) => new RegExp(source, flags) instanceof RegExp)).toBe(true);
  });

  it('take linear time, or were reviewed', async () => {
    const isAll = process.env.RECHECK === 'all';
    const known = new Set(isAll ? [] : readFileSync(LIST, 'utf8').split('\n'));
    const isKnown = (expression: ShippedExpression) =>
      known.has(expression.hash) || (!isAll && nameOf(expression) in REVIEWED);
    const doubtful: string[] = [];
    const exponential: string[] = [];
    for (const expression of all.filter((one) => !isKnown(one))) {
      if (known.has(expression.hash)) continue;
      const found = await check(expression.source, expression.flags, { timeout: 20_000 });
      if (found.status === 'safe') known.add(expression.hash);
      else doubtful.push(nameOf(expression));
      if (found.status === 'vulnerable' && found.complexity.type === 'exponential')
        exponential.push(nameOf(expression));
    }
    const present = new Set(all.map(({ hash }) => hash));
    const safe = [...known].filter((hash) => present.has(hash)).sort();
    if (process.env.RECHECK) writeFileSync(LIST, `${safe.join('\n')}\n`);
    expect(exponential).toEqual([]);
    expect(doubtful.filter((name) => !(name in REVIEWED))).toEqual([]);
  }, 900_000);

  it('that were reviewed still exist', () => {
    const names = new Set(all.map(nameOf));
    expect(Object.keys(REVIEWED).filter((name) => !names.has(name))).toEqual([]);
  });
});
