import { hasWords, oneLine, singleSpaced } from '#contracts/text.js';
import { percentDecoded } from '#contracts/lenient.js';
import { sourceForm } from '../source/form.js';
import { type HardToken, hardTokens } from '../source/tokens.js';
import { isText, splitLines, type ScannedLine } from '#markdown/scan/scan.js';
import type { Ledger, LedgerAdded, LedgerSource } from '../schema.js';
import type { ManuscriptState } from '../match/state.js';
import { isWordless } from '../source/plain-text.js';
import { occursIn } from '../source/occurs.js';
import { ESCAPE, type OwnLines } from '../own-lines/own-lines.js';

/** Numbering of the document's parts, which the agent adds: `Chapter 3`, `Table 2`, `4.1 Title`. */
const NUMBERING =
  /\b(?:chapter|section|part|figure|fig\.|table|listing|appendix|kapitel|abschnitt|teil|tabelle|abbildung)\s+[\dIVXivx.]+|^[#*_\s]*\d+(?:\.\d+)*[.)]?\s/gi;

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
  /** Names of all files, which a line of the manuscript's own may mention. */
  fileNames: string[];
  ownLines: OwnLines;
}

/**
 * Returns the manuscript lines that carry no source text, each with its kind; consecutive code lines form one
 * entry.
 */
export function addedLines(manuscript: ManuscriptState, context: AddedContext): LedgerAdded[] {
  const found: LedgerAdded[] = [];
  const { units, lines, scanned } = manuscript.text;
  const inventions = manuscript.policy === 'narrative' ? new Inventions(context) : null;
  const describe = describer(manuscript, context, inventions);
  for (let unit = 0; unit < units.ids.length; unit++) {
    const line = units.line[unit] as number;
    const own = scanned[line] as ScannedLine;
    const text = lines[line] as string;
    if (!manuscript.claimed[unit] && context.isPlainText(unit) && isWordless(text))
      push(found, line, { kind: 'markup' }, text);
    else if (!manuscript.claimed[unit]) push(found, line, describe(line, units.ids[unit] as number), text);
    else if (manuscript.markup.has(line)) push(found, line, { kind: 'markup' }, text);
    else if (isText(own)) {
      const invented = inventions?.find(own.text);
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

/** Returns whether an added line is text or a heading that no source supports. */
export const isAddedText = ({ kind }: Pick<LedgerAdded, 'kind'>): boolean =>
  kind === 'added_text' || kind === 'added_heading';

/** Returns whether an added line is the manuscript's own and permitted, with words for a reader. */
export const isOwnLine = ({ kind }: Pick<LedgerAdded, 'kind'>): boolean =>
  kind === 'heading' || kind === 'transition' || kind === 'caption' || kind === 'supported';

/**
 * Returns whether an added line is a fault. Headings, captions, introductions and markup may be added; duplicates,
 * inventions and empty chapters may not, nor may added text under the verbatim policy.
 */
export function isFault(entry: Pick<LedgerAdded, 'kind'>, policy: Ledger['policy']): boolean {
  const { kind } = entry;
  return (
    kind === 'invention' ||
    kind === 'duplicate' ||
    kind === 'empty' ||
    (isAddedText(entry) && policy === 'verbatim')
  );
}

type Description = Pick<LedgerAdded, 'kind' | 'tokens'>;
type Kind = Description['kind'];

/** Lines of an introduction, at most. */
const MAX_PARAGRAPH = 3;

/** Returns a function that describes an unclaimed line; `id` is -1 unless a source has the line. */
function describer(
  manuscript: ManuscriptState,
  { ownLines, sources }: AddedContext,
  inventions: Inventions | null,
): (line: number, id: number) => Description {
  const { scanned } = manuscript.text;
  const { policy } = manuscript;
  let sourceLines: Set<string> | null = null;
  const isSourceLine = (text: string) => {
    sourceLines ??= new Set(sources.flatMap((source) => splitLines(source.text).map((one) => one.trim())));
    return sourceLines.has(text.trim());
  };

  function own(line: number, refused: string[] | null, permitted: Kind, added: Kind): Description {
    if (refused === null) return { kind: permitted };
    return inventions?.find(scanned[line]!.text) ?? { kind: added, tokens: refused };
  }

  /** Returns the text of the own lines that form a paragraph with a line. */
  function paragraphAt(line: number): string {
    const goesOn = (at: number) =>
      scanned[at]?.kind === 'prose' && scanned[at].marker === '' && !manuscript.isClaimed(at);
    let [first, last] = [line, line];
    while (goesOn(first) && goesOn(first - 1) && line - first < MAX_PARAGRAPH) first--;
    while (goesOn(last + 1) && last - line < MAX_PARAGRAPH) last++;
    return scanned
      .slice(first, last + 1)
      .map(({ text }) => text)
      .join(' ');
  }

  return (line, id) => {
    const { kind, text, level } = scanned[line] as ScannedLine;
    const repeats = id >= 0 && policy === 'verbatim';
    switch (kind) {
      case 'fence_open':
      case 'fence_close':
      case 'delimiter':
      case 'blank':
        return { kind: 'markup' };
      case 'code':
      case 'front_matter':
      case 'table':
        return { kind: id >= 0 || isSourceLine(text) ? 'duplicate' : 'invention' };
      case 'heading':
      case 'setext':
        // The title of the chapter may repeat a heading of its source.
        if (repeats && level > 1) return { kind: 'duplicate' };
        if (!ownLines.sections.hasContent(line)) return { kind: 'empty' };
        return own(line, ownLines.heading(text, line), 'heading', 'added_heading');
      default: {
        if (!hasWords(text)) return { kind: 'markup' };
        const refused = ownLines.prose(paragraphAt(line), line);
        if (repeats || (refused !== null && policy === 'verbatim' && isSourceLine(text)))
          return { kind: 'duplicate' };
        if (refused === null && text.trimEnd().endsWith(':') && !ownLines.sections.hasContent(line))
          return { kind: 'empty' };
        return own(line, refused, text.startsWith('![') ? 'caption' : 'transition', 'added_text');
      }
    }
  };
}

/** Finds hard tokens that no source contains, such as numbers, identifiers and names, under the narrative policy. */
class Inventions {
  private readonly known = new Map<string, boolean>();
  private readonly fileNames: string;
  private keys: Set<string> | null = null;

  constructor(private readonly context: AddedContext) {
    // A heading collapses white space in a name.
    this.fileNames = context.fileNames
      .map((name) => singleSpaced(name))
      .join('\n')
      .toLowerCase();
  }

  find(text: string): Description | null {
    const tokens = hardTokens(text.replace(ENCODED, percentDecoded).replace(NUMBERING, ' ')).filter(
      (token) => token.kind !== 'negation' && token.kind !== 'unit' && !this.isKnown(token),
    );
    return tokens.length > 0 ? { kind: 'invention', tokens: tokens.map((token) => token.text) } : null;
  }

  private isKnown(token: HardToken): boolean {
    let known = this.known.get(token.text);
    if (known === undefined) {
      const fileName = oneLine(token.text.replace(ESCAPE, '$1')).toLowerCase();
      known =
        occursIn(fileName, this.fileNames) ||
        this.context.sources.some((source) => occursIn(token.text, source.text)) ||
        this.sourceKeys().has(token.key);
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
