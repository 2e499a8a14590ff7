import { alignWords } from './align.js';
import { type MarkedText, type Revision, readMarkedText, type Stretch } from './marked-text.js';

/** A tracked change of a Word file that was sent, and what a person decided about it in Word. */
export interface DecidedChange {
  author: string;
  date: string | null;
  before: string;
  after: string;
  state: 'accepted' | 'rejected';
}

interface SentChange extends Omit<DecidedChange, 'state'> {
  /** Decisions about its characters; null for one that is still tracked. */
  states: Set<DecidedChange['state'] | null>;
}

/**
 * Finds which tracked changes of a file that was sent are accepted or rejected in the returned one (X9). One that is accepted
 * in part counts as rejected: the words that were accepted are changes of the returned file, and so are those still tracked.
 */
export function decidedChanges(sent: Uint8Array, returned: Uint8Array): DecidedChange[] {
  const before = readMarkedText(sent).stretches;
  if (!before.some(({ inserted, deleted }) => inserted ?? deleted)) return [];
  const after = readMarkedText(returned).stretches;
  const older = textOf(before);
  const places = new Int32Array(older.length).fill(-1);
  // Words of several people follow each other without a blank.
  alignWords(textOf(after), older, (text) => text.split('')).forEach((place, at) => {
    if (place >= 0) places[place] = at;
  });
  const found = after.flatMap((stretch) => Array.from({ length: stretch.text.length }, () => stretch));
  const changes: SentChange[] = [];
  let [open, at]: [SentChange | null, number] = [null, 0];
  for (const { text, inserted, deleted } of before) {
    const by = inserted && deleted ? null : (inserted ?? deleted);
    if (by === null) open = null;
    else {
      if (open === null || !isSame(open, by))
        changes.push((open = { ...blank, ...revision(by), states: new Set() }));
      if (inserted) open.after += text;
      else open.before += text;
      for (let i = at; i < at + text.length; i++)
        open.states.add(stateOf(inserted !== null, found[places[i]!]));
    }
    at += text.length;
  }
  return changes.flatMap(({ states, ...change }) => {
    const [state = null] = states;
    if (states.size > 1) return [{ ...change, state: 'rejected' as const }];
    return state === null ? [] : [{ ...change, state }];
  });
}

const blank = { before: '', after: '' };
const revision = ({ author, date }: Revision) => ({ author, date });
const isSame = (change: SentChange, { author, date }: Revision) =>
  change.author === author && change.date === date;
const textOf = (stretches: MarkedText['stretches']): string => stretches.map(({ text }) => text).join('');

/** @param now the character in the returned file; undefined if it is not there */
function stateOf(wasInserted: boolean, now: Stretch | undefined): DecidedChange['state'] | null {
  if (now === undefined) return wasInserted ? 'rejected' : 'accepted';
  if (wasInserted) return now.inserted ? null : 'accepted';
  return now.deleted ? null : 'rejected';
}
