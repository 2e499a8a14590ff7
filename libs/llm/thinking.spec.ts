import { withoutThinking } from './thinking.js';

describe('withoutThinking', () => {
  it.each([
    ['<think>Hm.\n\nYes.</think>\n\n## Tides\n\nThe sea.', '## Tides\n\nThe sea.'],
    ['\n<thinking>\nHm.\n</thinking>\n<think>\n</think>Done.', 'Done.'],
    ['I have to write.\n</think>\n\nDone.', 'Done.'],
    ['<think>It never ends', ''],
  ])('removes the reasoning of %j', (text, answer) => expect(withoutThinking(text)).toBe(answer));

  it.each([
    '## Tags\n\nA model writes `<think>` and `</think>` around its thoughts.\n',
    '```html\n<b>\n</think>\n```\n',
    'Write <think>\nthen close it by </think>\nand answer.',
    '  Two blanks first.',
  ])('leaves %j as it is', (text) => expect(withoutThinking(text)).toBe(text));
});
