import MiniSearch from 'minisearch';

export type MiniSearchCall =
  { name: 'add'; rows: { id: string; text: string }[] } | { name: 'search'; query: string; k: number };

const index = new MiniSearch({ fields: ['text'] });

/** Runs MiniSearch over the given passages in a thread. */
export default function call(asked: MiniSearchCall): unknown {
  if (asked.name === 'search') return index.search(asked.query).slice(0, asked.k);
  index.addAll(asked.rows);
  return null;
}
