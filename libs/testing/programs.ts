import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { itWhere } from './it-where.js';

/** Where a program lies on PATH; undefined when it does not. */
export const programPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Whether a program is on PATH. */
const hasProgram = (name: string): boolean => programPath(name) !== undefined;

/**
 * `it` for a test that needs programs which npm does not bring: it is skipped where one is missing, and in CI, which installs them
 * all, a skipped one counts as failed.
 */
export const itWith = (...programs: string[]): typeof it => itWhere(programs.every(hasProgram));
