import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { registerMaintain } from './maintain.js';

describe('scriptorium maintain', () => {
  it.each([[[]], [['--confirm-owner', 'ten_b']]])(
    'B24 changes nothing if the owner is not confirmed: %j',
    async (more) => {
      const program = new Command();
      registerMaintain(program.command('maintain'));
      const args = ['maintain', 'owners', '--owner', 'ten_a', ...more];
      await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow(
        'Nothing was changed. Check with --dry-run which rows ten_a would get, then confirm with --confirm-owner ten_a.',
      );
    },
  );
});
