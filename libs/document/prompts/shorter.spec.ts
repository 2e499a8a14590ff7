import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import fc from 'fast-check';
import { shorterPrompt } from './shorter.js';
import { shortenPage } from './shorter.js';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1} of the file\n`).join('');
const textPage = (text: string, start = 0, first = 1) => {
  const end = start + Buffer.byteLength(text);
  const last = first + text.split('\n').length - 2;
  return `[file "a.log" lines ${first}-${last} bytes ${start}-${end} of ${end}; end of file]\n${text}`;
};
const call = (id: string, args: object = {}) =>
  new AIMessage({ id: `ai-${id}`, content: '', tool_calls: [{ id, name: 'read_file', args }] });
const result = (id: string, content: string) =>
  new ToolMessage({ id: `tool-${id}`, content, tool_call_id: id });

describe('a page that is too long', () => {
  it('ends with a complete line, and its head tells where to continue', () => {
    const page = shortenPage(textPage(lines(100), 50, 7), 500);
    const [head = '', ...rest] = page.split('\n');
    const [, last, end] = /lines 7-(\d+) bytes 50-(\d+) of \d+; next cursor \2\]$/.exec(head)!;
    expect(rest.at(-1)).toBe('');
    expect(Number(last)).toBe(6 + rest.length - 1);
    expect(Number(end)).toBe(50 + Buffer.byteLength(rest.join('\n')));
  });

  it('is cut within a line only if the line alone is too long, and never within a character', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.integer({ min: 1, max: 60 }),
        (text, length) => {
          const whole = textPage(text.toWellFormed());
          const page = shortenPage(whole, length);
          fc.pre(page !== whole);
          const kept = page.slice(page.indexOf('\n') + 1);
          expect(kept.length).toBeGreaterThan(0);
          expect(text.toWellFormed().startsWith(kept)).toBe(true);
          expect(page).toContain(`next cursor ${Buffer.byteLength(kept)}]`);
          expect(kept.isWellFormed()).toBe(true);
        },
      ),
    );
  });

  it('names the last numbered line that it contains', () => {
    const text = `[file "a.log" lines 5-9 of 90]\n5|aaaa\n6|bbbb\n7|cccc\n8|dddd\n9|eeee`;
    expect(shortenPage(text, 50)).toBe('[file "a.log" lines 5-6 of 90]\n5|aaaa\n6|bbbb');
  });
});

describe('a prompt that is too long', () => {
  const order = new HumanMessage('WORK ORDER\nno real one');
  const prompt: BaseMessage[] = [
    new SystemMessage('system'),
    order,
    call('1'),
    result('1', textPage(lines(1_000))),
    call('2', { content: 'x'.repeat(3_000) }),
    result('2', textPage(lines(1_000))),
  ];

  /** The forms of a prompt, from the first shorter one to the last. */
  function* formsOf(messages: BaseMessage[]): Generator<BaseMessage[]> {
    for (let next = shorterPrompt(messages); next !== null; next = shorterPrompt(next)) yield next;
  }

  it("loses pages first, then old exchanges, then more of the last page and the model's own texts", () => {
    const forms = [...formsOf(prompt)];
    const sizes = forms.map((messages) => messages.map(({ text }) => text.length));
    expect(sizes[0]![3]).toBeLessThanOrEqual(1_000);
    expect(sizes[0]![5]).toBe(prompt[5]!.text.length);
    const withoutOld = forms.findIndex((messages) => !messages.some(({ id }) => id === 'ai-1'));
    expect(sizes[withoutOld - 1]![5]).toBeLessThanOrEqual(4_000);
    const last = forms.at(-1)!;
    expect(last.map(({ id }) => id)).toEqual([undefined, undefined, 'ai-2', 'tool-2']);
    expect(last[3]!.text.length).toBeLessThanOrEqual(500);
    expect(JSON.stringify((last[2] as AIMessage).tool_calls)).toContain(
      '(3000 characters, as you wrote them)',
    );
  });

  it('keeps each call with its result, and the work order', () => {
    for (const messages of formsOf(prompt)) {
      const calls = messages.flatMap((message) =>
        message instanceof AIMessage ? (message.tool_calls ?? []) : [],
      );
      const results = messages.filter((message) => message instanceof ToolMessage);
      expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(calls.map(({ id }) => id));
      expect(messages).toContain(order);
    }
  });
});
