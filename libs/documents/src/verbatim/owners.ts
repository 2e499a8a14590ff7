import type { ManuscriptText, Units } from './units.js';

/** No source has a claim on the unit. */
const NOBODY = -1;
/** Several sources have this line. */
const SHARED = -2;

interface Chapter {
  from: number;
  to: number;
}

/**
 * Says for every manuscript unit which source it belongs to (-1: none), before anything is aligned. Lines that only one source has are
 * anchors. A chapter with anchors of one source is that source's; in a chapter of several, the lines between two anchors go with the
 * neighbour that continues with the same lines; a chapter without anchors goes to the source that shares most lines with it.
 */
export function assignOwners(sources: Units[], manuscript: ManuscriptText, idCount: number): Int32Array {
  const { ownerOf, position } = soleOwners(sources, idCount);
  const { ids } = manuscript.units;
  const owners = Int32Array.from(ids, (id) => (id < 0 ? NOBODY : (ownerOf[id] as number)));
  const placed = new Uint8Array(sources.length);
  const free: Chapter[] = [];
  for (const chapter of chapters(manuscript)) {
    const anchors = new Set<number>();
    for (let j = chapter.from; j < chapter.to; j++)
      if ((owners[j] as number) >= 0) anchors.add(owners[j] as number);
    for (const source of anchors) placed[source] = 1;
    const [first] = anchors;
    if (first === undefined) free.push(chapter);
    else if (anchors.size === 1) owners.fill(first, chapter.from, chapter.to);
    else spread({ owners, ids, sources, position }, chapter);
  }
  assignFree(free, owners, ids, sources, placed, ownerOf);
  return owners;
}

/** For each id the only source that has it and its first position there. */
function soleOwners(sources: Units[], idCount: number): { ownerOf: Int32Array; position: Int32Array } {
  const ownerOf = new Int32Array(idCount).fill(NOBODY);
  const position = new Int32Array(idCount);
  sources.forEach((units, source) => {
    units.ids.forEach((id, at) => {
      const owner = ownerOf[id] as number;
      if (owner === NOBODY) {
        ownerOf[id] = source;
        position[id] = at;
      } else if (owner !== source) ownerOf[id] = SHARED;
    });
  });
  return { ownerOf, position };
}

/** Runs of units from one level-1 heading to the next. */
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
  position: Int32Array;
}

/** Fills the units between the anchors of a chapter with several sources. */
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

/** Between an anchor of one source and one of another: each side keeps the lines that continue its source, the first the rest. */
function split({ owners, ids, sources, position }: Field, left: number, right: number): void {
  const before = sources[owners[left] as number] as Units;
  const after = sources[owners[right] as number] as Units;
  let forward = left + 1;
  let at = position[ids[left] as number] as number;
  while (forward < right && before.ids[++at] === ids[forward]) forward++;
  let backward = right;
  at = position[ids[right] as number] as number;
  while (backward > forward && at > 0 && after.ids[--at] === ids[backward - 1]) backward--;
  owners.fill(owners[left] as number, left, backward);
  owners.fill(owners[right] as number, backward, right);
}

const MAX_SHARERS = 32;

function assignFree(
  free: Chapter[],
  owners: Int32Array,
  ids: Int32Array,
  sources: Units[],
  placed: Uint8Array,
  ownerOf: Int32Array,
): void {
  if (free.length === 0) return;
  const sharers = sharersOf(sources, ownerOf);
  for (const chapter of free) {
    const votes = new Map<number, number>();
    for (let j = chapter.from; j < chapter.to; j++) {
      for (const source of sharers.get(ids[j] as number) ?? [])
        votes.set(source, (votes.get(source) ?? 0) + 1);
    }
    const best = winner(votes, placed);
    owners.fill(best, chapter.from, chapter.to);
    if (best >= 0) placed[best] = 1;
  }
}

function sharersOf(sources: Units[], ownerOf: Int32Array): Map<number, number[]> {
  const sharers = new Map<number, number[]>();
  sources.forEach((units, source) => {
    for (const id of units.ids) {
      if (ownerOf[id] !== SHARED) continue;
      const list = sharers.get(id);
      if (!list) sharers.set(id, [source]);
      else if (list.length < MAX_SHARERS && list[list.length - 1] !== source) list.push(source);
    }
  });
  return sharers;
}

/** Most votes; among equals a source that has no place yet, then the order of the sources. */
function winner(votes: Map<number, number>, placed: Uint8Array): number {
  let best = NOBODY;
  let most = 0;
  for (const [source, count] of votes) {
    const better = count > most || (count === most && beats(source, best, placed));
    if (!better) continue;
    best = source;
    most = count;
  }
  return best;
}

function beats(source: number, best: number, placed: Uint8Array): boolean {
  if (placed[source] !== placed[best]) return placed[source] === 0;
  return source < best;
}
