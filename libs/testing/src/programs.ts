import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program is on PATH. */
export const hasProgram = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/**
 * `it` for a test that needs programs which npm does not bring: it is skipped where one is missing, and in CI, which installs them
 * all, a skipped one counts as failed.
 */
export const itWith = (...programs: string[]): typeof it => (programs.every(hasProgram) ? it : it.skip);
