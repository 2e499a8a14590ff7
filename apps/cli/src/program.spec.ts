import { COMMAND_NAMES, createProgram } from './program.js';

describe('the program', () => {
  it('lists the commands as they describe themselves, without loading any', async () => {
    const listed = (await createProgram([])).helpInformation();
    const loaded = (await createProgram(COMMAND_NAMES)).helpInformation();
    expect(listed).toBe(loaded);
  });

  it('loads a command that is named, with its options', async () => {
    const program = await createProgram(['help', 'convert']);
    const command = program.commands.find((one) => one.name() === 'convert');
    expect(command?.options.map((option) => option.long)).toContain('--reference');
  });
});
