import { addedLines, isFault } from './report/added.js';
import { matchSource } from './match/match.js';
import { matchSentences } from './narrative/narrative.js';
import { omitBoilerplate, omitByPerson, omitByRule } from './match/omissions.js';
import { assignOwners } from './match/owners.js';
import {
  coverageOf,
  fileReport,
  limited,
  lineRuns,
  manuscriptReport,
  unaccountedLines,
} from './report/report.js';
import { OwnLines } from './own-lines/own-lines.js';
import { Sections } from './own-lines/section.js';
import type { Ledger, LedgerOptions, LedgerSource } from './schema.js';
import { ManuscriptState, SourceState, STATUS } from './match/state.js';
import { checkHeadings, checkParagraphs, freeTitles, headingParents } from './match/structure.js';
import {
  Interner,
  type ManuscriptText,
  readManuscript,
  readSource,
  type Reading,
  type SourceText,
} from './source/units.js';

/** Builds the ledger of a manuscript and its sources. */
export function build(manuscript: string, sources: LedgerSource[], options: LedgerOptions): Ledger {
  const { texts, text, idCount } = readTexts(manuscript, sources);
  const target = new ManuscriptState(text, options.policy);
  const states = chooseReadings(texts, text, idCount);
  const owners = matchAll(states, target, idCount);
  const underlines = new Set<number>();
  const parents = headingParents(text.scanned);
  const headings: Ledger['headings'] = [];
  if (options.policy === 'narrative') matchSentences(states, target);
  for (const state of states) {
    if (options.policy === 'verbatim') {
      freeTitles(state, target);
      checkParagraphs(state, target);
      headings.push(...checkHeadings(state, target, parents));
    }
    omitByRule(state, target, underlines);
  }
  omitBoilerplate(states);
  for (const state of states) omitByPerson(state, options.omissions ?? []);
  const names = [...sources.map((source) => source.name), ...(options.otherFiles ?? [])];
  const sections = new Sections(target, states);
  const added = addedLines(target, {
    sources,
    underlines,
    isPlainText: (unit) => states[owners[unit] as number]?.source.form === 'text',
    fileNames: names,
    ownLines: new OwnLines(sections, states, names),
  });
  return compile(states, target, added, headings, options, sources);
}

/** Reads all texts; what their lines were numbered by is freed, as it is as large as they are. */
function readTexts(manuscript: string, sources: LedgerSource[]) {
  const interner = new Interner();
  const texts = sources.map((source, index) => readSource(source, index, interner));
  return { texts, text: readManuscript(manuscript, interner), idCount: interner.size };
}

/** Chooses for each source the reading of which the manuscript shows the most lines. */
function chooseReadings(texts: SourceText[], manuscript: ManuscriptText, idCount: number): SourceState[] {
  const counts = new Int32Array(idCount);
  const wanted = new Int32Array(idCount);
  const count = (ids: Int32Array, times: Int32Array) =>
    ids.forEach((id) => {
      if (id >= 0) times[id] = (times[id] as number) + 1;
    });
  count(manuscript.units.ids, counts);
  for (const { readings } of texts) count(readings[0]!.units.ids, wanted);
  return texts.map((text) => new SourceState(text, chooseReading(text, counts, wanted)));
}

/**
 * Plain text may be mixed, so it counts as fenced only if all of it is inside code fences and at most this
 * share of its lines could be outside.
 */
const MIXED_SHARE = 0.02;

/**
 * @param counts occurrences of each ID in the manuscript
 * @param wanted occurrences of each ID in all sources together, in their first readings
 */
function chooseReading(
  { form, lines, readings }: SourceText,
  counts: Int32Array,
  wanted: Int32Array,
): Reading {
  const [first, second] = readings as [Reading, Reading?];
  if (!second) return first;
  // Ignore lines that prove nothing: code inside the source, which is the same in both readings, blank lines,
  // and fence markers read as such, which any chapter may contain.
  const matters = (line: number, reading: Reading) =>
    lines[line] !== '' &&
    first.classes[line] !== 'code' &&
    (reading !== first || first.classes[line] !== 'markup');
  const hits = (reading: Reading, isHit: (id: number) => boolean) => {
    let sum = 0;
    reading.units.ids.forEach((id, unit) => {
      if (isHit(id) && matters(reading.units.line[unit] as number, reading)) sum++;
    });
    return sum;
  };
  const isShown = (id: number) => (counts[id] ?? 0) > 0;
  const [asFirst, asSecond] = [hits(first, isShown), hits(second, isShown)];
  // A code fence may contain the markers of another one; that alone does not make the whole source fenced. If
  // both readings match equally, the source is fenced if its lines appear in fences but not often enough for
  // all sources that contain them.
  const isFenced =
    asFirst === asSecond
      ? first.units.ids.some((id) => wanted[id]! > counts[id]!) && standsInFences(second, lines, counts)
      : asFirst < asSecond && asSecond * 2 >= hits(second, () => true);
  if (form !== 'text') return isFenced ? second : first;
  return asFirst < asSecond * MIXED_SHARE && standsInFences(second, lines, counts) ? second : first;
}

/** Returns whether the manuscript contains each line inside code fences at least as often as the source. */
function standsInFences({ units }: Reading, lines: string[], counts: Int32Array): boolean {
  const used = new Map<number, number>();
  return units.ids.every((id, line) => {
    if (lines[line] === '') return true;
    used.set(id, (used.get(id) ?? 0) + 1);
    return (counts[id] as number) >= (used.get(id) as number);
  });
}

/**
 * Matches every source with its part of the manuscript. Returns for each unit the index of the source that
 * owns it, -1 for none.
 */
function matchAll(states: SourceState[], manuscript: ManuscriptState, idCount: number): Int32Array {
  const owners = assignOwners(states, manuscript.text, idCount);
  const owned: number[][] = states.map(() => []);
  owners.forEach((source, unit) => {
    if (source >= 0) (owned[source] as number[]).push(unit);
  });
  const empty: SourceState[] = [];
  states.forEach((state, index) => {
    const units = owned[index] as number[];
    if (units.length > 0) matchSource(state, Int32Array.from(units), manuscript);
    else empty.push(state);
  });
  for (const state of empty) matchSource(state, unclaimed(manuscript), manuscript);
  return owners;
}

/** Returns the unclaimed units, among which a source without a chapter may appear anywhere. */
function unclaimed(manuscript: ManuscriptState): Int32Array {
  const units: number[] = [];
  manuscript.claimed.forEach((claimed, unit) => {
    if (!claimed) units.push(unit);
  });
  return Int32Array.from(units);
}

function compile(
  states: SourceState[],
  manuscript: ManuscriptState,
  added: Ledger['added'],
  headings: Ledger['headings'],
  options: LedgerOptions,
  originals: LedgerSource[],
): Ledger {
  const files = states.map((state, index) => fileReport(state, originals[index] as LedgerSource));
  const lost = lostLines(manuscript);
  const unaccounted = limited(
    states.flatMap((state) => unaccountedLines(state, (line) => lost(state, line))),
  );
  const altered = limited(states.flatMap(alteredLines));
  const faults = limited(added.filter((entry) => isFault(entry, options.policy)));
  const harmless = limited(added.filter((entry) => !isFault(entry, options.policy)));
  const total = { lines: 0, carried: 0, omitted: 0, altered: 0, unaccounted: 0 };
  for (const file of files)
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += file[key];
  return {
    version: 1,
    policy: options.policy,
    coverage: coverageOf(
      total,
      files.map(({ inventory }) => inventory),
    ),
    manuscript: manuscriptReport(manuscript, added),
    files,
    unaccounted: unaccounted.kept,
    altered: altered.kept,
    added: [...faults.kept, ...harmless.kept].sort((a, b) => a.manuscript_line - b.manuscript_line),
    headings,
    runs: states.flatMap(lineRuns),
    left_out: {
      unaccounted: unaccounted.left,
      altered: altered.left,
      added: faults.left,
      harmless: harmless.left,
    },
  };
}

function alteredLines(state: SourceState): Ledger['altered'] {
  return state.alterations
    .filter(({ line }) => state.status[line] === STATUS.altered)
    .sort((a, b) => a.line - b.line)
    .map(({ line, manuscriptLine, reason, diff }) => ({
      source: state.source.name,
      line: line + 1,
      manuscript_line: manuscriptLine + 1,
      kind: state.reading.classes[line] ?? 'prose',
      reason,
      diff,
    }));
}

/**
 * Returns a function that finds the text of a missing line elsewhere in the manuscript: the same line,
 * unclaimed, out of order; the one that follows the line found before, if it is the same. Each place is returned once.
 */
function lostLines(manuscript: ManuscriptState): (state: SourceState, line: number) => number | null {
  const places = new Map<number, number[]>();
  manuscript.text.units.ids.forEach((id, unit) => {
    if (id < 0 || manuscript.claimed[unit]) return;
    places.set(id, [...(places.get(id) ?? []), manuscript.lineOf(unit) + 1]);
  });
  let unitOf: { state: SourceState; units: Map<number, number> } | null = null;
  let last = -1;
  return (state, line) => {
    if (places.size === 0) return null;
    if (unitOf?.state !== state) {
      const { units } = state.reading;
      unitOf = {
        state,
        units: new Map(Array.from(units.line, (own, unit) => [own, units.ids[unit] as number])),
      };
    }
    const own = places.get(unitOf.units.get(line) ?? -1) ?? [];
    if (own.length === 0) return null;
    last = own.splice(Math.max(0, own.indexOf(last + 1)), 1)[0] as number;
    return last;
  };
}
