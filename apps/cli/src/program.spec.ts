import { readFileSync } from 'node:fs';
import { COMMAND_NAMES, createProgram } from './program.js';

describe('the program', () => {
  it('lists the commands with their descriptions, without loading them', async () => {
    const listed = (await createProgram([])).helpInformation();
    const loaded = (await createProgram(COMMAND_NAMES)).helpInformation();
    expect(listed).toBe(loaded);
  });

  it('loads a named command with its options', async () => {
    const program = await createProgram(['help', 'convert']);
    const command = program.commands.find((one) => one.name() === 'convert');
    expect(command?.options.map((option) => option.long)).toContain('--reference');
  });

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect((await createProgram([])).version()).toBe(version);
  });
});
