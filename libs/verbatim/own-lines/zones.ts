import { scanMarkdown, splitLines } from '#markdown/scan/scan.js';
import { counterpart, indexOf, missingTokens } from '../narrative/narrative.js';
import { sourceForm } from '../source/form.js';
import { isNegation } from '../source/tokens.js';
import { sourceStatements, statements, type Statement } from '../source/sentences.js';
import type { Ledger, LedgerAdded, LedgerOptions, LedgerSource } from '../schema.js';
import { entryReader, isPageText } from './first-page.js';
import { isZoneHeading } from './vocabulary.js';

/** A manuscript without the zones in which it speaks for itself, and the lines of these. */
export interface Zones {
  /** The manuscript with blank lines in place of its zones, so that they carry nothing. */
  rest: string;
  /** Lines of the zones, each with the source lines that support it. */
  added: LedgerAdded[];
}

/** Finds the zones "First page" and "In short" at the start of a manuscript; null if there are none, or the policy has none. */
export function findZones(manuscript: string, sources: LedgerSource[], options: LedgerOptions): Zones | null {
  if (!(options.zones ?? options.policy === 'narrative')) return null;
  const lines = splitLines(manuscript);
  const { lines: scanned } = scanMarkdown(lines, { frontMatter: true });
  const inZone = new Uint8Array(lines.length);
  // Level of the heading of the open zone; null before the first one, 0 after the zones.
  let level: number | null = null;
  scanned.forEach((own, line) => {
    const { kind } = own;
    if ((kind === 'heading' || kind === 'setext') && own.level <= (level ?? own.level))
      level = kind === 'heading' && isZoneHeading(own.text) ? own.level : 0;
    if (level) inZone[line] = 1;
  });
  if (!inZone.includes(1)) return null;
  const isQuoted = entryReader(sources);
  let support: ReturnType<typeof supporter> | undefined;
  const added: LedgerAdded[] = [];
  for (const [line, own] of scanned.entries()) {
    if (!inZone[line] || own.kind === 'blank') continue;
    const place = { manuscript_line: line + 1, last_line: line + 1, text: lines[line]!.slice(0, 500) };
    const isHeading = own.kind === 'heading' && isZoneHeading(own.text);
    if (isHeading || isPageText(lines[line]!)) added.push({ ...place, kind: 'heading' });
    else {
      const supported_by = isQuoted(lines[line]!) ?? (support ??= supporter(sources))(own.text);
      added.push({
        ...place,
        ...(supported_by ? { kind: 'supported', supported_by } : { kind: 'added_text' }),
      });
    }
  }
  return { rest: lines.map((text, line) => (inZone[line] ? '' : text)).join('\n'), added };
}

/** Adds the lines of the zones to the ledger of the rest. */
export function withZones(ledger: Ledger, added: LedgerAdded[]): Ledger {
  const { manuscript } = ledger;
  const unsupported = added.filter(({ kind }) => kind === 'added_text').length;
  return {
    ...ledger,
    manuscript: {
      ...manuscript,
      added: manuscript.added + added.length,
      blank: manuscript.blank - added.length,
      added_text: (manuscript.added_text ?? 0) + unsupported,
    },
    added: [...ledger.added, ...added].sort((a, b) => a.manuscript_line - b.manuscript_line),
  };
}

/** Returns whether a source states all that a text states. */
export const isSupported = (text: string, source: LedgerSource): boolean =>
  supporter([source])(text) !== null;

/** Returns a function that finds the source lines which state all that a text states; null if one sentence has none. */
function supporter(
  sources: LedgerSource[],
): (text: string) => NonNullable<LedgerAdded['supported_by']> | null {
  const found = sources.flatMap(({ name, text }) =>
    statementsOf(name, text).map((statement) => ({ ...statement, source: name })),
  );
  const index = indexOf(found);
  return (text) => {
    const own = statements(scanMarkdown([text]).lines);
    const supported = own.map((sentence) => {
      const match = counterpart(sentence, index);
      if (!match || missingTokens(sentence, match, index).length > 0) return null;
      const parts = found.slice(match.first, match.last + 1);
      if (denials([sentence]) !== denials(parts)) return null;
      const [first, last] = [parts[0]!, parts.at(-1)!];
      return { source: first.source, line: first.first + 1, last_line: last.last + 1 };
    });
    return supported.length > 0 && supported.every((place) => place !== null) ? supported : null;
  };
}

const denials = (parts: readonly Statement[]): number =>
  parts.flatMap(({ tokens }) => tokens).filter(({ text }) => isNegation(text)).length;

/** Returns the sentences of a prose source; each line of another one is a sentence. */
function statementsOf(name: string, text: string): Statement[] {
  const lines = splitLines(text);
  if (sourceForm(name) === 'markdown' || sourceForm(name) === 'text')
    return sourceStatements(scanMarkdown(lines, { frontMatter: true }).lines);
  return lines.flatMap((line, at) =>
    statements(scanMarkdown([line.trimStart()]).lines).map((own) => ({ ...own, first: at, last: at })),
  );
}
