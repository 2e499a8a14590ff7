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
  'apps/studio/build-plugins.ts /--mantine-color-(?:pink|grape|violet|cyan|teal|lime)-[\\w-]+:[^;]*;/g':
    'the style sheet of a package, when the studio is built',
  'libs/markdown/title.ts /^[^\\p{L}\\p{N}]*(?:\\p{N}[^\\p{L}]*(?:[\\p{Script=Latin}\\p{Script=Greek}µ]{1,3}[^\\p{L}]*)?)?$/u':
    'the first digit and the first letter end what may be repeated before them',
  'libs/gateway/admin/bull-board.ts /<link\\b[^>]*\\bhref="https?:\\/\\/fonts\\.[^>]*>/gi':
    'the page of a package',
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
  'libs/verbatim/own-lines/own-lines.ts /\\]\\((?:[^()\\n]|\\([^()\\n]{0,500}\\)){0,500}\\)/g': BOUNDED,
  'libs/extraction/email/mime-tree.ts /^begin [0-7]{3,4} ([^\\r\\n]{1,300})\\r?\\n((?:[ -`]{1,90}\\r?\\n)+)end[ \\t]{0,9}\\r?$/gm':
    'a line with which it can begin has small letters, so it is in none of its repetitions',
  'libs/extraction/embedded-images.ts /^data:([a-z]+\\/[a-z0-9.+-]+)[^,]{0,200},/i': BOUNDED,
  'libs/extraction/declared-encoding.ts /<meta\\b[^>]*?\\bcharset\\s*=\\s*["\']?\\s*([\\w-]+)/i':
    'sees the first 2,048 characters of a page',
  'libs/extraction/same-words.ts /\\[(?:image|cid):[^\\]\\n]{0,200}\\]/gi': BOUNDED,
  'libs/extraction/inline-text.ts /^\\s*`{3,}/gm': THREAD,
  'libs/book/graph/checks.ts /(?<!non-?\\s?)\\b(?:fiction|novel\\p{L}*|thriller|crime|mystery|fantasy|romance|short stor(?:y|ies)|fairy tales?|poetry|Roman\\p{L}*|Krimi|Märchen|Erzählung\\p{L}*|powieść|opowiadani\\p{L}|baśń|baśnie|poezja)(?!\\p{L})/iu':
    'the genre of a profile, at most 100 characters',
  'libs/writing/claims/claims.ts /"[^"\\n]{2,300}"|“[^”\\n]{2,300}”|«[^»\\n]{2,300}»|»[^«\\n]{2,300}«|„[^“”\\n]{2,300}[“”]/g':
    BOUNDED,
  'libs/writing/claims/claims.ts /`[^`\\n]{1,500}`|\\b(?:[a-z][a-z0-9+.-]{1,20}:\\/\\/|www\\.)[^\\s<>"\')\\]]{1,2000}/gi':
    BOUNDED,
  'libs/markdown/escape.ts /^[ \\t]+|[ \\t]+$/g': THREAD,
  'libs/markdown/escape.ts /[`*~[]|\\\\(?=[!-/:-@[-`{-~\\n]|$)|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]+;)|\\$(?=\\$)|(?<=\\$)\\$|(?<![\\p{L}\\p{N}])\\$(?=[^\\s$][^$\\n]{0,299}\\$)|(?<![^ \\t\\n])#+(?![^ \\t\\n])|(?<![\\p{L}\\p{N}_])_+|(?<!_)_+(?![\\p{L}\\p{N}_])/gu':
    BOUNDED,
  'libs/markdown/parse-cost.ts /[!"&\'),.:;<>?\\]}]{100,}/g':
    'looks at most 100 characters ahead before it goes on',
  'libs/office/docx/write/write.ts /<w:footnote [^>]*w:id="(\\d+)">(.*?)<\\/w:footnote>/gs': OURS,
  'libs/verbatim/word/word-trace.ts /^\\s*(?:([=\\-~^*#"\'+.`])\\1{2,}|(?:`{3,}|~{3,})\\S*)\\s*$/': THREAD,
  'libs/writing/sentences.ts /\\[\\^([^\\]\\s]{1,80})\\]/g': BOUNDED,
  'libs/writing/style/prose.ts /[\\w.+-]{1,64}@[\\w-]{1,64}\\.[\\w.-]{1,64}/g': BOUNDED,
  'libs/writing/style/prose.ts /\\]\\([^)\\s]{1,2000}\\)/g': BOUNDED,
  'libs/writing/style/rules/habits.ts /\\B(?=(?:\\d{3})+$)/g': 'the digits of one number',
  'libs/writing/style/prose.ts /^ {0,3}\\[[^\\]\\n]{1,200}\\]:[^\\n]{0,2000}$/gm': BOUNDED,
  'libs/writing/style/terms.ts /(?:^|[.!?:…\\n|][\"”“„«)\\]*_\\s#>([-]*|\\n[#>*\\s\\d.)([-]*|[[(\"“„«*_]{1,3})$/u':
    'sees 12 characters',
  'libs/article/repurpose/compose.ts /!\\[[^\\]\\n]{0,500}\\]\\([^)\\n]{0,2000}\\)/g': BOUNDED,
  'libs/article/repurpose/compose.ts /\\[([^\\]\\n]{1,500})\\]\\([^)\\n]{0,2000}\\)/g': BOUNDED,
  'libs/article/repurpose/compose.ts /\\s+\\S*$/u': 'a title, cut at 101 characters',
  'libs/article/repurpose/compose.ts /[\\s,;:–—-]+$/u': 'a title, cut at 100 characters',
  "libs/article/repurpose/compose.ts /['’].*$/": 'sees one word, which has no line end',
  'libs/office/docx/write/inlines.ts /\\/+$/': THREAD,
  'libs/office/pdf/typst.ts /"(?:[^"\\\\]|\\\\.)*"/g': THREAD,
  'libs/office/docx/write/style-sheet.ts /\\{([^}]+)\\}/g': OURS,
  'libs/extraction/ooxml/number-text.ts /\\[\\$([^\\]-]{1,20})(?:-[^\\]]{0,20})?\\]/g': BOUNDED,
  'libs/extraction/ooxml/number-text.ts /\\[\\$-[^\\]]{0,40}\\]/g': BOUNDED,
  'libs/extraction/field-words.ts /\\\\o\\s{0,3}(?:\\\\a[lcrdn]\\s{0,3})?\\(\\s{0,3}\\\\s\\s{0,3}\\\\up\\s{0,3}\\d{0,4}\\s{0,3}\\(([^()]{0,200})\\)\\s{0,3}[,;]([^()]{0,200})\\)/':
    BOUNDED,
  'libs/llm/refusal-words.ts /(?:m[aá]xim|\\bmax(?!_(?:new_|completion_|output_)?tokens)|limit|context|window|allowed|at most|only|less than|up to|exceed|than|range|[<>≤])[^\\d\\n]{0,40}(?:\\[\\d, )?(\\d[\\d,._]{2,12})( ?k\\b)?|(\\d[\\d,._]{2,12})(?= maximum)/gi':
    BOUNDED,
  'libs/llm/wire/written-calls.ts /<[|｜][^<>\\n]{1,40}[|｜]>|<[^<>\\n]{0,40}(?:tool|function|invoke)[^<>\\n]{0,80}>|\\[TOOL_CALLS?\\]|\\bto=functions\\./i':
    BOUNDED,
  'libs/llm/wire/written-calls.ts /<parameter(?:=| {1,3}name=)["\']?([\\w.-]{1,100})["\']?[^<>\\n]{0,40}>/y':
    BOUNDED,
  'libs/llm/wire/written-calls.ts /(?:<[^<>\\n]{0,130}|\\[[A-Z_]{0,10}|\\bto=[a-z]{0,9})$/i': BOUNDED,
  'libs/inventory/mail/mail.ts /<meta\\b[^>]{0,400}?\\bcharset\\s{0,20}=\\s{0,20}["\']?\\s{0,20}([\\w-]{1,40})/i':
    'sees the first 4,096 bytes of a page',
  'libs/inventory/office/number-formats.ts /\\[\\$([^\\]-]{1,20})(?:-[^\\]]{0,20})?\\]/g': BOUNDED,
  'libs/inventory/office/number-formats.ts /\\[\\$-[^\\]]{0,40}\\]/g': BOUNDED,
  'libs/inventory/office/drawing-text.ts /(\\d{1,9})\\.xml$/': BOUNDED,
  'libs/inventory/xml.ts /<\\?[^>]{0,4000}\\?>|<!--[^>]{0,4000}-->|<![^>]{0,4000}>/g':
    'sees the first 4,000 characters of a part',
  'libs/extraction/table.ts /\\s*\\n\\s*/g': THREAD,
  'libs/markdown/parse.ts /^[ \\t>\\d.)*+-]*\\[[^\\]]+\\]:/m': THREAD,
  'libs/markdown/parse.ts /\\[((?:\\\\.|[^[\\]\\\\])+)\\]/gs': THREAD,
  'libs/markdown/parse.ts /^([^\\s]*)(?:[ \\t]+(.*))?$/': THREAD,
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
  'libs/document/offline/write-chapter.ts /^_+|_+$/g':
    'the name of a file, at most 200 bytes; runs of "_" were made one before',
  'libs/document/offline/sources/kind.ts /^(?:\\[?[\\w.-]+@[\\w.-]+[^$#%]{0,80}[$#%]|\\$|PS [A-Z]:\\\\[^>]*>|[A-Z]:\\\\[^>]*>|>>>|(?:[\\w-]+=[#>]|mysql>|sqlite>|redis> )) \\S/':
    SAMPLE,
  'libs/document/offline/sources/kind.ts /[;{}]\\s*$|^\\s*(?:import|from|def|class|function|const|let|var|public|private|return|if|for|while|#include)\\b.*[:;{(]?\\s*$/':
    SAMPLE,
  'libs/document/offline/sources/languages.ts /\\.log\\.[\\w.-]+$/': 'the name of a file, at most 200 bytes',
  'libs/document/offline/writers/markdown.ts /^title:\\s*(["\']?)(\\S.*?)\\1\\s*$/':
    'lines of at most 1,000 characters',
  'apps/studio/build-plugins.ts /@mantine\\/core\\/esm\\/.*\\/(\\w+)\\.module\\.mjs$/':
    'the path of an installed module, when the studio is built',
  'libs/extraction/left-out.ts /^<!-- page (\\d{1,9})(?:; left out: [^\\n]*)? -->\\n{0,2}/gm':
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
