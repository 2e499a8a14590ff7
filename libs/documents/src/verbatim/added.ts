import { hardTokens } from './tokens.js';
import type { ScannedLine } from './scan.js';
import type { LedgerAdded, LedgerSource } from './schema.js';
import type { ManuscriptState } from './state.js';
import { occursIn } from './occurs.js';

const CAPTION =
  /^[*_]{0,3}(?:figure|fig\.|table|listing|source|file|image|example|abbildung|tabelle|quelle)\b/i;
/** Numbers that count the parts of the document are the agent's own: `Chapter 3`, `Table 2`, `4.1 Title`. */
const NUMBERING =
  /\b(?:chapter|section|part|figure|fig\.|table|listing|appendix|kapitel|abschnitt|teil|tabelle|abbildung)\s+[\dIVXivx.]+|^[#*_\s]*\d+(?:\.\d+)*[.)]?\s/gi;

export interface AddedContext {
  sources: LedgerSource[];
  /** Underlines of headings that their sources have as well. */
  underlines: Set<number>;
  /** File names are no invention where a heading or caption says what follows. */
  fileNames: string;
}

/** Manuscript lines that carry no source text, each with what it is; neighbouring lines of code are one entry. */
export function addedLines(manuscript: ManuscriptState, context: AddedContext): LedgerAdded[] {
  const found: LedgerAdded[] = [];
  const units = manuscript.text.units;
  const known = new Map<string, boolean>();
  for (let unit = 0; unit < units.ids.length; unit++) {
    const line = units.line[unit] as number;
    if (!manuscript.claimed[unit]) {
      const own = manuscript.text.scanned[line] as ScannedLine;
      push(
        found,
        line,
        describe(own, (units.ids[unit] as number) >= 0, context, known),
        manuscript.text.lines[line] as string,
      );
    } else if (manuscript.markup.has(line))
      push(found, line, { kind: 'markup' }, manuscript.text.lines[line] as string);
  }
  manuscript.text.scanned.forEach((own, line) => {
    if (own.kind === 'underline' && !context.underlines.has(line)) {
      found.push({
        manuscript_line: line + 1,
        last_line: line + 1,
        kind: 'markup',
        text: manuscript.text.lines[line] as string,
      });
    }
  });
  return found.sort((a, b) => a.manuscript_line - b.manuscript_line);
}

type Description = Pick<LedgerAdded, 'kind' | 'tokens'>;

function describe(
  own: ScannedLine,
  inSources: boolean,
  context: AddedContext,
  known: Map<string, boolean>,
): Description {
  switch (own.kind) {
    case 'fence_open':
    case 'fence_close':
    case 'delimiter':
    case 'blank':
      return { kind: 'markup' };
    case 'code':
    case 'front_matter':
    case 'table':
      return { kind: inSources ? 'duplicate' : 'invention' };
    case 'heading':
    case 'setext':
      if (inSources && own.level > 1) return { kind: 'duplicate' };
      return invented(own.text, context, known) ?? { kind: 'heading' };
    default:
      if (inSources && /[\p{L}\p{N}]/u.test(own.text)) return { kind: 'duplicate' };
      return (
        invented(own.text, context, known) ?? { kind: CAPTION.test(own.text) ? 'caption' : 'transition' }
      );
  }
}

/** Text that the agent added may not state what no source does: numbers, identifiers, paths, URLs, quotes. */
function invented(text: string, context: AddedContext, known: Map<string, boolean>): Description | null {
  const tokens = hardTokens(text.replace(NUMBERING, ' '))
    .filter((token) => token.kind !== 'negation' && token.kind !== 'name')
    .map((token) => token.text)
    .filter((token) => {
      if (!known.has(token))
        known.set(
          token,
          occursIn(token, context.fileNames) || context.sources.some((s) => occursIn(token, s.text)),
        );
      return !known.get(token);
    });
  return tokens.length > 0 ? { kind: 'invention', tokens } : null;
}

function push(found: LedgerAdded[], line: number, description: Description, text: string): void {
  const last = found[found.length - 1];
  const mergeable = description.kind === 'invention' && !description.tokens;
  if (mergeable && last?.kind === 'invention' && !last.tokens && last.last_line === line) {
    last.last_line = line + 1;
    return;
  }
  found.push({ manuscript_line: line + 1, last_line: line + 1, ...description, text: text.slice(0, 500) });
}
