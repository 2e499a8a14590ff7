import { PassThrough, Readable } from 'node:stream';
import { readSecret } from './secret.js';

function terminal() {
  const shown: string[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  output.on('data', (chunk: Buffer) => shown.push(chunk.toString()));
  return { input, output, shown };
}

describe('the value of a secret', () => {
  it('X10 is the input without its last line break', async () => {
    const output = new PassThrough();
    expect(await readSecret('Value', { input: Readable.from(['ab', 'c d \n']), output })).toBe('abc d ');
    expect(await readSecret('Value', { input: Readable.from(['x\r\n']), output })).toBe('x');
  });

  it('X10 is not shown when typed at a terminal', async () => {
    const { input, output, shown } = terminal();
    const read = readSecret('Value of crm', { input, output });
    input.write('hunter2secret\n');
    expect(await read).toBe('hunter2secret');
    expect(shown.join('')).toBe('Value of crm: \n');
  });

  it('X10 is required', async () => {
    const output = new PassThrough();
    await expect(readSecret('Value', { input: Readable.from(['\n']), output })).rejects.toThrow('no value');
    const { input, output: screen } = terminal();
    const read = readSecret('Value', { input, output: screen });
    input.end();
    await expect(read).rejects.toThrow('no value');
  });
});
