import type { SourceState } from './state.js';
import type { ManuscriptText, Units } from '../source/units.js';

/** No source owns the unit. */
const NO_OWNER = -1;
/** Several sources contain this line. */
const SHARED = -2;

interface Chapter {
  from: number;
  to: number;
}

/**
 * Assigns each manuscript unit to a source (-1: none) before anything is aligned. Lines that only one source
 * contains are anchors. A chapter with anchors of one source belongs to that source. In a chapter with
 * several, lines between two anchors belong to the neighbour that continues with the same lines. A chapter
 * without anchors goes to the source with the most lines in common.
 */
export function assignOwners(states: SourceState[], manuscript: ManuscriptText, idCount: number): Int32Array {
  const ownerOf = soleOwners(states, idCount);
  const sources = states.map((state) => state.reading.units);
  const position = positions(sources, idCount);
  const { ids } = manuscript.units;
  const owners = Int32Array.from(ids, (id, j) =>
    id < 0 || isMarkup(manuscript, j) ? NO_OWNER : (ownerOf[id] as number),
  );
  const placed = new Uint8Array(sources.length);
  const free: Chapter[] = [];
  for (const chapter of chapters(manuscript)) {
    const anchors = anchorsOf(owners, chapter);
    for (const source of anchors.keys()) placed[source] = 1;
    const [first] = anchors.keys();
    if (first === undefined) free.push(chapter);
    else if (anchors.size === 1) owners.fill(first, chapter.from, chapter.to);
    else spread({ owners, ids, sources, position, anchors, manuscript }, chapter);
  }
  assignFree(free, owners, ids, states, placed, ownerOf);
  return owners;
}

/**
 * Returns whether a unit is a fence or a delimiter row; these look alike everywhere and are often added by
 * the agent.
 */
function isMarkup({ units, scanned }: ManuscriptText, unit: number): boolean {
  const { kind } = scanned[units.line[unit] as number] as { kind: string };
  return kind === 'fence_open' || kind === 'fence_close' || kind === 'delimiter';
}

/**
 * Counts the lines of a chapter that only one source contains, by source. The title of the chapter counts
 * only if there are no such lines: the agent may have named the chapter like a heading of another source.
 */
function anchorsOf(owners: Int32Array, { from, to }: Chapter): Map<number, number> {
  const anchors = new Map<number, number>();
  for (let j = from + 1; j < to; j++) {
    const source = owners[j] as number;
    if (source >= 0) anchors.set(source, (anchors.get(source) ?? 0) + 1);
  }
  const title = owners[from] as number;
  if (title < 0 || anchors.has(title)) return anchors;
  if (anchors.size === 0) anchors.set(title, 1);
  else owners[from] = NO_OWNER;
  return anchors;
}

/**
 * Returns for each ID the only source that contains it, in any reading: plain text may be partly prose and
 * partly inside a code fence.
 */
function soleOwners(states: SourceState[], idCount: number): Int32Array {
  const ownerOf = new Int32Array(idCount).fill(NO_OWNER);
  states.forEach(({ source }, index) => {
    for (const { units } of source.readings) {
      for (const id of units.ids) {
        const owner = ownerOf[id] as number;
        if (owner === NO_OWNER) ownerOf[id] = index;
        else if (owner !== index) ownerOf[id] = SHARED;
      }
    }
  });
  return ownerOf;
}

interface Positions {
  first: Int32Array;
  last: Int32Array;
}

/** Returns for each ID its first and last position; meaningful for IDs that only one source contains. */
function positions(sources: Units[], idCount: number): Positions {
  const first = new Int32Array(idCount);
  const last = new Int32Array(idCount);
  for (const { ids } of sources) {
    for (let at = ids.length - 1; at >= 0; at--) first[ids[at] as number] = at;
    ids.forEach((id, at) => (last[id] = at));
  }
  return { first, last };
}

/** Splits the units into chapters at level-1 headings. */
function chapters({ units, scanned }: ManuscriptText): Chapter[] {
  const found: Chapter[] = [];
  let from = 0;
  units.line.forEach((line, j) => {
    const { kind, level } = scanned[line] as { kind: string; level: number };
    if (level !== 1 || (kind !== 'heading' && kind !== 'setext') || j === from) return;
    found.push({ from, to: j });
    from = j;
  });
  if (from < units.ids.length) found.push({ from, to: units.ids.length });
  return found;
}

interface Field {
  owners: Int32Array;
  ids: Int32Array;
  sources: Units[];
  position: Positions;
  anchors: Map<number, number>;
  manuscript: ManuscriptText;
}

/** Assigns the units between the anchors of a chapter with several sources. */
function spread(field: Field, chapter: Chapter): void {
  const { owners } = field;
  let left = -1;
  for (let j = chapter.from; j < chapter.to; j++) {
    const right = owners[j] as number;
    if (right < 0) continue;
    if (left < 0) owners.fill(right, chapter.from, j);
    else if (owners[left] === right) owners.fill(right, left, j);
    else split(field, left, j);
    left = j;
  }
  if (left >= 0) owners.fill(owners[left] as number, left, chapter.to);
}

/**
 * Splits the units between anchors of two sources: each side gets the lines that continue its source, and the
 * side with more anchors gets the rest. Fences and lines that no source has may interrupt a source.
 */
function split({ owners, ids, sources, position, anchors, manuscript }: Field, left: number, right: number) {
  const before = sources[owners[left] as number] as Units;
  const after = sources[owners[right] as number] as Units;
  const interrupts = (j: number) => ids[j] === -1 || isMarkup(manuscript, j);
  let forward = left + 1;
  let at = position.last[ids[left] as number] as number;
  for (let j = forward; j < right; j++) {
    if (before.ids[at + 1] === ids[j]) [at, forward] = [at + 1, j + 1];
    else if (!interrupts(j)) break;
  }
  let backward = right;
  at = position.first[ids[right] as number] as number;
  for (let j = right - 1; j >= forward; j--) {
    if (at > 0 && after.ids[at - 1] === ids[j]) [at, backward] = [at - 1, j];
    else if (!interrupts(j)) break;
  }
  const [first, second] = [owners[left] as number, owners[right] as number];
  const border = (anchors.get(first) ?? 0) >= (anchors.get(second) ?? 0) ? backward : forward;
  owners.fill(first, left, border);
  owners.fill(second, border, right);
}

/** Maximum number of sources that are recorded for a shared line. */
const MAX_SHARERS = 64;

function assignFree(
  free: Chapter[],
  owners: Int32Array,
  ids: Int32Array,
  states: SourceState[],
  placed: Uint8Array,
  ownerOf: Int32Array,
): void {
  if (free.length === 0) return;
  const sharers = sharersOf(states, ownerOf);
  const claims: Claim[] = [];
  free.forEach((chapter, index) => {
    const votes = new Map<number, number>();
    for (let j = chapter.from; j < chapter.to; j++) {
      const voters = sharers.get(ids[j] as number) ?? [];
      // A line that few sources contain is stronger evidence.
      for (const source of voters) votes.set(source, (votes.get(source) ?? 0) + 1 / voters.length);
    }
    const size = chapter.to - chapter.from;
    for (const [source, count] of votes) {
      const own = (states[source] as SourceState).reading.units.ids.length;
      const misfit = Math.abs(own - size) / Math.max(own, size);
      claims.push({ chapter: index, source, score: Math.round((1e6 * count) / (1 + misfit)) });
    }
  });
  // Ties are broken by the order of chapters and sources.
  claims.sort((a, b) => b.score - a.score || a.chapter - b.chapter || a.source - b.source);
  settle(claims, placed, (chapter, source) => {
    const { from, to } = free[chapter] as Chapter;
    owners.fill(source, from, to);
  });
}

interface Claim {
  chapter: number;
  source: number;
  score: number;
}

/**
 * Assigns chapters by score: first one to each source without a chapter, then the rest to the source with the
 * highest score.
 */
function settle(
  claims: Claim[],
  placed: Uint8Array,
  assign: (chapter: number, source: number) => void,
): void {
  const assigned = new Set<number>();
  for (const onlyUnplaced of [true, false]) {
    for (const { chapter, source } of claims) {
      if (assigned.has(chapter) || (onlyUnplaced && placed[source])) continue;
      assigned.add(chapter);
      placed[source] = 1;
      assign(chapter, source);
    }
  }
}

function sharersOf(states: SourceState[], ownerOf: Int32Array): Map<number, number[]> {
  const sharers = new Map<number, number[]>();
  states.forEach(({ source }, index) => {
    for (const { units } of source.readings) {
      for (const id of units.ids) {
        if (ownerOf[id] !== SHARED) continue;
        const list = sharers.get(id);
        if (!list) sharers.set(id, [index]);
        else if (list.length < MAX_SHARERS && list[list.length - 1] !== index) list.push(index);
      }
    }
  });
  return sharers;
}
