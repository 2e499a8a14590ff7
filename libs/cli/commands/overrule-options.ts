import type { FindingChanges } from '#contracts/findings.js';
import type { Command } from 'commander';

export interface OverruleOptions {
  reason?: string;
  undo: boolean;
}

/** Adds the options of a command that says that a finding is wrong. */
export const withOverruleOptions = (command: Command): Command =>
  command
    .option('--reason <text>', 'why the finding is wrong')
    .option('--undo', 'let the finding count again', false);

export const changesOf = ({ reason, undo }: OverruleOptions): FindingChanges => ({
  overruled: undo ? null : { reason: reason ?? null },
});
