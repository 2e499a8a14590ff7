import type { Finding } from '#contracts/findings.js';
import fc from 'fast-check';
import { citeSources } from './citations.js';
import { keepsHardTokens } from '../article/graph/nodes/draft.js';
import { markUp } from './mark-up.js';
import { editsOf, numberedDraft } from './revision.js';
import { splitParagraphs } from './paragraphs.js';

const sources = [
  { label: 's1', title: 'A log\nof 1874', url: '/api/x' },
  { label: 's2', title: 'Not cited', url: '/api/y' },
  {
    label: 's3',
    title: 'The tower',
    url: 'https://a.example/tower',
    author: 'An author',
    date: '2019-04-02',
  },
];
const remark = (start: number, end: number, message: string, suggestion: string | null): Finding => ({
  id: `${start}`,
  rule: 'r',
  severity: 'info',
  message,
  span: { start, end },
  paragraph_id: null,
  evidence: [],
  suggestion,
});

describe('texts of articles', () => {
  it('A6 adds a note for each cited source without IDs of the service, and does not change a text without citations', () => {
    expect(citeSources('It is high.[^s1] It is grey.[^s3]\n', sources)).toBe(
      'It is high.[^s1] It is grey.[^s3]\n\n[^s1]: A log of 1874.\n[^s3]: An author: The tower (2019-04-02). <https://a.example/tower>\n',
    );
    expect(citeSources('Nothing.  \n\n', sources)).toBe('Nothing.  \n\n');
  });

  it('A7 detects when a rewording changes a figure, a quotation, an address, code or a citation', () => {
    const before = 'It is 31 metres, “grey stone”, see https://a.example and `x = 1`.[^s1]';
    expect(keepsHardTokens(before, before.replace('It is', 'We say it is'))).toBe(true);
    expect(keepsHardTokens(before, before.replace('31 metres,', '31 metres.[^s1] It is'))).toBe(true);
    for (const [old, other] of [
      ['31', '13'],
      ['grey stone', 'gray stone'],
      ['a.example', 'b.example'],
      ['x = 1', 'x = 2'],
      ['[^s1]', '[^s2]'],
      ['[^s1]', ''],
    ] as const)
      expect(keepsHardTokens(before, before.replace(old, other))).toBe(false);
  });

  it('A7 marks annotations in the text, also overlapping ones', () => {
    const text = 'the the lamp burns';
    const annotations = [
      remark(0, 7, 'Twice.', 'the'),
      remark(4, 12, 'Which?', null),
      remark(13, 18, 'Say glows.', null),
    ];
    expect(markUp(text, annotations)).toBe(
      '{~~the the~>the~~}{>>Twice.<<}{>>Which?<<} lamp {==burns==}{>>Say glows.<<}',
    );
  });

  it('A7 loses no character of the text that it marks', () => {
    const spans = fc.array(fc.tuple(fc.nat(60), fc.nat(20)), { maxLength: 8 });
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), spans, (text, places) => {
        fc.pre(!/[{}~=><]/.test(text));
        const annotations = places
          .map(
            ([start, length]) =>
              [Math.min(start, text.length), Math.min(start + length, text.length)] as const,
          )
          .map(([start, end]) => remark(start, end, 'm', null));
        expect(markUp(text, annotations).replace(/\{>>m<<\}|\{==|==\}/g, '')).toBe(text);
      }),
    );
  });

  it('X8 names paragraphs in the prompt of a revision, and accepts the names with or without brackets', () => {
    const [one] = splitParagraphs('One.\n\nTwo.');
    expect(numberedDraft('One.\n\nTwo.')).toContain(`<<${one!.id}>>\nOne.`);
    const edits = [{ op: 'replace' as const, paragraph_id: `<<${one!.id}>>`, text: 'A\u0000\ud800' }];
    expect(editsOf({ edits })).toEqual([{ op: 'replace', paragraph_id: one!.id, text: 'A\ufffd' }]);
  });
});
