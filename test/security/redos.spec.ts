import { check } from 'recheck';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedExpressions, type ShippedExpression } from './regular-expressions.js';

/** Hashes of literals that recheck found safe, so that a run looks only at what is new; RECHECK_ALL=1 looks at everything and writes it anew. */
const LIST = join(import.meta.dirname, 'safe-expressions.txt');

const THREAD = 'runs in a thread that is ended at its time limit; the run fails with a clear error';
const TOKEN = 'sees one word or token of a line, in a thread with a time limit';
const SAMPLE = 'sees lines cut at 500 characters, at most 200 of them';
const OURS = 'sees text of our own, never content';

/** Polynomial at worst, reviewed: why the input cannot get long enough to matter. Nothing exponential may stand here. */
const REVIEWED: Record<string, string> = {
  'apps/cli/src/stack/connect.ts /\\/+$/': 'the operator’s own setting on the operator’s own machine',
  'libs/office/src/docx/write/drawings.ts /\\/+$/': THREAD,
  'libs/embedded/src/stack.ts /\\/+$/': OURS,
  'libs/office/src/docx/write/style-sheet.ts /\\{([^}]+)\\}/g': OURS,
  'libs/extraction/src/pdf.ts /^\\n+|\\n+$/g': THREAD,
  'libs/extraction/src/table.ts /\\s*\\n\\s*/g': THREAD,
  'libs/markdown/src/definitions.ts /^[ \\t>\\d.)*+-]*\\[[^\\]]+\\]:/m': THREAD,
  'libs/markdown/src/definitions.ts /\\[((?:\\\\.|[^[\\]\\\\])+)\\]/gs': THREAD,
  'libs/markdown/src/quick.ts /^([^\\s]*)(?:[ \\t]+(.*))?$/': THREAD,
  'libs/office/src/structure/inlines.ts /[ \\t]*\\r?\\n[ \\t]*/g': THREAD,
  'libs/office/src/structure/inlines.ts /^\\s*(\\d+(?:\\.\\d+)?)\\s*(?:px)?\\s*$/': THREAD,
  'libs/verbatim/src/source/tokens.ts /\\b(?:[a-z][a-z0-9+.-]{1,20}:\\/\\/|www\\.)[^\\s<>"\')\\]]{1,2000}|[\\w.+-]{1,64}@[\\w-]{1,64}\\.[\\w.-]{1,64}/gi':
    'every repetition is bounded; 80,000 hostile characters take 55 ms',
  'libs/verbatim/src/source/tokens.ts /"([^"\\n]{2,300})"|“([^”\\n]{2,300})”|«([^»\\n]{2,300})»|„([^“”\\n]{2,300})[“”]/g':
    'every repetition is bounded; 80,000 hostile characters take 77 ms',
  'libs/verbatim/src/source/tokens.ts /[.,;:!?]+$/': TOKEN,
  'libs/verbatim/src/source/tokens.ts /[.,!?]+$/': TOKEN,
  "libs/verbatim/src/source/tokens.ts /[.,:/\\\\+@#'’-]+$/": TOKEN,
  'libs/kinds/src/document/tools/validation.ts /^_+|_+$/g': 'a label, cut at 500 characters before',
  'libs/kinds/src/document/offline-scribe/plan.ts /^_+|_+$/g':
    'the name of a file, at most 200 bytes; runs of "_" were made one before',
  'libs/kinds/src/document/offline-scribe/mend.ts /fence ([`~]{3,}).*is still open at the end of the document/':
    OURS,
  'libs/kinds/src/document/offline-scribe/sources/detect.ts /^(?:\\[?[\\w.-]+@[\\w.-]+[^$#%]{0,80}[$#%]|\\$|PS [A-Z]:\\\\[^>]*>|[A-Z]:\\\\[^>]*>|>>>|(?:[\\w-]+=[#>]|mysql>|sqlite>|redis> )) \\S/':
    SAMPLE,
  'libs/kinds/src/document/offline-scribe/sources/detect.ts /[;{}]\\s*$|^\\s*(?:import|from|def|class|function|const|let|var|public|private|return|if|for|while|#include)\\b.*[:;{(]?\\s*$/':
    SAMPLE,
  'libs/kinds/src/document/offline-scribe/sources/languages.ts /\\.log\\.[\\w.-]+$/':
    'the name of a file, at most 200 bytes',
  'libs/kinds/src/document/offline-scribe/writers/markdown.ts /^title:\\s*(["\']?)(\\S.*?)\\1\\s*$/':
    'lines of at most 1,000 characters',
};

describe('regular expressions', () => {
  const all = shippedExpressions();
  const nameOf = ({ file, literal }: ShippedExpression) => `${file} ${literal}`;

  it('are found', () => {
    expect(all.length).toBeGreaterThan(200);
    expect(all.every(({ source, flags }) => new RegExp(source, flags) instanceof RegExp)).toBe(true);
  });

  it('take linear time, or were reviewed', async () => {
    const isAll = process.env.RECHECK_ALL === '1';
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
    if (isAll) writeFileSync(LIST, `${[...known].sort().join('\n')}\n`);
    expect(exponential).toEqual([]);
    expect(doubtful.filter((name) => !(name in REVIEWED))).toEqual([]);
  }, 300_000);

  it('that were reviewed are still there', () => {
    const names = new Set(all.map(nameOf));
    expect(Object.keys(REVIEWED).filter((name) => !names.has(name))).toEqual([]);
  });
});
