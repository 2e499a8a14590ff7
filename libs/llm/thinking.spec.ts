import fc from 'fast-check';
import { ThinkingFilter, withoutThinking } from './thinking.js';

describe('withoutThinking', () => {
  it.each([
    ['<think>Hm.\n\nYes.</think>\n\n## Tides\n\nThe sea.', '## Tides\n\nThe sea.'],
    ['\n<thinking>\nHm.\n</thinking>\n<think>\n</think>Done.', 'Done.'],
    ['I have to write.\n</think>\n\nDone.', 'Done.'],
    ['<think>It never ends', ''],
    ['<thought>Hm.</thought>Done.', 'Done.'],
    ['[THINK]Hm.[/THINK]Done.', 'Done.'],
    ['<seed:think>Hm.</seed:think>Done.', 'Done.'],
    ['<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Done.', 'Done.'],
  ])('removes the reasoning of %j', (text, answer) => expect(withoutThinking(text)).toBe(answer));

  it.each([
    '## Tags\n\nA model writes `<think>` and `</think>` around its thoughts.\n',
    '```html\n<b>\n</think>\n```\n',
    'Write <think>\nthen close it by </think>\nand answer.',
    '  Two blanks first.',
  ])('does not change %j', (text) => expect(withoutThinking(text)).toBe(text));
});

describe('ThinkingFilter', () => {
  const TEXTS = [
    '<think>Hm.\n\nYes.</think>\n\n## Tides\n\nThe sea.',
    '\n<thinking>\nHm < 3.\n</thinking>\n<think>\n</think>Done.',
    '<reasoning>It never ends',
    '[THINK]Hm [/THIN or so.[/THINK]\nDone.',
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Done.',
    '[Done](x)',
    '<b>Bold</b> and <think>quoted</think>.',
    'Nothing of it.',
  ];
  it('returns for a text in parts the same as for the whole text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEXTS), fc.array(fc.integer({ min: 1, max: 9 })), (text, lengths) => {
        const filter = new ThinkingFilter();
        let [shown, at] = ['', 0];
        for (const length of [...lengths, text.length]) {
          shown += filter.add(text.slice(at, at + length));
          at += length;
        }
        expect(shown).toBe(withoutThinking(text));
      }),
    );
  });
});
