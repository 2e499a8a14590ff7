/** Pieces of text that slow down style rules when repeated. */
export const HOSTILE_PIECES = [
  'The the depot - it said "nothing" on 2026-01-02, at 1 200 o’clock... ',
  'Larkfeld Larkfiled PostgreSql ',
  '“',
  '"a ',
  " 'a",
  '1 000 ',
  'a-',
  '[^a',
  '$a ',
  '\n# A B\n\n',
  ' - ',
  'łem łam ',
  'is very ',
  ',,a',
];
