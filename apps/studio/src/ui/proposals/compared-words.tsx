import { ChangedMarkdown } from './changed-words';
import { piecesOf } from './pieces';

/** Shows the words that differ between two versions of a text, as Markdown. */
export const ComparedWords = ({ before, after }: { before: string; after: string }) => (
  <ChangedMarkdown pieces={piecesOf(before, [{ id: '', span: { start: 0, end: before.length }, after }])} />
);
