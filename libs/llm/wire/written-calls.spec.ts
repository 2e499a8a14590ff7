import fc from 'fast-check';
import { WrittenCallFilter, writtenCalls } from './written-calls.js';

const NAMES = new Map(['read_file', 'place_source'].map((name) => [name, () => true]));
const read = '{"name": "read_file", "arguments": {"filename": "a"}}';
const A = { name: 'read_file', args: { filename: 'a' } };

describe('writtenCalls', () => {
  it.each<[string, string, object[]]>([
    [`<tool_call>\n${read}\n</tool_call>`, '', [A]],
    [
      `I look first.\n\n<tool_call>${read}</tool_call>\n<tool_call>{"name":"place_source"}</tool_call>`,
      'I look first.',
      [A, { name: 'place_source', args: {} }],
    ],
    [`<tool_call>${read}`, '', [A]],
    [`[TOOL_CALLS][${read}, ${read}]`, '', [A, A]],
    ['{"name": "read_file", "parameters": {"filename": "a"}}', '', [A]],
    ['```json\n{"name": "read_file", "arguments": "{\\"filename\\": \\"a\\"}"}\n```', '', [A]],
  ])('finds the calls of %j', (text, rest, calls) =>
    expect(writtenCalls(text, NAMES)).toEqual({ text: rest, calls }),
  );

  it.each([
    '',
    'Done.',
    '{"title": "Tides"}',
    '{"name": "Ada", "arguments": {}}',
    '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>',
    '<tool_call>not JSON</tool_call>',
    'Models write `<tool_call>` around their calls.',
    `The log has the line ${read}`,
    '[]',
    '```',
  ])('finds none in %j', (text) => expect(writtenCalls(text, NAMES)).toBeNull());

  it('throws for no text', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('<tool_call>', '[TOOL_CALLS]', '{', '```'), (text, mark) => {
        writtenCalls(`${mark}${text}`, NAMES);
        writtenCalls(`${text}${mark}`, NAMES);
      }),
    );
  });
});

describe('WrittenCallFilter', () => {
  it.each([
    [`I look first.\n\n<tool_call>${read}</tool_call>`, 'I look first.'],
    [`[TOOL_CALLS][${read}]`, ''],
    [read, ''],
    ['Done: a < b, [see](x) and <b>bold</b> <tool', 'Done: a < b, [see](x) and <b>bold</b> <tool'],
    ['  \nDone.', '  \nDone.'],
  ])('shows the same of %j, whatever its parts', (text, shown) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (lengths) => {
        const filter = new WrittenCallFilter();
        let [seen, at] = ['', 0];
        for (const length of [...lengths, text.length]) {
          seen += filter.add(text.slice(at, at + length));
          at += length;
        }
        expect(`${seen}${filter.end()}`.trimEnd()).toBe(shown);
      }),
    );
  });
});
