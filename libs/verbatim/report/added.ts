import { percentDecoded } from '#contracts/lenient.js';
import { sourceForm } from '../source/form.js';
import { type HardToken, hardTokens } from '../source/tokens.js';
import { isText, type ScannedLine } from '#markdown/scan/scan.js';
import type { Ledger, LedgerAdded, LedgerSource } from '../schema.js';
import type { ManuscriptState } from '../match/state.js';
import { isWordless } from '../source/plain-text.js';
import { occursIn } from '../source/occurs.js';
import { statedWords } from './own-prose.js';

const CAPTION =
  /^[*_]{0,3}(?:figure|fig\.|table|listing|source|file|image|example|abbildung|tabelle|quelle)\b/i;
/** Numbering of the document's parts, which the agent adds: `Chapter 3`, `Table 2`, `4.1 Title`. */
const NUMBERING =
  /\b(?:chapter|section|part|figure|fig\.|table|listing|appendix|kapitel|abschnitt|teil|tabelle|abbildung)\s+[\dIVXivx.]+|^[#*_\s]*\d+(?:\.\d+)*[.)]?\s/gi;

/** A markdown escape, such as `\_` in the name of a file. */
const ESCAPE = /\\([!-/:-@[-`{-~]|$)/g;

/** Percent-encoded characters in the reference of an image. */
const ENCODED = /(?:%[0-9A-F]{2})+/g;

interface AddedContext {
  sources: LedgerSource[];
  /** Underlines of headings that the sources have too. */
  underlines: Set<number>;
  /**
   * Returns whether a manuscript unit belongs to a plain-text source, where blank lines and rulers are not
   * words.
   */
  isPlainText: (unit: number) => boolean;
  /** File names in lower case with single spaces: a heading, caption or image may name a file. */
  fileNames: string;
}

/**
 * Returns the manuscript lines that carry no source text, each with its kind; consecutive code lines form one
 * entry.
 */
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

/**
 * Returns whether an added line is a fault. Headings, captions, transitions and markup may be added; duplicates
 * and inventions may not, nor may statements of the manuscript's own under the verbatim policy.
 */
export function isFault({ kind }: Pick<LedgerAdded, 'kind'>, policy: Ledger['policy']): boolean {
  return kind === 'invention' || kind === 'duplicate' || (kind === 'added_text' && policy === 'verbatim');
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
      // The title of the chapter may repeat a heading of its source.
      if (inSources && own.level > 1 && !inventions.narrative) return { kind: 'duplicate' };
      return inventions.find(own.text) ?? { kind: 'heading' };
    default:
      if (inSources && /[\p{L}\p{N}]/u.test(own.text) && !inventions.narrative) return { kind: 'duplicate' };
      return inventions.find(own.text) ?? ownProse(own.text, inventions);
  }
}

/** Destinations of links and images, which are not words; they may contain pairs of parentheses. */
const DESTINATION = /\]\((?:[^()\n]|\([^()\n]{0,500}\)){0,500}\)/g;

function ownProse(text: string, inventions: Inventions): Description {
  const stated = statedWords(text.replace(ESCAPE, '$1').replace(DESTINATION, ']'), (word) =>
    inventions.isWordKnown(word),
  );
  if (stated.length > 0) return { kind: 'added_text', tokens: stated };
  return { kind: CAPTION.test(text) ? 'caption' : 'transition' };
}

/**
 * Finds statements in the agent's own text that no source contains: numbers, identifiers, paths, URLs, quotes
 * and, under the narrative policy, names.
 */
class Inventions {
  private readonly known = new Map<string, boolean>();
  private keys: Set<string> | null = null;
  private readonly knownWords = new Map<string, boolean>();
  private texts: string[] | null = null;

  constructor(
    private readonly context: AddedContext,
    readonly narrative: boolean,
  ) {}

  find(text: string): Description | null {
    const tokens = hardTokens(text.replace(ENCODED, percentDecoded).replace(NUMBERING, ' ')).filter(
      (token) => this.counts(token) && !this.isKnown(token),
    );
    return tokens.length > 0 ? { kind: 'invention', tokens: tokens.map((token) => token.text) } : null;
  }

  /** Returns whether a source or a file name contains the word, in any case and with another ending. */
  isWordKnown(word: string): boolean {
    const small = word.toLowerCase();
    const stem = small.slice(0, Math.max(4, small.length - 2));
    let known = this.knownWords.get(stem);
    if (known === undefined) {
      this.texts ??= this.context.sources.map((source) => source.text.toLowerCase());
      known = this.context.fileNames.includes(stem) || this.texts.some((text) => text.includes(stem));
      this.knownWords.set(stem, known);
    }
    return known;
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

  /** Returns the token keys of all prose sources, so that `1,000` is known if a source has `1000`. */
  private sourceKeys(): Set<string> {
    this.keys ??= new Set(
      this.context.sources
        .filter((source) => sourceForm(source.name) !== 'code')
        .flatMap((source) => hardTokens(source.text).map((token) => token.key)),
    );
    return this.keys;
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
