import { phrase } from '#contracts/phrases/phrase.js';
import { sayOnTerminal } from './line-progress.js';

describe('sayOnTerminal', () => {
  it('writes a line to a terminal, and nothing to a pipe or a file', () => {
    const written: string[] = [];
    const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
    const message = phrase('cli.making_file', { file: 'report.pdf' });
    sayOnTerminal(message, { isTTY: false, write });
    expect(written).toEqual([]);
    sayOnTerminal(message, { isTTY: true, write });
    expect(written).toEqual(['creating report.pdf\n']);
  });
});
