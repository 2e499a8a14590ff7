import { sourceForm } from '../source/form.js';
import { type HardToken, hardTokens } from '../source/tokens.js';
import { isText, type ScannedLine } from '#markdown/scan/scan.js';
import type { LedgerAdded, LedgerSource } from '../schema.js';
import type { ManuscriptState } from '../match/state.js';
import { isWordless } from '../source/plain-text.js';
import { occursIn } from '../source/occurs.js';

const CAPTION =
  /^[*_]{0,3}(?:figure|fig\.|table|listing|source|file|image|example|abbildung|tabelle|quelle)\b/i;
/** Numbers that count the parts of the document are the agent's own: `Chapter 3`, `Table 2`, `4.1 Title`. */
const NUMBERING =
  /\b(?:chapter|section|part|figure|fig\.|table|listing|appendix|kapitel|abschnitt|teil|tabelle|abbildung)\s+[\dIVXivx.]+|^[#*_\s]*\d+(?:\.\d+)*[.)]?\s/gi;

/** A mark of markdown that is shown as it is, such as `\_` in the name of a file. */
const ESCAPE = /\\([!-/:-@[-`{-~]|$)/g;

/** Marks in the reference of an image that would mean something else there. */
const ENCODED = /(?:%[0-9A-F]{2})+/g;

export interface AddedContext {
  sources: LedgerSource[];
  /** Underlines of headings that their sources have as well. */
  underlines: Set<number>;
  /** Whether a manuscript unit belongs to a source of plain text, where blank lines and rulers are no words. */
  isPlainText: (unit: number) => boolean;
  /** Lower case, with single blanks: names of files are no invention where a heading, a caption or an image says what follows. */
  fileNames: string;
}

/** Manuscript lines that carry no source text, each with what it is; neighbouring lines of code are one entry. */
export function addedLines(manuscript: ManuscriptState, context: AddedContext): LedgerAdded[] {
  const found: LedgerAdded[] = [];
  const { units, lines, scanned } = manuscript.text;
  const inventions = new Inventions(context, manuscript.policy === 'narrative');
  for (let unit = 0; unit < units.ids.length; unit++) {
    const line = units.line[unit] as number;
    const own = scanned[line] as ScannedLine;
    const text = lines[line] as string;
    if (!manuscript.claimed[unit] && context.isPlainText(unit) && isWordless(text))
      push(found, line, { kind: 'markup' }, text);
    else if (!manuscript.claimed[unit])
      push(found, line, describe(own, (units.ids[unit] as number) >= 0, inventions), text);
    else if (manuscript.markup.has(line)) push(found, line, { kind: 'markup' }, text);
    else if (inventions.narrative && isText(own)) {
      const invented = inventions.find(own.text);
      if (invented) push(found, line, invented, text);
    }
  }
  scanned.forEach((own, line) => {
    if (own.kind === 'underline' && !context.underlines.has(line)) {
      found.push({
        manuscript_line: line + 1,
        last_line: line + 1,
        kind: 'markup',
        text: lines[line] as string,
      });
    }
  });
  return found.sort((a, b) => a.manuscript_line - b.manuscript_line);
}

/** Headings, captions, transitions and markup may be added; repetitions and inventions may not. */
export function isFault({ kind }: Pick<LedgerAdded, 'kind'>): boolean {
  return kind === 'invention' || kind === 'duplicate';
}

type Description = Pick<LedgerAdded, 'kind' | 'tokens'>;

function describe(own: ScannedLine, inSources: boolean, inventions: Inventions): Description {
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
      // The chapter's title may repeat a heading of its source.
      if (inSources && own.level > 1 && !inventions.narrative) return { kind: 'duplicate' };
      return inventions.find(own.text) ?? { kind: 'heading' };
    default:
      if (inSources && /[\p{L}\p{N}]/u.test(own.text) && !inventions.narrative) return { kind: 'duplicate' };
      return inventions.find(own.text) ?? { kind: CAPTION.test(own.text) ? 'caption' : 'transition' };
  }
}

/** Text of the agent's own may not state what no source does: numbers, identifiers, paths, URLs, quotes, and when it narrates, names. */
class Inventions {
  private readonly known = new Map<string, boolean>();
  private keys: Set<string> | null = null;

  constructor(
    private readonly context: AddedContext,
    readonly narrative: boolean,
  ) {}

  find(text: string): Description | null {
    const tokens = hardTokens(text.replace(ENCODED, decode).replace(NUMBERING, ' ')).filter(
      (token) => this.counts(token) && !this.isKnown(token),
    );
    return tokens.length > 0 ? { kind: 'invention', tokens: tokens.map((token) => token.text) } : null;
  }

  private counts({ kind, text }: HardToken): boolean {
    if (kind === 'negation' || kind === 'unit') return false;
    // "The next two files" is a transition, not a statement.
    return this.narrative || (kind !== 'name' && (kind !== 'number' || /\d/.test(text)));
  }

  private isKnown(token: HardToken): boolean {
    let known = this.known.get(token.text);
    if (known === undefined) {
      const fileName = token.text.replace(ESCAPE, '$1').replace(/\s+/g, ' ').trim().toLowerCase();
      known =
        occursIn(fileName, this.context.fileNames) ||
        this.context.sources.some((source) => occursIn(token.text, source.text)) ||
        (this.narrative && this.sourceKeys().has(token.key));
      this.known.set(token.text, known);
    }
    return known;
  }

  /** Tokens of all prose sources, so that `1,000` is known where a source says `1000`. */
  private sourceKeys(): Set<string> {
    this.keys ??= new Set(
      this.context.sources
        .filter((source) => sourceForm(source.name) !== 'code')
        .flatMap((source) => hardTokens(source.text).map((token) => token.key)),
    );
    return this.keys;
  }
}

function decode(marks: string): string {
  try {
    return decodeURIComponent(marks);
  } catch {
    return marks;
  }
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
