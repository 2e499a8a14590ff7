import type { LabelledPassage } from '#book/graph/state.js';

/** Returns a passage with the label `s1`, which is the whole text of the source `Log`. */
export const logPassage = (text: string): LabelledPassage => ({
  id: 'p1',
  label: 's1',
  source_id: 'src_1',
  source_title: 'Log',
  author: null,
  text,
  span: { start: 0, end: text.length },
  heading_path: [],
  weight: 3,
});
