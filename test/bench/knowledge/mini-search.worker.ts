import MiniSearch from 'minisearch';

export type MiniSearchCall =
  { name: 'add'; rows: { id: string; text: string }[] } | { name: 'search'; query: string; k: number };

const index = new MiniSearch({ fields: ['text'] });

/** Runs in a thread: MiniSearch over the passages that it was given. */
export default function call(asked: MiniSearchCall): unknown {
  if (asked.name === 'search') return index.search(asked.query).slice(0, asked.k);
  index.addAll(asked.rows);
  return null;
}
